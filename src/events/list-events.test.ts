// GET /events and GET /events/{id}: what a reader of the feed is told, and when it is told that something is gone.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../test/support/app.ts';
import { makeOrder, makeProduct } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';
import { purgeEvents } from './purge-events.ts';

const service = await startTestApp();
after(service.close);
const { request, database, makeOrganization } = service;

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Row = any;
const sequences = (data: Row[]) => data.map(({ sequence }) => sequence);

test('an event tells what was changed, before and after, and is there once the write was answered', async () => {
  const home = await makeOrganization();
  const product = await makeProduct(home.request);
  await home.request('POST', `/products/${product.id}`, { brand: 'Acme' });
  const { body } = await home.request('GET', '/events');
  assert.deepEqual(
    body.data.map(({ type, sequence, objectId }: Row) => [type, sequence, objectId]),
    [
      ['product.created', 1, product.id],
      ['product.updated', 2, product.id],
    ],
  );
  const [created, updated] = body.data;
  assert.deepEqual(created.data, { object: product, previous: null });
  assert.deepEqual(updated.data.previous, product);
  assert.equal(updated.data.object.brand, 'Acme');
  assert.equal(updated.organizationId, home.id);
  const one = await home.request('GET', `/events/${updated.id}`);
  assert.deepEqual(one.body, { object: 'event', data: updated });
});

test('404 for an event that is unknown, foreign or malformed', async () => {
  const other = await makeOrganization();
  await makeProduct(other.request);
  const { body } = await other.request('GET', '/events');
  for (const id of [body.data[0].id, '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90', 'x']) {
    assert.equal((await request('GET', `/events/${id}`)).status, 404);
  }
});

test('types, objectId and search filter, and the count is theirs', async () => {
  const home = await makeOrganization();
  const product = await makeProduct(home.request);
  await makeProduct(home.request);
  await home.request('DELETE', `/products/${product.id}`);
  await makeOrder(home.request);
  const read = async (query: string) => {
    const { body } = await home.request('GET', `/events?${query}`);
    assert.equal(body.totalCount, body.data.length);
    return body.data.map(({ type }: Row) => type);
  };
  assert.deepEqual(await read(`objectId=${product.id}`), ['product.created', 'product.archived']);
  assert.deepEqual(await read('types=product.archived, order.created'), [
    'product.archived',
    'order.created',
  ]);
  assert.deepEqual(await read('search=ARCH'), ['product.archived']);
  assert.deepEqual(await read('after=2'), ['product.archived', 'order.created']);
  assert.deepEqual(await read('after=2&types=order.created'), ['order.created']);
  assert.deepEqual(await read('after=999'), []);
});

test('400 names types that there are not, and a wait that is too long', async () => {
  const answer = await request('GET', '/events?types=order.created,order.eaten');
  assert.equal(answer.status, 400);
  assert.match(answer.body.error.details.issues[0].message, /order\.eaten/);
  assert.equal(answer.body.error.details.issues[0].path, '/types');
  for (const query of ['wait=31', 'wait=-1', 'after=-1', 'sortBy=sequence', 'sortOrder=desc', 'objectId=x']) {
    assert.equal((await request('GET', `/events?${query}`)).status, 400, query);
  }
});

test('pages, cursors and after agree; after wins', async () => {
  const home = await makeOrganization();
  for (let index = 0; index < 7; index += 1) await makeProduct(home.request);
  const get = async (query: string) => (await home.request('GET', `/events?${query}`)).body;
  const first = await get('limit=3');
  assert.deepEqual([sequences(first.data), first.hasMore, first.totalCount], [[1, 2, 3], true, 7]);
  const second = await get(`limit=3&cursor=${first.nextCursor}`);
  assert.deepEqual([sequences(second.data), second.totalCount], [[4, 5, 6], 7]);
  assert.deepEqual(await get('limit=3&page=2'), second);
  const behind = await get(`limit=3&after=3&page=9&cursor=${second.nextCursor}`);
  assert.deepEqual([sequences(behind.data), behind.totalCount], [[4, 5, 6], 4]);
  const last = await get(`limit=3&cursor=${behind.nextCursor}`);
  assert.deepEqual([sequences(last.data), last.hasMore, last.nextCursor], [[7], false, null]);
  const answer = await home.request('GET', `/events?types=order.created&cursor=${first.nextCursor}`);
  assert.equal(answer.body.error.details.code, 'invalid_cursor');
});

test('wait answers as soon as there is an event that passes the filter, and holds no connection', async () => {
  const home = await makeOrganization();
  await makeProduct(home.request);
  // Far more than the pool has.
  const waiting = Array.from({ length: 30 }, () =>
    home.request('GET', '/events?after=1&wait=10&types=product.archived'),
  );
  await sleep(150);
  // A busy machine takes longer to look once for each of them.
  for (let looks = 0; database.pool.waitingCount > 0 && looks < 100; looks += 1) await sleep(50);
  assert.equal(database.pool.waitingCount, 0);
  const product = await makeProduct(home.request);
  await home.request('DELETE', `/products/${product.id}`);
  // Somebody numbers: here it is another reader.
  await home.request('GET', '/events');
  for (const answer of await Promise.all(waiting)) assert.deepEqual(sequences(answer.body.data), [3]);
});

test('wait answers an empty list when its time is over', async () => {
  const home = await makeOrganization();
  const startedAt = performance.now();
  const { body } = await home.request('GET', '/events?wait=1');
  assert.deepEqual([body.data, body.hasMore, body.totalCount], [[], false, 0]);
  const waited = performance.now() - startedAt;
  assert.ok(waited > 900, String(waited));
});

test('410 events_expired once the event behind `after` is gone; none and 0 begin at the oldest kept', async () => {
  const home = await makeOrganization();
  for (let index = 0; index < 6; index += 1) await makeProduct(home.request);
  await home.request('GET', '/events');
  const old = new Date(Date.now() - 31 * 86_400_000);
  // The fifth is old too, but the fourth is not: what is kept has no gaps.
  await database.query(sql`
    update events set created_at = ${old}
    where organization_id = ${home.id} and sequence in (1, 2, 3, 5)`);
  assert.equal(await purgeEvents(database, 30), 3);
  assert.equal(await purgeEvents(database, 30), 0);
  for (const query of ['', '?after=0', '?after=3']) {
    const { status, body } = await home.request('GET', `/events${query}`);
    assert.deepEqual([status, sequences(body.data), body.totalCount], [200, [4, 5, 6], 3], query);
  }
  for (const sequence of [1, 2]) {
    const gone = await home.request('GET', `/events?after=${sequence}`);
    assert.equal(gone.status, 410);
    assert.equal(gone.body.error.details.code, 'events_expired');
    assert.equal(gone.body.error.details.oldestSequence, 4);
  }
  await database.query(sql`update events set created_at = ${old} where organization_id = ${home.id}`);
  assert.equal(await purgeEvents(database, 30), 3);
  assert.deepEqual((await home.request('GET', '/events?after=6')).body.data, []);
  assert.equal((await home.request('GET', '/events?after=5')).status, 410);
});
