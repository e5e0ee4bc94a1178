// What fulfilling an order, and taking a fulfilment back, promise.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  make,
  makeBundle,
  makeLocation,
  makeOrder,
  makePlace,
  makeStocked,
  makeVariant,
  type Place,
} from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const fulfill = (id: string, body: unknown = {}) => test.request('POST', `/orders/${id}/fulfillments`, body);
const read = async (id: string) => (await test.request('GET', `/orders/${id}`)).body.data;

const stocked = (units: number, fields = {}) => makeStocked(test.request, units, fields);

async function refused(answer: Answer, status: number, code: string, before: unknown) {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.error.details.code, code);
  assert.deepEqual(await rowsOf(test.database, test.organizationId), before);
}

describe('createFulfillment', () => {
  it('takes all that is allocated, from the bins, and completes the order and its tasks', async () => {
    const { place, variant, level } = await stocked(10);
    const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
    const answer = await fulfill(order.id, { trackingCode: 'TRACK-77', carrierCode: 'ups' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.object, 'fulfillment');
    const { data } = answer.body;
    assert.equal(data.warehouseId, place.warehouseId);
    assert.deepEqual(
      data.picks.map((pick: Record<string, unknown>) => [pick['warehouseLocationId'], pick['quantity']]),
      [[place.warehouseLocationId, 4]],
    );
    const after = await read(order.id);
    assert.equal(after.fulfillmentStatus, 'fulfilled');
    assert.equal(after.lineItems[0].quantityFulfilled, 4);
    assert.ok(after.tasks.every((task: { completedAt: string | null }) => task.completedAt !== null));
    assert.equal((await level()).onHandQuantity, 6);
    assert.equal((await level()).committedQuantity, 0);
    const found = await test.request('GET', '/orders?search=track-77');
    assert.equal(found.body.data[0].id, order.id);
  });

  it('a part makes the order partially-fulfilled; what is left can follow', async () => {
    const { variant } = await stocked(10);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const lineItemId = order.lineItems[0].id;
    await make(test.request, `/orders/${order.id}/fulfillments`, {
      lineItems: [{ lineItemId, quantity: 2 }],
    });
    assert.equal((await read(order.id)).fulfillmentStatus, 'partially-fulfilled');
    await make(test.request, `/orders/${order.id}/fulfillments`);
    assert.equal((await read(order.id)).fulfillmentStatus, 'fulfilled');
  });

  for (const [strategy, expected] of [
    ['FIFO', 'first'],
    ['LIFO', 'last'],
    ['FEFO', 'soonest'],
  ] as const) {
    it(`${strategy} picks the ${expected} lot, and an expired one never`, async () => {
      const { place, variant } = await stocked(0, { inventoryAllocationStrategy: strategy });
      const put = (lotNumber: string, expirationDate: string) =>
        addStock(test.request, place, variant.id, 5, { lotNumber, expirationDate });
      await put('first', '2199-03-01T00:00:00Z');
      await put('expired', '2020-01-01T00:00:00Z');
      await put('soonest', '2199-01-01T00:00:00Z');
      await put('last', '2199-02-01T00:00:00Z');
      const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
      const fulfillment = await make(test.request, `/orders/${order.id}/fulfillments`);
      assert.deepEqual(
        fulfillment.picks.map((pick: { lotNumber: string }) => pick.lotNumber),
        [expected],
      );
    });
  }

  it('takes what was really picked, and refuses picks that do not add up', async () => {
    const { place, variant } = await stocked(5);
    const bin = await makeLocation(test.request, place.warehouseId);
    await addStock(test.request, { ...place, warehouseLocationId: bin.id }, variant.id, 5);
    const order = await makeOrder(test.request, {}, [[variant.id, 3]]);
    const lineItemId = order.lineItems[0].id;
    const picked = (quantity: number) =>
      fulfill(order.id, {
        lineItems: [{ lineItemId, quantity: 3, picks: [{ warehouseLocationId: bin.id, quantity }] }],
      });
    const before = await rowsOf(test.database, test.organizationId);
    await refused(await picked(2), 400, 'invalid_parameters', before);
    const done = await picked(3);
    assert.equal(done.status, 200, done.text);
    assert.equal(done.body.data.picks[0].warehouseLocationId, bin.id);
  });

  describe('of a line that holds units in two warehouses', () => {
    async function split(fields: Record<string, unknown> = {}, [near, far] = [2, 2]) {
      const first = await makePlace(test.request, { priority: 1 });
      const second = await makePlace(test.request, { priority: 2 });
      const variant = await makeVariant(test.request, fields);
      if (near > 0) await addStock(test.request, first, variant.id, near);
      await addStock(test.request, second, variant.id, far);
      const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
      assert.equal(order.lineItems[0].quantityAllocated, 4);
      const ask = (
        quantity: number,
        picks?: [{ warehouseLocationId: string }, number][],
        more: object = {},
      ) => {
        const picked = picks?.map(([{ warehouseLocationId }, units]) => ({
          warehouseLocationId,
          quantity: units,
        }));
        const line = { lineItemId: order.lineItems[0].id, quantity, ...(picked && { picks: picked }) };
        return fulfill(order.id, { lineItems: [line], ...more });
      };
      return { first, second, variant, ask };
    }
    const pickedFrom = (answer: Answer) => {
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.picks.map((pick: { warehouseLocationId: string; quantity: number }) => [
        pick.warehouseLocationId,
        pick.quantity,
      ]);
    };

    it('takes what was really picked, in either of them or in both', async () => {
      const one = await split();
      assert.deepEqual(pickedFrom(await one.ask(2, [[one.second, 2]])), [
        [one.second.warehouseLocationId, 2],
      ]);
      const both = await split();
      const { first, second } = both;
      const picks = pickedFrom(
        await both.ask(3, [
          [second, 2],
          [first, 1],
        ]),
      );
      assert.deepEqual(
        new Map(picks),
        new Map([
          [first.warehouseLocationId, 1],
          [second.warehouseLocationId, 2],
        ]),
      );
      const last = await both.ask(1);
      assert.deepEqual(pickedFrom(last), [[first.warehouseLocationId, 1]]);
      const { data } = (await test.request('GET', '/inventory/verify')).body;
      assert.deepEqual(data.differences, []);
    });

    it('409 where more was picked than it holds there, elsewhere than the warehouse that is named, or nowhere', async () => {
      const { first, second, ask } = await split();
      const before = await rowsOf(test.database, test.organizationId);
      const elsewhere = await makePlace(test.request);
      const stored = await rowsOf(test.database, test.organizationId);
      assert.notDeepEqual(stored, before);
      for (const answer of [
        await ask(3, [[first, 3]]),
        await ask(2, [[second, 2]], { warehouseId: first.warehouseId }),
        await ask(1, [[elsewhere, 1]]),
        await ask(1, [[{ warehouseLocationId: newId() }, 1]]),
      ]) {
        await refused(answer, 409, 'insufficient_stock', stored);
      }
    });

    it('takes from the one that has the units where neither is named', async () => {
      const { second, ask } = await split({ inventoryPolicy: 'continue' }, [0, 1]);
      assert.deepEqual(pickedFrom(await ask(1)), [[second.warehouseLocationId, 1]]);
      assert.equal((await ask(1)).status, 409);
    });

    it('of a bundle takes whole bundles from each, and 400 for one that was picked in both', async () => {
      const [first, second] = [await makePlace(test.request), await makePlace(test.request)];
      const [a, b] = [await makeVariant(test.request), await makeVariant(test.request)];
      for (const place of [first, second]) {
        await addStock(test.request, place, a.id, 1);
        await addStock(test.request, place, b.id, 2);
      }
      const bundle = await makeBundle(test.request, { [a.id]: 1, [b.id]: 2 });
      const order = await makeOrder(test.request, {}, [[bundle.id, 2]]);
      const ask = (quantity: number, picks: [{ id: string }, Place, number][]) => {
        const picked = picks.map(([{ id }, { warehouseLocationId }, units]) => {
          return { productVariantId: id, warehouseLocationId, quantity: units };
        });
        return fulfill(order.id, {
          lineItems: [{ lineItemId: order.lineItems[0].id, quantity, picks: picked }],
        });
      };
      const before = await rowsOf(test.database, test.organizationId);
      const torn = await ask(1, [
        [a, first, 1],
        [b, second, 2],
      ]);
      await refused(torn, 400, 'invalid_parameters', before);
      assert.equal(torn.body.error.details.issues[0].path, '/lineItems/0/picks');
      const whole = await ask(2, [
        [b, second, 2],
        [a, second, 1],
        [a, first, 1],
        [b, first, 2],
      ]);
      assert.equal(pickedFrom(whole).length, 4);
    });
  });

  it('409 quantity_exceeded above what is open, insufficient_stock above what is allocated', async () => {
    const { variant } = await stocked(2);
    const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
    const lineItemId = order.lineItems[0].id;
    const before = await rowsOf(test.database, test.organizationId);
    const ask = (quantity: number) => fulfill(order.id, { lineItems: [{ lineItemId, quantity }] });
    await refused(await ask(5), 409, 'quantity_exceeded', before);
    await refused(await ask(3), 409, 'insufficient_stock', before);
  });

  it('409 when nothing is allocated, on hold, scheduled, cancelled or fulfilled already', async () => {
    const { variant } = await stocked(1);
    const waiting = await makeOrder(test.request, { fulfillmentStatus: 'scheduled' }, [[variant.id, 1]]);
    const held = await makeOrder(test.request, {}, [[variant.id, 1]]);
    await make(test.request, `/orders/${held.id}/hold`);
    const cancelled = await makeOrder(test.request, {}, [[variant.id, 1]]);
    await make(test.request, `/orders/${cancelled.id}/cancel`);
    const backordered = await makeOrder(test.request, {}, [[variant.id, 1]]);
    const before = await rowsOf(test.database, test.organizationId);
    await refused(await fulfill(waiting.id), 409, 'invalid_transition', before);
    await refused(await fulfill(held.id), 409, 'invalid_transition', before);
    await refused(await fulfill(cancelled.id), 409, 'invalid_transition', before);
    await refused(await fulfill(backordered.id), 409, 'insufficient_stock', before);
  });

  it('units that may be oversold are allocated, but leave only when they are there', async () => {
    const { place, variant } = await stocked(1, { inventoryPolicy: 'continue' });
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[variant.id, 3]]);
    assert.equal(order.lineItems[0].quantityAllocated, 3);
    const before = await rowsOf(test.database, test.organizationId);
    await refused(await fulfill(order.id), 409, 'insufficient_stock', before);
    await addStock(test.request, place, variant.id, 2);
    assert.equal((await fulfill(order.id)).status, 200);
  });

  it('lines that are not shipped are fulfilled with the last line that is', async () => {
    const { variant } = await stocked(2);
    const service = await makeVariant(test.request, { tracksInventory: false, requiresShipping: false });
    const order = await makeOrder(test.request, {}, [
      [variant.id, 2],
      [service.id, 1],
    ]);
    const lineItemId = order.lineItems[0].id;
    await make(test.request, `/orders/${order.id}/fulfillments`, {
      lineItems: [{ lineItemId, quantity: 1 }],
    });
    assert.equal((await read(order.id)).lineItems[1].quantityFulfilled, 0);
    await make(test.request, `/orders/${order.id}/fulfillments`, {
      lineItems: [{ lineItemId, quantity: 1 }],
    });
    const done = await read(order.id);
    assert.equal(done.lineItems[1].quantityFulfilled, 1);
    assert.equal(done.fulfillmentStatus, 'fulfilled');
  });

  it('and not before it, where all that is allocated leaves and the others still wait', async () => {
    const { place, variant } = await stocked(1);
    const service = await makeVariant(test.request, { requiresShipping: false });
    await addStock(test.request, place, service.id, 2);
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [
      [variant.id, 2],
      [service.id, 2],
    ]);
    const left = async () =>
      (await read(order.id)).lineItems.map((line: Record<string, number>) => line['quantityFulfilled']);
    await make(test.request, `/orders/${order.id}/fulfillments`);
    assert.deepEqual(await left(), [1, 0]);
    const before = await rowsOf(test.database, test.organizationId);
    await refused(await fulfill(order.id), 409, 'insufficient_stock', before);
    await addStock(test.request, place, variant.id, 1);
    await make(test.request, `/orders/${order.id}/fulfillments`);
    assert.deepEqual(await left(), [2, 2]);
    const alone = await makeOrder(test.request, {}, [[service.id, 1]]);
    await addStock(test.request, place, service.id, 1);
    await make(test.request, `/orders/${alone.id}/fulfillments`);
    assert.equal((await read(alone.id)).fulfillmentStatus, 'fulfilled');
  });

  it('a bundle leaves as its components', async () => {
    const { place, variant, level } = await stocked(6);
    const bundle = await makeBundle(test.request, { [variant.id]: 3 });
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[bundle.id, 2]]);
    await make(test.request, `/orders/${order.id}/fulfillments`);
    assert.equal((await level()).onHandQuantity, 0);
    assert.equal((await level()).committedQuantity, 0);
  });

  it('20 clients at once ship an order once', async () => {
    const { variant, level } = await stocked(5);
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fulfill(order.id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    assert.equal((await level()).onHandQuantity, 0);
  });

  it('costs the same number of statements for 1 and for 200 lines', async () => {
    const place = await makePlace(test.request);
    const variants = await Promise.all(Array.from({ length: 200 }, () => makeVariant(test.request)));
    for (const variant of variants) await addStock(test.request, place, variant.id, 5);
    const cost = async (count: number) => {
      const lines = variants.slice(0, count).map((variant): [string, number] => [variant.id, 1]);
      const order = await makeOrder(test.request, {}, lines);
      return (await test.statements(() => make(test.request, `/orders/${order.id}/fulfillments`))).length;
    };
    assert.equal(await cost(200), await cost(1));
  });
});

