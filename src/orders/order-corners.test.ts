// Corners of an order's life that the simulation found: what each of them once did wrong stays right.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeOrder,
  makePlace,
  makeStocked,
  makeVariant,
} from '../../test/support/factories.ts';
import { eventsOf } from '../../test/support/rows.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

const act = (id: string, action: string, body?: unknown): Promise<Json> =>
  make(test.request, `/orders/${id}/${action}`, body);
const update = (id: string, body: unknown): Promise<Json> => make(test.request, `/orders/${id}`, body);
const read = async (id: string): Promise<Json> => (await test.request('GET', `/orders/${id}`)).body.data;
const line = ({ lineItems: [first] }: Json) => [
  first.quantity,
  first.quantityAllocated,
  first.quantityBackordered,
  first.quantityFulfilled,
  first.quantityCancelled,
];
const fulfil = (order: Json, quantity: number) =>
  act(order.id, 'fulfillments', { lineItems: [{ lineItemId: order.lineItems[0].id, quantity }] });

describe('an order that arrived fulfilled in part', () => {
  const arrived = (variantId: string) =>
    makeOrder(test.request, { fulfillmentStatus: 'partially-fulfilled' }, [[variantId, 3]]);

  it('takes no stock, neither when it is edited nor when a hold ends', async () => {
    const { variant, level } = await makeStocked(test.request, 5);
    const order = await arrived(variant.id);
    await update(order.id, { tags: ['old'], lineItems: [{ id: order.lineItems[0].id, quantity: 4 }] });
    await act(order.id, 'hold');
    const released = await act(order.id, 'release');
    assert.equal(released.fulfillmentStatus, 'partially-fulfilled');
    assert.deepEqual(line(released), [4, 0, 0, 0, 0]);
    assert.equal((await level()).committedQuantity, 0);
  });

  it('is complete, and not open again, once what is left of it is cancelled', async () => {
    const { variant } = await makeStocked(test.request, 5);
    const order = await arrived(variant.id);
    const { fulfillmentStatus, readyToShip } = await act(order.id, 'cancel', { remaining: true });
    assert.deepEqual([fulfillmentStatus, readyToShip], ['fulfilled', false]);
  });
});

describe('an order of which something has left', () => {
  it('is complete when its lines are made no larger than that, with the event for it', async () => {
    const { variant, level } = await makeStocked(test.request, 5);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    await fulfil(order, 2);
    const updated = await update(order.id, { lineItems: [{ id: order.lineItems[0].id, quantity: 2 }] });
    assert.equal(updated.fulfillmentStatus, 'fulfilled');
    assert.ok(updated.tasks.every((task: Json) => task.completedAt !== null));
    assert.equal((await level()).committedQuantity, 0);
    assert.equal((await eventsOf(test.database, test.organizationId)).at(-1), 'order.fulfilled');
  });

  it('is no longer on hold when what is left of it is cancelled', async () => {
    const { variant } = await makeStocked(test.request, 5);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    await fulfil(order, 2);
    await act(order.id, 'hold', { reason: 'fraud-risk' });
    const { fulfillmentStatus, holdReason } = await act(order.id, 'cancel', { remaining: true });
    assert.deepEqual([fulfillmentStatus, holdReason], ['fulfilled', null]);
  });

  it('holds nothing when it was voided before its fulfilment is cancelled', async () => {
    const { variant, level } = await makeStocked(test.request, 5);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const fulfillment = await fulfil(order, 2);
    await update(order.id, { financialStatus: 'voided' });
    await act(order.id, `fulfillments/${fulfillment.id}/cancel`);
    assert.deepEqual(line(await read(order.id)), [5, 0, 0, 0, 0]);
    const { onHandQuantity, committedQuantity } = await level();
    assert.deepEqual([onHandQuantity, committedQuantity], [5, 0]);
  });
});

describe('a pin', () => {
  it('that is set during a hold holds when the hold ends: nothing stays allocated elsewhere', async () => {
    const { place, variant, level } = await makeStocked(test.request, 3);
    const other = await makePlace(test.request);
    await addStock(test.request, other, variant.id, 2);
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[variant.id, 3]]);
    await act(order.id, 'hold');
    await update(order.id, { warehouseId: other.warehouseId });
    assert.deepEqual(line(await act(order.id, 'release')), [3, 2, 1, 0, 0]);
    assert.equal((await level()).committedQuantity, 0);
    assert.equal((await levelOf(test.request, other.warehouseId, variant)).committedQuantity, 2);
  });

  it('is changed on a voided order too, and may be written in upper case', async () => {
    const { place, variant } = await makeStocked(test.request, 3);
    const voided = await makeOrder(test.request, { financialStatus: 'voided' }, [[variant.id, 1]]);
    const { warehouseId } = await update(voided.id, { warehouseId: place.warehouseId });
    assert.equal(warehouseId, place.warehouseId);
    const upper = { warehouseId: place.warehouseId.toUpperCase() };
    assert.deepEqual(line(await makeOrder(test.request, upper, [[variant.id, 1]])), [1, 1, 0, 0, 0]);
  });
});

describe('an order that something is done with while it is given the first stock of a warehouse', () => {
  it('can be cancelled, and the stock is free again', async () => {
    const { place, variant, level } = await makeStocked(test.request, 1);
    const order = await makeOrder(test.request, {}, [[variant.id, 3]]);
    const other = await makePlace(test.request);
    const { warehouseId } = place;
    const { cancelling } = await test.database.transaction(async (transaction) => {
      await transaction.query(sql`
        select id from inventory_levels
        where organization_id = ${test.organizationId} and warehouse_id = ${warehouseId} for update`);
      const running = act(order.id, 'cancel');
      await sleep(200);
      await addStock(test.request, other, variant.id, 2);
      return { cancelling: running };
    });
    assert.deepEqual(line(await cancelling), [3, 0, 0, 0, 3]);
    assert.equal((await level()).committedQuantity, 0);
    assert.equal((await levelOf(test.request, other.warehouseId, variant)).availableQuantity, 2);
  });
});

describe('an order released beside stock that arrives', () => {
  it('does not wait for stock of a warehouse that had none when it looked', async () => {
    const variant = await makeVariant(test.request);
    for (let round = 0; round < 5; round += 1) {
      const place = await makePlace(test.request);
      const order = await makeOrder(test.request, { fulfillmentStatus: 'on-hold' }, [[variant.id, 1]]);
      await Promise.all([act(order.id, 'release'), addStock(test.request, place, variant.id, 1)]);
      assert.deepEqual(line(await read(order.id)), [1, 1, 0, 0, 0]);
    }
  });
});
