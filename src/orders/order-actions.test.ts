// What the actions on an order promise: update, cancel, hold, release, archive, restore.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeBundle,
  makeOrder,
  makePlace,
  makeStocked,
  makeVariant,
} from '../../test/support/factories.ts';
import { eventsOf, rowsOf } from '../../test/support/rows.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const act = (id: string, action: string, body?: unknown) =>
  test.request('POST', `/orders/${id}/${action}`, body);
const update = (id: string, body: unknown) => test.request('POST', `/orders/${id}`, body);
const read = async (id: string) => (await test.request('GET', `/orders/${id}`)).body.data;
const line = (order: { lineItems: Record<string, number>[] }, index = 0) => {
  const { quantity, quantityAllocated, quantityBackordered, quantityFulfilled, quantityCancelled } =
    order.lineItems[index]!;
  return [quantity, quantityAllocated, quantityBackordered, quantityFulfilled, quantityCancelled];
};

const stocked = (units: number, fields = {}) => makeStocked(test.request, units, fields);

async function refused(id: string, answer: Answer, code: string, before: unknown) {
  assert.equal(answer.status, 409, JSON.stringify(answer.body));
  assert.equal(answer.body.error.details.code, code);
  assert.deepEqual(await rowsOf(test.database, test.organizationId), before);
  return read(id);
}

describe('cancelOrder', () => {
  it('frees the allocation, which goes to the next waiting order', async () => {
    const { variant, level } = await stocked(5);
    const first = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const waiting = await makeOrder(test.request, {}, [[variant.id, 3]]);
    assert.deepEqual(line(waiting), [3, 0, 3, 0, 0]);
    const cancelled = await act(first.id, 'cancel', { reason: 'changed their mind' });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.ok(cancelled.body.data.cancelledAt);
    assert.equal(cancelled.body.data.cancelReason, 'changed their mind');
    assert.deepEqual(line(cancelled.body.data), [5, 0, 0, 0, 5]);
    assert.deepEqual(line(await read(waiting.id)), [3, 3, 0, 0, 0]);
    assert.equal((await level()).committedQuantity, 3);
  });

  it('409 for a second cancel, and nothing is written', async () => {
    const order = await makeOrder(test.request);
    await act(order.id, 'cancel');
    const before = await rowsOf(test.database, test.organizationId);
    await refused(order.id, await act(order.id, 'cancel'), 'invalid_transition', before);
  });

  it('409 once anything has left; `remaining` drops the rest and completes the order', async () => {
    const { variant, level } = await stocked(5);
    const order = await makeOrder(test.request, {}, [[variant.id, 8]]);
    await make(test.request, `/orders/${order.id}/fulfillments`, {
      lineItems: [{ lineItemId: order.lineItems[0].id, quantity: 2 }],
    });
    const before = await rowsOf(test.database, test.organizationId);
    await refused(order.id, await act(order.id, 'cancel'), 'invalid_transition', before);
    const completed = (await act(order.id, 'cancel', { remaining: true })).body.data;
    assert.equal(completed.fulfillmentStatus, 'fulfilled');
    assert.equal(completed.cancelledAt, null);
    assert.deepEqual(line(completed), [8, 0, 0, 2, 6]);
    assert.equal((await level()).committedQuantity, 0);
    assert.equal((await level()).availableQuantity, 3);
  });

  it('gives every component of a bundle back', async () => {
    const { place, variant, level } = await stocked(4);
    const other = await makeVariant(test.request);
    await addStock(test.request, place, other.id, 2);
    const bundle = await makeBundle(test.request, { [variant.id]: 2, [other.id]: 1 });
    const order = await makeOrder(test.request, {}, [[bundle.id, 2]]);
    assert.equal((await level()).availableQuantity, 0);
    await act(order.id, 'cancel');
    assert.equal((await level()).availableQuantity, 4);
    assert.equal((await levelOf(test.request, place.warehouseId, other)).availableQuantity, 2);
  });
});