describe('cancelFulfillment', () => {
  it('puts stock and allocation back, bin by bin, and the order is what it was', async () => {
    const { place, variant, level } = await stocked(5);
    const order = await makeOrder(test.request, { fulfillmentStatus: 'confirmed' }, [[variant.id, 5]]);
    const fulfillment = await make(test.request, `/orders/${order.id}/fulfillments`);
    const cancelled = await make(test.request, `/orders/${order.id}/fulfillments/${fulfillment.id}/cancel`);
    assert.ok(cancelled.cancelledAt);
    const after = await read(order.id);
    assert.equal(after.fulfillmentStatus, 'confirmed');
    assert.equal(after.lineItems[0].quantityAllocated, 5);
    assert.equal(after.lineItems[0].quantityFulfilled, 0);
    assert.ok(after.tasks.every((task: { completedAt: string | null }) => task.completedAt === null));
    assert.equal((await level()).onHandQuantity, 5);
    assert.equal((await level()).committedQuantity, 5);
    const [sum] = await test.database.query<{ units: number }>(sql`
      select sum(quantity)::int as units from inventory_movements
      where organization_id = ${test.organizationId} and product_variant_id = ${variant.id}
        and coalesce(to_warehouse_location_id, from_warehouse_location_id) = ${place.warehouseLocationId}`);
    assert.equal(sum!.units, 5);
    assert.equal((await fulfill(order.id)).status, 200);
  });

  it('409 for a second cancel; 404 for one of another order', async () => {
    const { variant } = await stocked(1);
    const order = await makeOrder(test.request, {}, [[variant.id, 1]]);
    const other = await makeOrder(test.request);
    const { id } = await make(test.request, `/orders/${order.id}/fulfillments`);
    const cancel = (orderId: string) => test.request('POST', `/orders/${orderId}/fulfillments/${id}/cancel`);
    assert.equal((await cancel(other.id)).status, 404);
    assert.equal((await cancel(order.id)).status, 200);
    const before = await rowsOf(test.database, test.organizationId);
    await refused(await cancel(order.id), 409, 'invalid_transition', before);
  });
});

