// POST /purchase-orders/{purchaseOrderId}/receipts: what arrives, where it goes and what follows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeBundle,
  makeLocation,
  makeOrder,
  makeVariant,
  makeWarehouse,
} from '../../test/support/factories.ts';
import { makeSupplier, moveOn, purchasingOf } from '../../test/support/purchasing.ts';
import { fillMarked } from '../allocation/fill-marked.ts';
import * as limits from '../limits.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, ordered, receive, locations, figures, consistent } = purchasingOf(() => test);
const order = async (id: string) => (await request('GET', `/orders/${id}`)).body.data;
const records = async (warehouse: Json, variant: Json): Promise<Json[]> => {
  const query = `productVariantIdentifier=${variant.id}&warehouseId=${warehouse.id}`;
  return (await request('GET', `/inventory/locations?${query}`)).body.data;
};

describe('createReceipt', () => {
  it('sound units go to RECEIVING, damaged ones to DAMAGED, others to QC, and quantity counts them all', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const line = { quantity: 6, damagedQuantity: 2, qualityControlQuantity: 1 };
    const answer = await receive(id, { [lines[0]!]: line }, { reference: 'DN-1' });
    assert.equal(answer.body.object, 'receipt');
    const { data: receipt } = answer.body;
    const at = await locations(warehouse.id);
    const [received] = receipt.lineItems;
    assert.deepEqual([receipt.purchaseOrderId, receipt.reference], [id, 'DN-1']);
    assert.equal(receipt.receivedBy.name, 'Ada Byron');
    assert.deepEqual(
      [received.lineItemId, received.quantity, received.damagedQuantity, received.qualityControlQuantity],
      [lines[0], 6, 2, 1],
    );
    assert.deepEqual(
      [received.warehouseLocationId, received.damagedLocationId, received.qualityControlLocationId],
      [at['RECEIVING'], at['DAMAGED'], at['QC']],
    );
    assert.deepEqual(
      Object.fromEntries(
        (await records(warehouse, variant)).map((r) => [r.warehouseLocation.name, r.quantity]),
      ),
      { RECEIVING: 3, DAMAGED: 2, QC: 1 },
    );
    assert.deepEqual(await figures(warehouse, variant), [6, 3, 2, 1, 4]);
    await consistent();
  });

  it('the order shows its receipts, by receipt and by line', async () => {
    const { id, lines, variants } = await ordered([10, 5]);
    const { id: _, ...first } = (await receive(id, { [lines[0]!]: 4, [lines[1]!]: 5 })).body.data;
    await receive(id, {
      [lines[0]!]: { quantity: 6, lotNumber: 'L1', expirationDate: '2099-01-01T00:00:00Z' },
    });
    const found = await get(id);
    assert.equal(found.purchaseOrderReceipts.length, 2);
    assert.deepEqual(found.purchaseOrderReceipts[0].lineItems, first.lineItems);
    assert.deepEqual(
      found.lineItems.map((line: Json) => line.purchaseOrderLineItemReceipts.map((r: Json) => r.quantity)),
      [[4, 6], [5]],
    );
    const { lineItemId, ...asOfLine } = found.purchaseOrderReceipts[1].lineItems[0];
    assert.deepEqual(found.lineItems[0].purchaseOrderLineItemReceipts[1], asOfLine);
    assert.deepEqual([lineItemId, found.lineItems[0].receivedQuantity], [lines[0], 10]);
    assert.deepEqual([asOfLine.lotNumber, asOfLine.expirationDate], ['L1', '2099-01-01T00:00:00.000Z']);
    assert.equal(asOfLine.damagedLocationId, null);
    assert.equal(found.status, 'received');
    assert.equal(variants.length, 2);
  });

  it('is partially-received until every line has all of its units', async () => {
    const { id, lines, warehouse, variants } = await ordered([2, 2]);
    const statuses = [];
    for (const line of [{ [lines[0]!]: 2 }, { [lines[1]!]: 1 }, { [lines[1]!]: 1 }]) {
      assert.equal((await receive(id, line)).status, 200);
      statuses.push((await get(id)).status);
    }
    assert.deepEqual(statuses, ['partially-received', 'partially-received', 'received']);
    for (const variant of variants) assert.deepEqual(await figures(warehouse, variant), [2, 2, 0, 0, 0]);
  });

  it('one line may arrive in several lots and places at once', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const bin = await makeLocation(request, warehouse.id);
    const broken = await makeLocation(request, warehouse.id, { type: 'damaged' });
    const check = await makeLocation(request, warehouse.id, { type: 'quality-control' });
    const lineItemId = lines[0]!;
    const lineItems = [
      { lineItemId, quantity: 3, warehouseLocationId: bin.id, lotNumber: 'A' },
      { lineItemId, quantity: 3, warehouseLocationId: bin.id, lotNumber: 'B', damagedQuantity: 0 },
      { lineItemId, quantity: 2, damagedQuantity: 2, damagedLocationId: broken.id, lotNumber: null },
      { lineItemId, quantity: 2, qualityControlQuantity: 2, qualityControlLocationId: check.id },
    ];
    await make(request, `/purchase-orders/${id}/receipts`, { lineItems });
    const found = (await records(warehouse, variant)).map((r) => [
      r.warehouseLocationId,
      r.lotNumber,
      r.quantity,
    ]);
    const expected = [
      [bin.id, 'A', 3],
      [bin.id, 'B', 3],
      [broken.id, null, 2],
      [check.id, null, 2],
    ];
    assert.deepEqual(found.toSorted(), expected.toSorted());
    assert.equal((await get(id)).status, 'received');
    await consistent();
  });

  it('the ledger says for which receipt, and the level tells of units and of what is still to come', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const receipt = (await receive(id, { [lines[0]!]: { quantity: 4, damagedQuantity: 1 } })).body.data;
    const movements = (await request('GET', `/inventory/movements?warehouseId=${warehouse.id}`)).body.data;
    assert.deepEqual(
      movements.map((m: Json) => [m.quantity, m.reason, m.referenceType, m.referenceId]).toSorted(),
      [
        [1, 'receipt', 'purchase-order-receipt', receipt.id],
        [3, 'receipt', 'purchase-order-receipt', receipt.id],
      ],
    );
    const level = await levelOf(request, warehouse.id, variant);
    const events = await test.database.pool.query(
      `select data from events where organization_id = $1 and object_id = $2 and type = 'inventory.adjusted' order by id`,
      [test.organizationId, level.id],
    );
    const told = events.rows.map(({ data }: Json) => [
      data.object.onHandQuantity,
      data.object.incomingQuantity,
    ]);
    assert.deepEqual(told, [
      [0, 10],
      [4, 6],
    ]);
  });

  it('what arrives fills backorders by order date, in the same answer; damaged and checked units fill none', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const waiting = (orderDate: string) =>
      makeOrder(request, { orderDate, warehouseId: warehouse.id }, [[variant.id, 4]]);
    const late = await waiting('2026-02-02T00:00:00Z');
    const early = await waiting('2026-01-01T00:00:00Z');
    await receive(id, { [lines[0]!]: { quantity: 8, damagedQuantity: 2, qualityControlQuantity: 1 } });
    const held = async ({ id: one }: Json) => (await order(one)).lineItems[0].quantityAllocated;
    assert.deepEqual([await held(early), await held(late)], [4, 1]);
    assert.deepEqual(await figures(warehouse, variant), [8, 0, 2, 1, 2]);
    await consistent();
  });

  it('a bundle that waits for what arrives is filled too', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const other = await makeVariant(request);
    const at = (await locations(warehouse.id))['RECEIVING']!;
    await addStock(request, { warehouseId: warehouse.id, warehouseLocationId: at }, other.id, 5);
    const bundle = await makeBundle(request, { [variant.id]: 2, [other.id]: 1 });
    const { id: orderId } = await makeOrder(request, { warehouseId: warehouse.id }, [[bundle.id, 5]]);
    await receive(id, { [lines[0]!]: 7 });
    assert.equal((await order(orderId)).lineItems[0].quantityAllocated, 3);
    await consistent();
  });

  it('of more backorders than are filled at once, a job fills the rest', async () => {
    const count = limits.backorderFillsInline + 5;
    const { id, lines, warehouse, variant } = await ordered([count]);
    const orders = Array.from({ length: count }, () => ({
      name: 'B-',
      price: 1,
      orderDate: '2026-01-01T00:00:00Z',
      warehouseId: warehouse.id,
      lineItems: [{ productVariantId: variant.id, quantity: 1 }],
    }));
    await request('POST', '/orders/bulk', { orders, atomic: true });
    await receive(id, { [lines[0]!]: count });
    assert.deepEqual((await figures(warehouse, variant))[1], 5);
    await fillMarked(test.database);
    assert.deepEqual(await figures(warehouse, variant), [count, 0, 0, 0, 0]);
    await consistent();
  });

  it('more than was ordered comes in where it is allowed, and is never incoming', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 12 }, { allowOverReceipt: true });
    const found = await get(id);
    assert.deepEqual([found.status, found.lineItems[0].receivedQuantity], ['received', 12]);
    assert.deepEqual(await figures(warehouse, variant), [12, 12, 0, 0, 0]);
    await receive(id, { [lines[0]!]: 1 }, { allowOverReceipt: true });
    assert.deepEqual(await figures(warehouse, variant), [13, 13, 0, 0, 0]);
    await consistent();
  });

  it('a variant that does not track inventory is received without stock', async () => {
    const variant = await makeVariant(request, { tracksInventory: false });
    const warehouse = await makeWarehouse(request);
    const draft = await make(request, '/purchase-orders', {
      supplierId: (await makeSupplier(request)).id,
      warehouseId: warehouse.id,
      lineItems: [{ productVariantId: variant.id, requestedQuantity: 3, unitPrice: 1 }],
    });
    await moveOn(request, draft, 'open', 'confirm');
    await receive(draft.id, { [draft.lineItems[0].id]: 3 });
    assert.equal((await get(draft.id)).status, 'received');
    assert.deepEqual(await records(warehouse, variant), []);
    await consistent();
  });

  it('what is open goes on when its product is archived', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await request('DELETE', `/products/${variant.productId}`);
    assert.equal((await receive(id, { [lines[0]!]: 10 })).status, 200);
    assert.equal((await records(warehouse, variant))[0]!.quantity, 10);
  });

  it("a child receives into its parent's shared warehouse, and the stock is its own", async () => {
    const parent = await test.makeOrganization();
    const child = await test.makeOrganization({ parentId: parent.id });
    const warehouse = await makeWarehouse(parent.request, { sharedWithChildren: true });
    const variant = await makeVariant(child.request);
    const draft = await make(child.request, '/purchase-orders', {
      supplierId: (await makeSupplier(child.request)).id,
      warehouseId: warehouse.id,
      lineItems: [{ productVariantId: variant.id, requestedQuantity: 3, unitPrice: 1 }],
    });
    await moveOn(child.request, draft, 'open', 'confirm');
    const ours = purchasingOf(() => ({ ...test, request: child.request }));
    assert.equal((await ours.receive(draft.id, { [draft.lineItems[0].id]: 2 })).status, 200);
    assert.deepEqual(await ours.figures(warehouse, variant), [2, 2, 0, 0, 1]);
    assert.equal((await get(draft.id)) ?? null, null);
    assert.equal((await parent.request('GET', '/inventory/levels')).body.totalCount, 0);
  });

  it('412 when the order has changed since it was read; a replay under its key has no effect', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const stale = await receive(id, { [lines[0]!]: 1 }, {}, { 'if-match': '"1"' });
    assert.equal(stale.status, 412);
    const headers = { 'idempotency-key': `receipt ${id}` };
    const first = await receive(id, { [lines[0]!]: 1 }, {}, headers);
    const again = await receive(id, { [lines[0]!]: 1 }, {}, headers);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(await figures(warehouse, variant), [1, 1, 0, 0, 9]);
  });
});
