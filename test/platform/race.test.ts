// A hundred clients after the last ten units: over one process and over two that share the database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../../src/database/connect.ts';
import { cleanups, makeKey, startService, temporaryFolder } from '../process/program.ts';
import { createTestDatabase } from '../support/cluster.ts';

const clients = 100;
const units = 10;

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects by looking
type Call = (path: string, body?: unknown) => Promise<{ status: number; data: any }>;

async function start(processes: number): Promise<{ calls: Call[] }> {
  const { url, drop } = await createTestDatabase();
  cleanups.push(drop);
  const database = connect(url, { max: 1 });
  const key = await makeKey(database);
  await database.close();
  const calls: Call[] = [];
  for (let n = 0; n < processes; n += 1) {
    const service = await startService(await temporaryFolder(), {
      DATABASE_URL: url,
      WAYBILL_LOG_LEVEL: 'error',
    });
    calls.push(async (path, body) => {
      const answer = await fetch(`${service.url}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, data: ((await answer.json()) as { data: unknown }).data };
    });
  }
  return { calls };
}

async function made(call: Call, path: string, body: unknown) {
  const { status, data } = await call(path, body);
  assert.equal(status, 200, JSON.stringify(data));
  return data;
}

async function stock(call: Call) {
  const warehouse = await made(call, '/warehouses', { name: 'Main' });
  const bin = await made(call, `/warehouses/${warehouse.id}/locations`, { name: 'A-01' });
  const product = await made(call, '/products', { name: 'Mug', variants: [{ title: 'Mug', sku: 'MUG' }] });
  const pair = await made(call, '/products', {
    name: 'Pair of mugs',
    isBundle: true,
    bomLineItems: [{ productVariantId: product.variants[0].id, quantity: 2 }],
    variants: [{ title: 'Pair', sku: 'PAIR' }],
  });
  const change = {
    productVariantIdentifier: 'MUG',
    warehouseId: warehouse.id,
    warehouseLocationId: bin.id,
    changeQuantity: units,
  };
  await made(call, '/inventory', change);
  return { product, pair };
}

for (const processes of [1, 2]) {
  describe(`${clients} clients racing for the last ${units} units over ${processes} process(es)`, () => {
    for (const [sku, perOrder, inventoryBehaviour] of [
      ['MUG', 1, 'backorder'],
      ['PAIR', 2, 'backorder'],
      ['MUG', 1, 'obey_policy'],
      ['PAIR', 2, 'obey_policy'],
    ] as const) {
      it(`exactly ${units} are committed, none below nothing, no 5xx: orders for ${sku}, ${inventoryBehaviour}`, async () => {
        const { calls } = await start(processes);
        const { product } = await stock(calls[0]!);
        const answers = await Promise.all(
          Array.from({ length: clients }, (_, n) =>
            calls[n % calls.length]!('/orders', {
              name: 'R-',
              price: 1,
              orderDate: '2026-01-01T00:00:00Z',
              inventoryBehaviour,
              lineItems: [{ productVariantSku: sku, quantity: 1 }],
            }),
          ),
        );
        const accepted = answers.filter(({ status }) => status === 200);
        const winners = accepted.filter(({ data }) => data.lineItems[0].quantityAllocated === 1);
        assert.equal(winners.length, units / perOrder);
        const others = inventoryBehaviour === 'backorder' ? 200 : 409;
        assert.ok(answers.every(({ status }) => status === 200 || status === others));
        const [level] = (await calls[0]!(`/products/${product.id}/inventory-level`)).data;
        assert.equal(level.committedQuantity, units);
        assert.equal(level.availableQuantity, 0);
        const verification = (await calls[0]!('/inventory/verify')).data;
        assert.deepEqual(verification.differences, []);
        assert.equal(verification.consistent, true);
      });
    }
  });
}

describe('a pool of one connection', () => {
  it('serves a hundred creates at once: no request holds a connection while it waits for another', async () => {
    const { url, drop } = await createTestDatabase();
    cleanups.push(drop);
    const database = connect(url, { max: 1 });
    const key = await makeKey(database);
    await database.close();
    const service = await startService(await temporaryFolder(), {
      DATABASE_URL: url,
      WAYBILL_POOL_SIZE: '1',
      WAYBILL_LOG_LEVEL: 'error',
    });
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, n) =>
        fetch(`${service.url}/api/v1/orders`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': `one-${n}`,
          },
          body: JSON.stringify({ name: 'P-', price: 1, orderDate: '2026-01-01T00:00:00Z', returnOrder: {} }),
        }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
  });
});