describe('getOrderAllocations', () => {
  it('names the warehouse and the bins in the order of a walk, and explains what was not taken', async () => {
    const { place, variant } = await stocked(0);
    const bins = [];
    for (const sequence of [30, 10, 20]) {
      const bin = await makeLocation(test.request, place.warehouseId, { sequence });
      await addStock(test.request, { ...place, warehouseLocationId: bin.id }, variant.id, 1);
      bins.push(bin);
    }
    const order = await makeOrder(test.request, { warehouseId: place.warehouseId }, [[variant.id, 2]]);
    const answer = await test.request('GET', `/orders/${order.id}/allocations?explain=true`);
    assert.equal(answer.status, 200, answer.text);
    const [allocation] = answer.body.data;
    assert.equal(allocation.quantity, 2);
    assert.deepEqual(
      allocation.bins.map((bin: { sequence: number }) => bin.sequence),
      [10, 20, 30],
    );
    const reasons = answer.body.explanation[0].warehouses.map(
      (one: { warehouseId: string; reason: string }) => [one.warehouseId === place.warehouseId, one.reason],
    );
    assert.ok(reasons.some(([own, reason]: [boolean, string]) => own && reason === 'available'));
    assert.ok(reasons.every(([own, reason]: [boolean, string]) => own || reason === 'pinned-elsewhere'));
  });
});
