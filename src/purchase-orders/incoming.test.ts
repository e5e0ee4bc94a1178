// Incoming units follow every change, can be asked for as of any moment, and are verified.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp, type TestOrganization } from '../../test/support/app.ts';
import { make } from '../../test/support/factories.ts';
import { purchasingOf } from '../../test/support/purchasing.ts';
import { type Sql, sql } from '../database/connect.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
let organization: TestOrganization;
before(async () => {
  test = await startTestApp();
  organization = await test.makeOrganization();
});
after(() => test.close());

const { request, ordered, receive } = purchasingOf(() => ({ ...test, request: organization.request }));

describe('incomingQuantity', () => {
  it('is what orders still owed at any past moment, beside what was on hand then', async () => {
    const { id, lines, warehouse } = await ordered([10], ['open']);
    const moments: Date[] = [];
    const moment = async () => {
      await sleep(5);
      moments.push(new Date());
      await sleep(5);
    };
    const act = (action: string) => make(request, `/purchase-orders/${id}/${action}`);
    await moment();
    for (const step of [
      () => act('confirm'),
      () => receive(id, { [lines[0]!]: { quantity: 6, damagedQuantity: 1 } }),
      () => receive(id, { [lines[0]!]: -2 }),
      () => act('close'),
      () => receive(id, { [lines[0]!]: 1 }, { allowOverReceipt: true }),
    ]) {
      await step();
      await moment();
    }
    const seen = [];
    for (const at of moments) {
      const path = `/inventory/levels?warehouseId=${warehouse.id}&asOf=${at.toISOString()}`;
      const [level] = (await request('GET', path)).body.data;
      const { incomingQuantity, onHandQuantity, damagedQuantity } = level ?? {};
      seen.push(level === undefined ? [] : [incomingQuantity, onHandQuantity, damagedQuantity]);
    }
    assert.deepEqual(seen, [[], [10, 0, 0], [4, 6, 1], [6, 4, 1], [0, 4, 1], [0, 5, 1]]);
  });

  it('of several orders add up, on the level and on the variant', async () => {
    const { id, lines, warehouse, supplier, variant } = await ordered([10]);
    const draft = await make(request, '/purchase-orders', {
      supplierId: supplier.id,
      warehouseId: warehouse.id,
      lineItems: [{ productVariantId: variant.id, requestedQuantity: 5, unitPrice: 1 }],
    });
    for (const action of ['open', 'confirm']) await make(request, `/purchase-orders/${draft.id}/${action}`);
    await receive(id, { [lines[0]!]: 3 });
    const found = await request('GET', `/products/${variant.productId}/variants/${variant.id}`);
    assert.deepEqual(
      found.body.data.inventoryLevels.map((level: Json) => [level.incomingQuantity, level.onHandQuantity]),
      [[12, 3]],
    );
  });

  const corruptions: Record<string, { change: (line: string) => Sql<unknown>; found: string[] }> = {
    'a level that waits for more than was ordered': {
      change: () => sql`
        update inventory_levels set incoming_quantity = incoming_quantity + 2
        where organization_id = ${organization.id} and incoming_quantity = 90`,
      found: [
        'incomingQuantity by incoming-history: 90, not 92',
        'incomingQuantity by purchase-orders: 90, not 92',
      ],
    },
    'a history that leaves something out': {
      change: (line) => sql`
        delete from incoming_changes
        where organization_id = ${organization.id} and purchase_order_line_item_id = ${line} and quantity < 0`,
      found: ['incomingQuantity by incoming-history: 100, not 90'],
    },
    'a line that has received more than its receipts brought': {
      change: (line) => sql`
        update purchase_order_line_items set received_quantity = received_quantity + 1
        where organization_id = ${organization.id} and id = ${line}`,
      found: ['incomingQuantity by purchase-orders: 89, not 90', 'receivedQuantity by receipts: 10, not 11'],
    },
  };

  for (const [what, { change, found }] of Object.entries(corruptions)) {
    it(`a verification finds ${what}`, async () => {
      organization = await test.makeOrganization();
      const { id, lines } = await ordered([100]);
      await receive(id, { [lines[0]!]: 10 });
      const differences = async () =>
        (await request('GET', '/inventory/verify')).body.data.differences as Json[];
      assert.deepEqual(await differences(), []);
      await test.database.query(change(lines[0]!));
      const told = await differences();
      assert.deepEqual(
        told
          .map(({ kind, basis, expected, actual }) => `${kind} by ${basis}: ${expected}, not ${actual}`)
          .sort(),
        found,
      );
      const ofLine = told.find(({ kind }) => kind === 'receivedQuantity');
      if (ofLine !== undefined) assert.equal(ofLine.purchaseOrderLineItemId, lines[0]);
    });
  }
});