describe('holdOrder and releaseOrder', () => {
  it('a hold keeps what the order has and takes no more; a release goes on and takes what is there', async () => {
    const { place, variant } = await stocked(2);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const held = (await act(order.id, 'hold', { reason: 'fraud-risk', note: 'ask the bank' })).body.data;
    assert.equal(held.fulfillmentStatus, 'on-hold');
    assert.equal(held.holdReason, 'fraud-risk');
    assert.deepEqual(line(held), [5, 2, 3, 0, 0]);
    await addStock(test.request, place, variant.id, 10);
    assert.deepEqual(line(await read(order.id)), [5, 2, 3, 0, 0]);
    const released = (await act(order.id, 'release')).body.data;
    assert.equal(released.fulfillmentStatus, 'open');
    assert.equal(released.holdReason, null);
    assert.deepEqual(line(released), [5, 5, 0, 0, 0]);
    assert.equal(released.readyToShip, true);
  });

  it('a release gives back the status before the hold', async () => {
    for (const fulfillmentStatus of ['scheduled', 'open', 'confirmed']) {
      const order = await makeOrder(test.request, { fulfillmentStatus });
      await act(order.id, 'hold');
      assert.equal((await act(order.id, 'release')).body.data.fulfillmentStatus, fulfillmentStatus);
    }
  });

  it('409 when it is on hold already, not on hold, cancelled or fulfilled', async () => {
    const held = await makeOrder(test.request, { fulfillmentStatus: 'on-hold' });
    const open = await makeOrder(test.request);
    const cancelled = await makeOrder(test.request);
    await act(cancelled.id, 'cancel');
    const done = await makeOrder(test.request, { fulfillmentStatus: 'fulfilled' });
    const before = await rowsOf(test.database, test.organizationId);
    await refused(held.id, await act(held.id, 'hold'), 'invalid_transition', before);
    await refused(open.id, await act(open.id, 'release'), 'invalid_transition', before);
    await refused(cancelled.id, await act(cancelled.id, 'hold'), 'invalid_transition', before);
    await refused(done.id, await act(done.id, 'hold'), 'invalid_transition', before);
  });
});

describe('archiveOrder and restoreOrder', () => {
  it('an archived order leaves the list and keeps all else; a repeat answers the same', async () => {
    const order = await makeOrder(test.request, { alias: 'to-archive' });
    const archived = (await act(order.id, 'archive')).body.data;
    assert.ok(archived.archivedAt);
    const listed = async (more: string) =>
      (await test.request('GET', `/orders?alias=to-archive${more}`)).body.totalCount;
    assert.equal(await listed(''), 0);
    assert.equal(await listed('&includeArchived=true'), 1);
    assert.equal((await act(order.id, 'archive')).body.data.archivedAt, archived.archivedAt);
    assert.equal((await act(order.id, 'restore')).body.data.archivedAt, null);
    assert.equal(await listed(''), 1);
  });
});

