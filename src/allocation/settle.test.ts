// What follows when stock rises above, or falls below, what orders were promised.
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
  makePlace,
  makeStocked,
  makeVariant,
} from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';
import { expireDue } from '../inventory/expire-due.ts';
import { fillMarked } from './fill-marked.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const read = async (id: string) => (await test.request('GET', `/orders/${id}`)).body.data;
const allocated = async (id: string) => (await read(id)).lineItems[0].quantityAllocated;

const stocked = (units: number, fields = {}) => makeStocked(test.request, units, fields);

async function consistent() {
  const { data } = (await test.request('GET', '/inventory/verify')).body;
  assert.deepEqual(data.differences, []);
}

async function waiting(variantId: string): Promise<number> {
  const [row] = await test.database.query<{ units: number }>(sql`
    select coalesce(sum(quantity_backordered), 0)::int as units from order_line_items
    where organization_id = ${test.organizationId} and product_variant_id = ${variantId}`);
  return row!.units;
}

describe('backorders', () => {
  it('are filled by order date, whatever the order in which they were created', async () => {
    const { place, variant } = await stocked(0);
    const late = await makeOrder(test.request, { orderDate: '2026-03-03T00:00:00Z' }, [[variant.id, 2]]);
    const early = await makeOrder(test.request, { orderDate: '2026-01-01T00:00:00Z' }, [[variant.id, 2]]);
    await addStock(test.request, place, variant.id, 3);
    assert.equal(await allocated(early.id), 2);
    assert.equal(await allocated(late.id), 1);
    await consistent();
  });

  it('are filled by a move out of a place that is not pickable, and by a place that becomes pickable', async () => {
    const { place, variant } = await stocked(0);
    const staging = await makeLocation(test.request, place.warehouseId, { type: 'staging' });
    const returns = await makeLocation(test.request, place.warehouseId, { type: 'returns' });
    for (const bin of [staging, returns]) {
      await addStock(test.request, { ...place, warehouseLocationId: bin.id }, variant.id, 2);
    }
    const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
    assert.equal(await allocated(order.id), 0);
    await addStock(test.request, { ...place, warehouseLocationId: staging.id }, variant.id, 2, {
      moveToWarehouseLocationId: place.warehouseLocationId,
    });
    assert.equal(await allocated(order.id), 2);
    await make(test.request, `/warehouses/${place.warehouseId}/locations/${returns.id}`, { pickable: true });
    assert.equal(await allocated(order.id), 4);
    await consistent();
  });

  it('of bundles are filled when the last component arrives', async () => {
    const { place, variant } = await stocked(4);
    const other = await makeVariant(test.request);
    const bundle = await makeBundle(test.request, { [variant.id]: 2, [other.id]: 1 });
    const order = await makeOrder(test.request, {}, [[bundle.id, 2]]);
    assert.equal(await allocated(order.id), 0);
    await addStock(test.request, place, other.id, 1);
    assert.equal(await allocated(order.id), 1);
    await addStock(test.request, place, other.id, 5);
    assert.equal(await allocated(order.id), 2);
    await consistent();
  });

  it('a thousand of them: a hundred at once, the rest by a job, with a bounded number of statements', async () => {
    const { place, variant } = await stocked(0);
    const orders = Array.from({ length: 1000 }, (_, n) => ({
      name: 'B-',
      price: 1,
      orderDate: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
      lineItems: [{ productVariantId: variant.id, quantity: 1 }],
    }));
    await test.request('POST', '/orders/bulk', { orders });
    assert.equal(await waiting(variant.id), 1000);
    const few = await stocked(0);
    await makeOrder(test.request, {}, [[few.variant.id, 1]]);
    const one = await test.statements(() => addStock(test.request, few.place, few.variant.id, 5));

    const many = await test.statements(() => addStock(test.request, place, variant.id, 1200));
    assert.equal(await waiting(variant.id), 900);
    // One more than for a single backorder: the mark for the job.
    assert.ok(many.length <= one.length + 1, `${many.length} statements against ${one.length}`);
    const transactions = await fillMarked(test.database);
    assert.equal(await waiting(variant.id), 0);
    assert.ok(transactions <= 10, `${transactions} transactions`);
    await fillMarked(test.database);
    const [marks] = await test.database.query<{ count: number }>(sql`
      select count(*) from backorder_fills where organization_id = ${test.organizationId}`);
    assert.equal(marks!.count, 0);
    await consistent();
  });

  it('that nothing can be done for hold up none behind them: bundles that lack another component', async () => {
    const { place, variant } = await stocked(0);
    const other = await makeVariant(test.request);
    const bundle = await makeBundle(test.request, { [variant.id]: 1, [other.id]: 1 });
    const pair = await makeBundle(test.request, { [variant.id]: 2 });
    const orders = Array.from({ length: 250 }, (_, n) => ({
      name: 'H-',
      price: 1,
      orderDate: '2026-01-01T00:00:00Z',
      lineItems: [{ productVariantId: n % 2 === 0 ? bundle.id : pair.id, quantity: 1 }],
    }));
    await test.request('POST', '/orders/bulk', { orders });
    const behind = await makeOrder(test.request, {}, [[variant.id, 1]]);
    await addStock(test.request, place, variant.id, 1);
    await fillMarked(test.database);
    assert.equal(await allocated(behind.id), 1);
    // One more of either makes what has waited longest, not what came last.
    await addStock(test.request, place, variant.id, 2);
    const last = await makeOrder(test.request, {}, [[variant.id, 1]]);
    await fillMarked(test.database);
    assert.equal(await allocated(last.id), 0);
    assert.equal(await waiting(pair.id), 124);
    await addStock(test.request, place, other.id, 1);
    await fillMarked(test.database);
    assert.equal(await waiting(bundle.id), 125);
    await addStock(test.request, place, variant.id, 1);
    await fillMarked(test.database);
    assert.deepEqual([await waiting(bundle.id), await allocated(last.id)], [124, 0]);
    await consistent();
  });

  it('an order that arrives while stock does is never left waiting beside it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { place, variant, level } = await stocked(0);
      await Promise.all([
        makeOrder(test.request, {}, [[variant.id, 1]]),
        addStock(test.request, place, variant.id, 1),
      ]);
      assert.equal((await level()).committedQuantity, 1);
    }
  });
});

