// A warehouse that is archived while an order is on its way to it.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { addStock, levelOf, makeOrder, makePlace, makeVariant } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

/** Archives as updateWarehouse does, and does `meanwhile` when the locks are held and the commit has not come. */
async function archive<T>(warehouseId: string, meanwhile: () => Promise<T>): Promise<T> {
  const own = test.organizationId;
  return test.database
    .transaction(async (transaction) => {
      await transaction.query(sql`
        select id from inventory_levels where organization_id = ${own} and warehouse_id = ${warehouseId} for update`);
      await transaction.query(sql`
        select id from warehouses where organization_id = ${own} and id = ${warehouseId} for update`);
      const running = meanwhile();
      await sleep(200);
      transaction.send(sql`
        update warehouses set archived_at = ${new Date()} where organization_id = ${own} and id = ${warehouseId}`);
      return [running] as const;
    })
    .then(([running]) => running);
}

const order = (warehouseId: string, variantId: string, fields = {}) =>
  test.request('POST', '/orders', {
    name: 'SO-',
    price: 1,
    orderDate: '2026-01-01T00:00:00Z',
    warehouseId,
    lineItems: [{ productVariantId: variantId, quantity: 1 }],
    ...fields,
  });

for (const fulfillmentStatus of ['open', 'scheduled']) {
  it(`400 for an order (${fulfillmentStatus}) that is pinned to it`, async () => {
    const variant = await makeVariant(test.request);
    const place = await makePlace(test.request);
    await addStock(test.request, place, variant.id, 1);
    await addStock(test.request, place, variant.id, -1);
    const answer = await archive(place.warehouseId, () =>
      order(place.warehouseId, variant.id, { fulfillmentStatus }),
    );
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.error.details.issues[0].path, '/warehouseId');
  });
}

it('400 for an update that pins an order to it', async () => {
  const variant = await makeVariant(test.request);
  const place = await makePlace(test.request);
  const { id } = await makeOrder(test.request, {}, [[variant.id, 1]]);
  const { warehouseId } = place;
  const answer = await archive(warehouseId, () => test.request('POST', `/orders/${id}`, { warehouseId }));
  assert.equal(answer.status, 400, answer.text);
});

for (const known of [true, false]) {
  const it_ = known ? 'that knows the variant' : 'that has never seen the variant';
  it(`what may be oversold is not sold from one ${it_}`, async () => {
    const variant = await makeVariant(test.request, { inventoryPolicy: 'continue' });
    const first = await makePlace(test.request, { priority: -2 });
    const second = await makePlace(test.request, { priority: -1 });
    if (known) {
      await addStock(test.request, first, variant.id, 1);
      await addStock(test.request, first, variant.id, -1);
    }
    const created = await archive(first.warehouseId, () => makeOrder(test.request, {}, [[variant.id, 1]]));
    assert.equal(created.lineItems[0].quantityAllocated, 1);
    const level = async (warehouseId: string) => (await levelOf(test.request, warehouseId, variant)) ?? {};
    assert.equal((await level(second.warehouseId)).committedQuantity, 1);
    assert.ok(!(await level(first.warehouseId)).committedQuantity);
    // For the next one, the second is the first.
    await test.request('POST', `/warehouses/${second.warehouseId}`, { priority: 50 });
  });
}
