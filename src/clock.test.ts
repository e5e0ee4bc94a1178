// The wall clock jumps an hour, forth or back: ids, order, figures, keys and waits hold.
import assert from 'node:assert/strict';
import { after, afterEach, mock, test } from 'node:test';
import { startTestApp } from '../test/support/app.ts';
import { addStock, make, makeOrder, makeStocked } from '../test/support/factories.ts';
import { newId } from './database/ids.ts';

const service = await startTestApp();
after(service.close);
const { request, app, makeKey, as, database } = service;

const hour = 3_600_000;
/** From now on the wall clock is this much ahead; no monotonic one is. */
function setClock(aheadMs: number): void {
  mock.timers.reset();
  const offset = aheadMs;
  if (offset !== 0) mock.timers.enable({ apis: ['Date'], now: Date.now() + offset });
}
afterEach(() => mock.timers.reset());

/** With the clock an hour ahead first, and then right again; and right first, and then an hour behind. */
const jumps: [name: string, first: number, then: number][] = [
  ['forth and back again', hour, 0],
  ['back', 0, -hour],
];

test('ids stay unique and in the order in which they were made when the clock is set back', () => {
  const ids: string[] = [];
  for (const ahead of [0, hour, 0, -hour, -24 * hour, 0]) {
    setClock(ahead);
    ids.push(...Array.from({ length: 1000 }, newId));
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
});

for (const [name, first, then] of jumps) {
  test(`clock ${name}: numbers of events follow the writes, and the feed passes nobody`, async () => {
    const { variant } = await makeStocked(request, 50);
    setClock(first);
    const before = await makeOrder(request, {}, [[variant.id, 1]]);
    const { body } = await request('GET', `/events?objectId=${before.id}`);
    const seen = body.data.at(-1).sequence;
    setClock(then);
    await make(request, `/orders/${before.id}/hold`, { reason: 'other' });
    const later = await makeOrder(request, {}, [[variant.id, 1]]);
    await make(request, `/orders/${before.id}/release`);
    const feed = (await request('GET', `/events?after=${seen}&limit=100`)).body.data;
    assert.deepEqual(
      feed
        .filter(({ type }: { type: string }) => type.startsWith('order.'))
        .map(({ type, data }: { type: string; data: { object: { id: string } } }) => [type, data.object.id]),
      [
        ['order.held', before.id],
        ['order.created', later.id],
        ['order.released', before.id],
      ],
    );
  });

  test(`clock ${name}: what was set last counts, and levels agree with their history`, async () => {
    const { place, variant, level } = await makeStocked(request, 50);
    const safety = (safetyStockQuantity: number) =>
      make(request, '/inventory/levels', {
        productVariantIdentifier: variant.id,
        warehouseId: place.warehouseId,
        safetyStockQuantity,
      });
    setClock(first);
    await safety(7);
    await addStock(request, place, variant.id, 5);
    setClock(then);
    await safety(3);
    await addStock(request, place, variant.id, -10);
    const now = await level();
    assert.deepEqual([now.safetyStockQuantity, now.onHandQuantity], [3, 45]);
    const verified = await request('GET', '/inventory/verify');
    assert.deepEqual(verified.body.data.differences, []);
    const asOf = new Date(Math.max(Date.parse(now.updatedAt), Date.now())).toISOString();
    const past = await request('GET', `/inventory/levels?warehouseId=${place.warehouseId}&asOf=${asOf}`);
    assert.equal(past.body.data[0].onHandQuantity, 45);
    assert.equal(past.body.data[0].safetyStockQuantity, 3);
  });

  test(`clock ${name}: a walk over a list by creation sees every earlier record once`, async () => {
    const { variant } = await makeStocked(request, 50);
    const prefix = `WALK${first}-`;
    const made: string[] = [];
    const add = async () => made.push((await makeOrder(request, { name: prefix }, [[variant.id, 1]])).id);
    setClock(first);
    for (let n = 0; n < 3; n += 1) await add();
    setClock(then);
    for (let n = 0; n < 3; n += 1) await add();
    const earlier = [...made];
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await request(
        'GET',
        `/orders?sortBy=createdAt&sortOrder=asc&limit=2&search=${prefix}${at}`,
      );
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (seen.length < 8) await add();
    }
    assert.deepEqual(
      earlier.filter((id) => seen.filter((one) => one === id).length !== 1),
      [],
    );
    assert.equal(new Set(seen).size, seen.length);
  });
}

test('a revoked key is refused within its second, though the clock is set back an hour after its last use', async () => {
  const key = await makeKey(['all']);
  assert.equal((await as(key)('GET', '/customers')).status, 200);
  setClock(-hour);
  await database.pool.query('update api_keys set revoked_at = created_at where last_four = $1', [
    key.slice(-4),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.equal((await as(key)('GET', '/customers')).status, 401);
});

test('whoever waits for events is answered in time, though the clock is set back an hour meanwhile', async () => {
  const { body } = await request('GET', '/events?limit=1');
  assert.ok(body.data.length > 0);
  const all = await request('GET', `/events?after=${body.data[0].sequence + body.totalCount - 1}&limit=1`);
  const last = body.data[0].sequence + body.totalCount - 1;
  assert.deepEqual(all.body.data, []);
  const startedAt = performance.now();
  const waiting = request('GET', `/events?after=${last}&wait=1`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  setClock(-hour);
  assert.deepEqual((await waiting).body.data, []);
  assert.ok(performance.now() - startedAt >= 1000);
});

test('keys, stored answers and rates: expiry goes by the wall clock, limits by a monotonic one', async () => {
  const key = await makeKey(['all'], { expiresAt: new Date(Date.now() + hour / 2) });
  const send = () => as(key)('POST', '/customers', { name: 'Once' }, { 'idempotency-key': 'clock' });
  const first = await send();
  assert.equal(first.status, 200);
  setClock(-hour);
  assert.equal((await send()).headers['idempotency-replayed'], 'true');
  setClock(hour);
  assert.equal((await send()).status, 401);
  setClock(0);
  assert.equal((await send()).headers['idempotency-replayed'], 'true');
  const limited = await makeKey(['all'], { rateLimit: 1 });
  const statuses = [];
  for (const ahead of [0, 0, hour, -hour, 0]) {
    setClock(ahead);
    statuses.push((await as(limited)('GET', '/customers')).status);
  }
  assert.deepEqual(statuses, [200, 200, 429, 429, 429]);
  assert.ok(app.server !== undefined);
});