describe('stock below what is committed', () => {
  it('the newest allocations become backorders, with an event that names them', async () => {
    const { place, variant, level } = await stocked(5);
    const early = await makeOrder(test.request, { orderDate: '2026-01-01T00:00:00Z' }, [[variant.id, 3]]);
    const late = await makeOrder(test.request, { orderDate: '2026-02-02T00:00:00Z' }, [[variant.id, 2]]);
    await addStock(test.request, place, variant.id, -3);
    assert.equal(await allocated(early.id), 2);
    assert.equal(await allocated(late.id), 0);
    assert.equal((await level()).committedQuantity, 2);
    const events = await test.database.query<{
      data: { object: { oversoldQuantity: number; orderIds: string[] } };
    }>(sql`
      select data from events where organization_id = ${test.organizationId} and type = 'inventory.oversold'
      order by created_at desc limit 1`);
    assert.equal(events[0]!.data.object.oversoldQuantity, 3);
    assert.deepEqual(events[0]!.data.object.orderIds.toSorted(), [early.id, late.id].toSorted());
    await consistent();
  });

  it('what one warehouse has lost, another gives', async () => {
    const { place, variant } = await stocked(2);
    const far = await makePlace(test.request, { priority: 900 });
    await addStock(test.request, far, variant.id, 2);
    const order = await makeOrder(test.request, {}, [[variant.id, 2]]);
    await addStock(test.request, place, variant.id, -2);
    await fillMarked(test.database);
    assert.equal(await allocated(order.id), 2);
    assert.equal((await levelOf(test.request, far.warehouseId, variant)).committedQuantity, 2);
    await consistent();
  });

  it('a lot that expires no longer counts: noticed by the job, and by the next order at once', async () => {
    const { place, variant, level } = await stocked(0);
    const soon = new Date(Date.now() + 700);
    await addStock(test.request, place, variant.id, 5, {
      lotNumber: 'L1',
      expirationDate: soon.toISOString(),
    });
    const held = await makeOrder(test.request, {}, [[variant.id, 2]]);
    assert.equal(await allocated(held.id), 2);
    await new Promise((resolve) => setTimeout(resolve, soon.getTime() - Date.now() + 20));
    const late = await makeOrder(test.request, {}, [[variant.id, 1]]);
    assert.equal(late.lineItems[0].quantityAllocated, 0);
    assert.equal(await allocated(held.id), 0);
    await expireDue(test.database);
    const after = await level();
    assert.equal(after.availableQuantity, 0);
    assert.equal(after.reservedQuantity, 5);
    assert.equal(after.onHandQuantity, 5);
    await consistent();
  });

  it('what becomes a policy of continue waits no longer', async () => {
    const { place, variant, level } = await stocked(1);
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[variant.id, 4]]);
    assert.equal(await allocated(order.id), 1);
    await make(test.request, `/products/${variant.productId}/variants/${variant.id}`, {
      inventoryPolicy: 'continue',
    });
    await fillMarked(test.database);
    assert.equal(await allocated(order.id), 4);
    assert.equal((await level()).availableQuantity, -3);
    await consistent();
  });

  it('a policy of continue keeps its allocations', async () => {
    const { place, variant, level } = await stocked(5, { inventoryPolicy: 'continue' });
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[variant.id, 5]]);
    await addStock(test.request, place, variant.id, -4);
    assert.equal(await allocated(order.id), 5);
    assert.equal((await level()).availableQuantity, -4);
    await consistent();
  });
});
