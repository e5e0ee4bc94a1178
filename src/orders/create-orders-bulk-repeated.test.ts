// What an Idempotency-Key does for many orders in one request: no crash and no repeat makes one of them twice.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import { addStock, makePlace, makeVariant, unique } from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp({ logLevel: 'silent' });
});
after(() => test.close());

const order = { name: 'SO-', price: 10, orderDate: '2026-01-02T03:04:05Z' };
const lineOf = (productVariantId: string, quantity = 1) => ({ lineItems: [{ productVariantId, quantity }] });
const bulk = (orders: unknown[], more: object = {}, headers: Record<string, string> = {}) =>
  test.request('POST', '/orders/bulk', { orders, ...more }, headers);

async function stocked(units: number) {
  const place = await makePlace(test.request);
  const variant = await makeVariant(test.request);
  await addStock(test.request, place, variant.id, units);
  return variant;
}

/** Everything that is stored, but for the numbers that names which were not used took. */
async function stored() {
  const { name_counters: _, ...rows } = await rowsOf(test.database, test.organizationId);
  return rows;
}

const ordersWith = async (alias: string): Promise<{ id: string; name: string }[]> =>
  (await test.request('GET', `/orders?alias=${encodeURIComponent(alias)}&limit=100`)).body.data;

/** Fails every statement from the moment on that `after` orders were inserted. */
async function withDatabaseGone(after: number, work: () => Promise<Answer>): Promise<Answer> {
  const { onStatement } = test.database;
  let inserted = 0;
  test.database.onStatement = (text) => {
    onStatement?.(text);
    if (/insert into orders /.test(text)) inserted += 1;
    if (inserted > after) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  };
  try {
    return await work();
  } finally {
    test.database.onStatement = onStatement;
  }
}

describe('createOrdersBulk with an Idempotency-Key', () => {
  for (const atomic of [false, true]) {
    it(`answers a repeat the same and creates nothing (atomic ${atomic})`, async () => {
      const key = { 'idempotency-key': unique('bulk-') };
      const first = await bulk([order, { ...order, price: -1 }].slice(0, atomic ? 1 : 2), { atomic }, key);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.headers['idempotency-replayed'], undefined);
      const present = await stored();
      const again = await bulk([order, { ...order, price: -1 }].slice(0, atomic ? 1 : 2), { atomic }, key);
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.equal(again.text, first.text);
      assert.deepEqual(await stored(), present);
      const other = await bulk([order, order, order], { atomic }, key);
      assert.equal(other.status, 422);
      assert.equal(other.body.error.details.code, 'idempotency_key_reused');
      assert.deepEqual(await stored(), present);
    });
  }

  it('goes on where a lost database stopped it: what was created is not created again', async () => {
    const alias = unique('resumed ');
    const key = { 'idempotency-key': unique('bulk-') };
    const variant = await stocked(50);
    const orders = Array(20).fill({ ...order, alias, ...lineOf(variant.id) });
    const broken = await withDatabaseGone(7, () => bulk(orders, {}, key));
    const made = (await ordersWith(alias)).length;
    assert.ok(made > 0 && made < 20, `${made} were created`);
    assert.equal(broken.status, 200);
    assert.equal(broken.body.data.filter((row: { success: boolean }) => row.success).length, made);
    const other = await bulk([{ ...order, alias }], {}, key);
    assert.equal(other.status, 422, 'another request under the key of one that was cut off');

    const again = await bulk(orders, {}, key);
    assert.equal(again.body.success, true, again.text);
    assert.equal((await ordersWith(alias)).length, 20);
    for (const [index, row] of broken.body.data.entries()) {
      if (row.success) assert.deepEqual(again.body.data[index], row);
    }
    const replay = await bulk(orders, {}, key);
    assert.equal(replay.headers['idempotency-replayed'], 'true');
    assert.equal(replay.text, again.text);
  });

  it('a crash after the last order and before the answer loses neither', async () => {
    const alias = unique('answered ');
    const key = unique('bulk-');
    const orders = Array(6).fill({ ...order, alias });
    const first = await bulk(orders, {}, { 'idempotency-key': key });
    await test.database.query(sql`
      delete from idempotency_keys where organization_id = ${test.organizationId} and key = ${key}`);
    const again = await bulk(orders, {}, { 'idempotency-key': key });
    assert.equal(again.text, first.text);
    assert.equal((await ordersWith(alias)).length, 6);
  });

  it('409 while the first still runs; afterwards its answer', async () => {
    const alias = unique('twice ');
    const key = { 'idempotency-key': unique('bulk-') };
    const orders = Array(30).fill({ ...order, alias });
    const answers = await Promise.all([bulk(orders, {}, key), bulk(orders, {}, key), bulk(orders, {}, key)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    assert.equal(refused.body.error.details.code, 'idempotency_key_in_use');
    assert.ok(refused.headers['retry-after']);
    const first = answers.find(({ status }) => status === 200)!;
    assert.equal((await bulk(orders, {}, key)).text, first.text);
    assert.equal((await ordersWith(alias)).length, 30);
  });

  it('sent to two processes at once, it creates each order once and answers the same', async () => {
    const alias = unique('processes ');
    const orders = Array(30).fill({ ...order, alias });
    const config = { ...readConfig({ WAYBILL_LOG_LEVEL: 'error' }), databaseUrl: test.databaseUrl };
    const other = await buildApp({ database: test.database, config });
    try {
      const sent = [test.app, other].map((app) =>
        app.inject({
          method: 'POST',
          url: '/api/v1/orders/bulk',
          headers: { authorization: `Bearer ${test.key}`, 'idempotency-key': 'both' },
          payload: { orders },
        }),
      );
      const [one, two] = await Promise.all(sent);
      assert.deepEqual([one!.statusCode, two!.statusCode], [200, 200], one!.body + two!.body);
      assert.equal(one!.body, two!.body);
      assert.equal((await ordersWith(alias)).length, 30);
    } finally {
      await other.close();
    }
  });
});
