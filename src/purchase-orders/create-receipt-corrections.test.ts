// A correction is a receipt of fewer than none: history stays, and what it takes back is there to be taken.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { addStock, make, makeLocation, makeOrder } from '../../test/support/factories.ts';
import { issuesIn, purchasingOf } from '../../test/support/purchasing.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, ordered, receive, locations, refused, figures, consistent } = purchasingOf(() => test);
const status = async (id: string) => (await get(id)).status;

describe('a correction', () => {
  it('leads the order back, makes its units incoming again, and both receipts are kept', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 10 });
    assert.equal(await status(id), 'received');
    await receive(id, { [lines[0]!]: -3 }, { reference: 'miscounted' });
    assert.equal(await status(id), 'partially-received');
    assert.deepEqual(await figures(warehouse, variant), [7, 7, 0, 0, 3]);
    await receive(id, { [lines[0]!]: -7 });
    assert.equal(await status(id), 'confirmed');
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 10]);
    const { purchaseOrderReceipts, lineItems } = await get(id);
    assert.deepEqual(
      purchaseOrderReceipts.map((r: Json) => [r.reference, r.lineItems[0].quantity]),
      [
        [null, 10],
        ['miscounted', -3],
        [null, -7],
      ],
    );
    assert.equal(lineItems[0].receivedQuantity, 0);
    // Nothing is received any more, so it can be cancelled after all.
    await make(request, `/purchase-orders/${id}/cancel`);
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 0]);
    await consistent();
  });

  it('takes damaged and quality-control units from where they went', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: { quantity: 9, damagedQuantity: 3, qualityControlQuantity: 3 } });
    await receive(id, { [lines[0]!]: { quantity: -4, damagedQuantity: -1, qualityControlQuantity: -2 } });
    assert.deepEqual(await figures(warehouse, variant), [5, 2, 2, 1, 5]);
    await consistent();
  });

  it('turns sound units into damaged ones in one receipt, which changes no count of the order', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 10 });
    const lineItemId = lines[0]!;
    const lineItems = [
      { lineItemId, quantity: -2 },
      { lineItemId, quantity: 2, damagedQuantity: 2 },
    ];
    await make(request, `/purchase-orders/${id}/receipts`, { lineItems });
    assert.deepEqual(await figures(warehouse, variant), [10, 8, 2, 0, 0]);
    assert.equal(await status(id), 'received');
    await consistent();
  });

  it('takes units from where they were moved to, when it says so', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 10 });
    const bin = await makeLocation(request, warehouse.id);
    const at = {
      warehouseId: warehouse.id,
      warehouseLocationId: (await locations(warehouse.id))['RECEIVING']!,
    };
    await addStock(request, at, variant.id, 10, { moveToWarehouseLocationId: bin.id });
    const details = await refused(409, 'insufficient_stock', () => receive(id, { [lines[0]!]: -1 }));
    assert.deepEqual(issuesIn(details), { '/lineItems/0/quantity': 'insufficient_stock' });
    await receive(id, { [lines[0]!]: { quantity: -1, warehouseLocationId: bin.id } });
    assert.deepEqual(await figures(warehouse, variant), [9, 9, 0, 0, 1]);
    await consistent();
  });

  it('takes the lot that it names', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: { quantity: 4, lotNumber: 'A' } });
    await receive(id, { [lines[0]!]: { quantity: 4, lotNumber: 'B' } });
    await receive(id, { [lines[0]!]: { quantity: -3, lotNumber: 'B' } });
    await refused(409, 'insufficient_stock', () =>
      receive(id, { [lines[0]!]: { quantity: -2, lotNumber: 'B' } }),
    );
    const query = `productVariantIdentifier=${variant.id}&warehouseId=${warehouse.id}`;
    const records = (await request('GET', `/inventory/locations?${query}`)).body.data;
    assert.deepEqual(records.map((r: Json) => [r.lotNumber, r.quantity]).toSorted(), [
      ['A', 4],
      ['B', 1],
    ]);
  });

  it('409 quantity_exceeded when it takes back more than came, of each kind, and nothing is written', async () => {
    const { id, lines, warehouse, variant } = await ordered([10, 10]);
    const at = {
      warehouseId: warehouse.id,
      warehouseLocationId: (await locations(warehouse.id))['RECEIVING']!,
    };
    // There is enough of it to take, but none of it came with this order.
    await addStock(request, at, variant.id, 50);
    await addStock(request, at, variant.id, 20, {
      moveToWarehouseLocationId: (await locations(warehouse.id))['DAMAGED'],
    });
    await refused(409, 'quantity_exceeded', () => receive(id, { [lines[0]!]: -1 }));
    await receive(id, { [lines[0]!]: { quantity: 5, damagedQuantity: 1 } });
    for (const line of [
      -6,
      -5,
      { quantity: -2, damagedQuantity: -2 },
      { quantity: -1, qualityControlQuantity: -1 },
    ]) {
      const details = await refused(409, 'quantity_exceeded', () => receive(id, { [lines[0]!]: line }));
      assert.deepEqual(issuesIn(details), { '/lineItems/0/quantity': 'quantity_exceeded' });
    }
    assert.equal((await receive(id, { [lines[0]!]: { quantity: -5, damagedQuantity: -1 } })).status, 200);
    await consistent();
  });

  it('that takes units which orders were promised makes their newest backorders', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 10 });
    const sold = await makeOrder(request, { warehouseId: warehouse.id }, [[variant.id, 8]]);
    await receive(id, { [lines[0]!]: -5 });
    const [line] = (await request('GET', `/orders/${sold.id}`)).body.data.lineItems;
    assert.deepEqual([line.quantityAllocated, line.quantityBackordered], [5, 3]);
    await receive(id, { [lines[0]!]: 5 });
    const [filled] = (await request('GET', `/orders/${sold.id}`)).body.data.lineItems;
    assert.equal(filled.quantityAllocated, 8);
    await consistent();
  });

  it('of a closed order changes no state, and nothing is incoming', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 4 });
    await make(request, `/purchase-orders/${id}/close`);
    await receive(id, { [lines[0]!]: -4 });
    assert.equal(await status(id), 'received');
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 0]);
    await consistent();
  });

  it('of what was received beyond the order takes that first', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 12 }, { allowOverReceipt: true });
    await receive(id, { [lines[0]!]: -2 });
    assert.deepEqual([await status(id), await figures(warehouse, variant)], ['received', [10, 10, 0, 0, 0]]);
    await receive(id, { [lines[0]!]: -1 });
    assert.deepEqual(await figures(warehouse, variant), [9, 9, 0, 0, 1]);
    await consistent();
  });
});
