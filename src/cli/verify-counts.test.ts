// What `waybill verify` says of the counts that lists keep.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestApp, type TestApp, type TestOrganization } from '../../test/support/app.ts';
import { make, makeOrder, makeProduct, makeStocked, makeVariant } from '../../test/support/factories.ts';
import { purchasingOf } from '../../test/support/purchasing.ts';
import { type Sql, sql } from '../database/connect.ts';
import { verifyCounts } from './verify-counts.ts';

let test: TestApp;
let organization: TestOrganization;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { ordered } = purchasingOf(() => ({ ...test, request: organization.request }));

/** Records of every kind, changed since they were made. */
beforeEach(async () => {
  organization = await test.makeOrganization();
  const { request } = organization;
  const variant = await makeVariant(request);
  const order = await makeOrder(request, { orderDate: '2026-01-02T23:30:00-05:00' }, [[variant.id, 1]]);
  await make(request, `/orders/${order.id}`, { orderDate: '2026-02-02T00:00:00Z', financialStatus: 'paid' });
  const archived = await makeOrder(request, {}, [[variant.id, 1]]);
  await make(request, `/orders/${archived.id}/archive`);
  await request('DELETE', `/products/${(await makeProduct(request)).id}`);
  await ordered([10], []);
  await ordered([10], ['cancel', 'archive']);
});

const differences = async () => {
  const { countDifferences, checkedCounts } = await verifyCounts(test.database, [organization.id]);
  assert.ok(checkedCounts > 8, String(checkedCounts));
  return countDifferences;
};

describe('verifyCounts', () => {
  it('finds nothing where records came, changed and were archived', async () => {
    assert.deepEqual(await differences(), []);
  });

  it('sees no difference while records are made beside it', async () => {
    let running = true;
    const writing = Promise.all(
      [1, 2, 3].map(async () => {
        while (running) {
          const order = await makeOrder(organization.request);
          await make(organization.request, `/orders/${order.id}`, { financialStatus: 'paid' });
          await makeProduct(organization.request);
        }
      }),
    );
    try {
      for (let n = 0; n < 10; n += 1) assert.deepEqual(await differences(), []);
    } finally {
      running = false;
      await writing;
    }
  });

  const faults: Record<string, [change: () => Sql<unknown>, found: [string, number, number][]]> = {
    'a record that nobody counted': [
      () => sql`
        update orders set fulfillment_status = 'confirmed'
        where organization_id = ${organization.id} and financial_status = 'paid'`,
      [
        ['order 2026-02-02 paid confirmed', 1, 0],
        ['order 2026-02-02 paid open', 0, 1],
        ['order paid confirmed', 1, 0],
        ['order paid open', 0, 1],
      ],
    ],
    'a day that is counted twice': [
      () => sql`
        update record_totals set records = records + 1
        where organization_id = ${organization.id} and kind = 'order' and day > '-infinity' and archived`,
      [['order 2026-01-02 pending open archived', 1, 2]],
    ],
    'archived products that are not counted': [
      () => sql`update product_totals set archived = 0 where organization_id = ${organization.id}`,
      [['product archived', 1, 0]],
    ],
  };
  for (const [fault, [change, found]] of Object.entries(faults)) {
    it(`finds ${fault}`, async () => {
      await test.database.query(change());
      assert.deepEqual(
        (await differences()).map(({ counted, expected, actual }) => [counted, expected, actual]),
        found,
      );
    });
  }

  it('finds purchase orders that are counted in another state, of which supplier and warehouse', async () => {
    await test.database.query(sql`
      update purchase_order_totals set status = 'open'
      where organization_id = ${organization.id} and status = 'draft' and purchase_orders = 1`);
    const found = await differences();
    assert.deepEqual(
      found.map(({ counted, expected, actual }) => [counted.split(' ')[1], expected, actual]),
      [
        ['draft', 1, 0],
        ['open', 0, 1],
      ],
    );
    assert.match(found[0]!.counted, /supplier [0-9a-f-]{36} warehouse [0-9a-f-]{36}$/);
  });

  it('finds levels that are not counted, of which warehouse', async () => {
    await makeStocked(organization.request, 3);
    const [level] = await test.database.query<{ warehouseId: string; levels: number }>(sql`
      update inventory_level_totals set levels = levels + 2
      where organization_id = ${organization.id} returning warehouse_id as "warehouseId", levels`);
    const { warehouseId, levels } = level!;
    assert.deepEqual(await differences(), [
      {
        organizationId: organization.id,
        counted: `inventory-level warehouse ${warehouseId}`,
        expected: levels - 2,
        actual: levels,
      },
    ]);
  });
});