describe('updateOrder', () => {
  it('changes what the body names and leaves the rest', async () => {
    const order = await makeOrder(test.request, { alias: 'old', tags: ['a'], notes: ['first'] });
    const changed = await update(order.id, {
      alias: 'new',
      price: 12.5,
      tags: ['b'],
      notes: ['second'],
      removedNoteIds: [order.notes[0].id],
      shipToAddress: { city: 'Paris', country: 'fr' },
      targetDeliveryDate: '2026-12-24T00:00:00Z',
    });
    assert.equal(changed.status, 200, changed.text);
    const { data } = changed.body;
    assert.equal(data.alias, 'new');
    assert.equal(data.price, 12.5);
    assert.deepEqual(
      data.tags.map((tag: { name: string }) => tag.name),
      ['b'],
    );
    assert.deepEqual(
      data.notes.map((note: { content: string }) => note.content),
      ['second'],
    );
    assert.equal(data.shipToAddress.country, 'FR');
    assert.equal(data.orderDate, order.orderDate);
    const found = await test.request('GET', '/orders?search=new');
    assert.ok(found.body.data.some((one: { id: string }) => one.id === order.id));
  });

  it('412 for a stale If-Match', async () => {
    const order = await makeOrder(test.request);
    const first = await test.request('POST', `/orders/${order.id}`, { price: 1 }, { 'if-match': '"1"' });
    assert.equal(first.status, 200);
    const stale = await test.request('POST', `/orders/${order.id}`, { price: 2 }, { 'if-match': '"1"' });
    assert.equal(stale.status, 412);
  });

  it('a larger quantity takes more stock, a smaller one gives back, never below what has left', async () => {
    const { variant, level } = await stocked(10);
    const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
    const { id } = order.lineItems[0];
    assert.deepEqual(
      line((await update(order.id, { lineItems: [{ id, quantity: 12 }] })).body.data),
      [12, 10, 2, 0, 0],
    );
    assert.deepEqual(
      line((await update(order.id, { lineItems: [{ id, quantity: 11 }] })).body.data),
      [11, 10, 1, 0, 0],
    );
    assert.deepEqual(
      line((await update(order.id, { lineItems: [{ id, quantity: 6 }] })).body.data),
      [6, 6, 0, 0, 0],
    );
    assert.equal((await level()).committedQuantity, 6);
    await make(test.request, `/orders/${order.id}/fulfillments`, {
      lineItems: [{ lineItemId: id, quantity: 3 }],
    });
    const before = await rowsOf(test.database, test.organizationId);
    const below = await update(order.id, { lineItems: [{ id, quantity: 2 }] });
    await refused(order.id, below, 'quantity_exceeded', before);
    assert.deepEqual(
      line((await update(order.id, { lineItems: [{ id, quantity: 3 }] })).body.data),
      [3, 0, 0, 3, 0],
    );
  });

  it('voided and expired give the stock back; what is expired and then paid for takes it again', async () => {
    const { variant, level } = await stocked(3);
    const order = await makeOrder(test.request, {}, [[variant.id, 3]]);
    await update(order.id, { financialStatus: 'expired' });
    assert.equal((await level()).committedQuantity, 0);
    const back = (await update(order.id, { financialStatus: 'authorized' })).body.data;
    assert.deepEqual(line(back), [3, 3, 0, 0, 0]);
    assert.equal((await update(order.id, { financialStatus: 'voided' })).body.data.readyToShip, false);
    assert.equal((await level()).availableQuantity, 3);
  });

  it('a scheduled order takes stock when it becomes open', async () => {
    const { variant } = await stocked(3);
    const order = await makeOrder(test.request, { fulfillmentStatus: 'scheduled' }, [[variant.id, 3]]);
    const opened = (await update(order.id, { fulfillmentStatus: 'open' })).body.data;
    assert.deepEqual(line(opened), [3, 3, 0, 0, 0]);
  });

  it('another pin takes the stock elsewhere', async () => {
    const { variant, level } = await stocked(3);
    const far = await makePlace(test.request, { priority: 500 });
    await addStock(test.request, far, variant.id, 2);
    const order = await makeOrder(test.request, {}, [[variant.id, 3]]);
    const moved = (await update(order.id, { warehouseId: far.warehouseId })).body.data;
    assert.deepEqual(line(moved), [3, 2, 1, 0, 0]);
    assert.equal((await level()).committedQuantity, 0);
  });

  it('what an order cannot be while on hold says where it can go instead', async () => {
    const order = await makeOrder(test.request, { fulfillmentStatus: 'confirmed' });
    await make(test.request, `/orders/${order.id}/hold`);
    for (const action of ['hold', 'fulfillments']) {
      const answer = await test.request('POST', `/orders/${order.id}/${action}`, {});
      assert.deepEqual([answer.status, detailsOf(answer).allowed], [409, ['confirmed']]);
    }
    await make(test.request, `/orders/${order.id}/release`);
    const answer = await test.request('POST', `/orders/${order.id}/release`, {});
    assert.deepEqual(detailsOf(answer).allowed, ['open', 'on-hold']);
  });

  it('every move of both state tables is allowed, and every other is 409 with from, to and allowed', async () => {
    const financial: Record<string, string[]> = {
      pending: ['authorized', 'paid', 'partially-paid', 'voided', 'expired'],
      authorized: ['paid', 'partially-paid', 'voided', 'expired'],
      'partially-paid': ['paid', 'partially-refunded', 'refunded', 'voided'],
      paid: ['partially-refunded', 'refunded'],
      'partially-refunded': ['refunded'],
      refunded: [],
      expired: ['pending', 'authorized', 'voided'],
      voided: [],
    };
    for (const [from, allowed] of Object.entries(financial)) {
      for (const to of Object.keys(financial)) {
        const order = await makeOrder(test.request, { financialStatus: from });
        const answer = await update(order.id, { financialStatus: to });
        if (from === to || allowed.includes(to)) assert.equal(answer.body.data.financialStatus, to);
        else assert.deepEqual(detailsOf(answer), { code: 'invalid_transition', from, to, allowed });
      }
    }
    const fulfillment: Record<string, string[]> = {
      scheduled: ['open', 'confirmed', 'on-hold'],
      open: ['scheduled', 'confirmed', 'on-hold'],
      confirmed: ['open', 'on-hold'],
      'on-hold': ['open'],
      'partially-fulfilled': ['on-hold'],
      fulfilled: [],
    };
    for (const [from, allowed] of Object.entries(fulfillment)) {
      for (const to of Object.keys(fulfillment)) {
        const order = await makeOrder(test.request, { fulfillmentStatus: from });
        const answer = await update(order.id, { fulfillmentStatus: to });
        if (from === to || allowed.includes(to)) assert.equal(answer.body.data.fulfillmentStatus, to);
        else assert.deepEqual(detailsOf(answer), { code: 'invalid_transition', from, to, allowed });
      }
    }
  });

  it('400 naming every unknown record', async () => {
    const order = await makeOrder(test.request);
    const none = '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90';
    const answer = await update(order.id, {
      customerId: none,
      warehouseId: none,
      removedNoteIds: [none],
      lineItems: [{ id: none, quantity: 1 }],
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.details.issues.length, 4);
  });
});

describe('events of orders', () => {
  it('each action writes its own', async () => {
    const other = await test.makeOrganization();
    const order = await makeOrder(other.request);
    for (const action of ['hold', 'release', 'archive', 'restore', 'cancel']) {
      await make(other.request, `/orders/${order.id}/${action}`);
    }
    assert.deepEqual(await eventsOf(test.database, other.id), [
      'order.created',
      'order.held',
      'order.released',
      'order.archived',
      'order.updated',
      'order.cancelled',
    ]);
  });
});

function detailsOf(answer: { body: { error: { details: Record<string, unknown> } } }) {
  const { requestId: _, ...details } = answer.body.error.details;
  return details;
}
