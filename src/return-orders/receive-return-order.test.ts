// What receiving units of a return order promises.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { makeBundle, makeOrder, makeVariant } from '../../test/support/factories.ts';
import { returnsOf } from '../../test/support/returns.ts';
import { sql } from '../database/connect.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { receive, warehouse, returned, blind, figures, refused } = returnsOf(() => test);

describe('receiveReturnOrder', () => {
  it('200: split by disposition, stock comes in where it belongs, and the history is kept', async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request);
    const { returnOrder, lines } = await returned([[variant.id, 10]]);
    const came = (quantity: number, disposition: string, warehouseLocationId?: string) => ({
      lineItemId: lines[0].id,
      quantity,
      disposition,
      ...(warehouseLocationId && { warehouseLocationId }),
    });
    const answer = await receive(returnOrder.id, [
      came(3, 'restock', place.bin),
      came(2, 'restock', place.returns),
      came(2, 'damaged', place.damaged),
      came(1, 'quality-control', place.qc),
      came(1, 'discard'),
    ]);
    assert.equal(answer.status, 200, answer.text);
    const { status, lineItems } = answer.body.data;
    assert.equal(status, 'requested');
    assert.deepEqual([lineItems[0].quantityReceived, lineItems[0].disposition], [9, null]);
    const summed = lineItems[0].dispositions.map((row: Json) => [
      row.disposition,
      row.quantity,
      row.warehouseLocationId,
    ]);
    assert.deepEqual(
      new Set(summed.map(String)),
      new Set([
        `restock,3,${place.bin}`,
        `restock,2,${place.returns}`,
        `damaged,2,${place.damaged}`,
        `quality-control,1,${place.qc}`,
        'discard,1,',
      ]),
    );
    // Two of the ten wait for stock again: what can be sold of it is allocated to the order at once.
    const [onHand, , reserved, damaged, qc] = (await figures(place.id, variant))!;
    assert.deepEqual([onHand, reserved, damaged, qc], [8, 2, 2, 1]);
    const ledger = await test.request('GET', `/inventory/movements?referenceId=${returnOrder.id}`);
    assert.deepEqual(
      ledger.body.data.map((row: Json) => [row.reason, row.referenceType, row.quantity]).sort(),
      [1, 2, 2, 3].map((quantity) => ['return', 'return-order', quantity]),
    );
    const rest = await receive(returnOrder.id, [came(1, 'restock', place.bin)]);
    assert.equal(rest.body.data.status, 'received');
    assert.ok(rest.body.data.lineItems[0].dispositions.some((row: Json) => row.quantity === 4));
  });

  it('units come in under the lot and the expiry that are named, so that expired ones are not sold again', async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request);
    const { returnOrder, lines } = await returned([[variant.id, 5]]);
    const restocked = { lineItemId: lines[0].id, disposition: 'restock', warehouseLocationId: place.bin };
    const past = '2020-01-01T00:00:00.000Z';
    const future = '2090-01-01T00:00:00.000Z';
    await test.request('POST', `/orders/${returnOrder.orderId}/hold`);
    const answer = await receive(returnOrder.id, [
      { ...restocked, quantity: 2, lotNumber: 'L1', expirationDate: past },
      { ...restocked, quantity: 1, lotNumber: 'L2', expirationDate: future },
      { ...restocked, quantity: 1, lotNumber: null, expirationDate: null },
    ]);
    assert.equal(answer.status, 200, answer.text);
    const { body } = await test.request(
      'GET',
      `/inventory/locations?productVariantIdentifier=${variant.id}&warehouseId=${place.id}`,
    );
    assert.deepEqual(
      new Set(body.data.map((row: Json) => `${row.lotNumber} ${row.expirationDate} ${row.quantity}`)),
      new Set([`L1 ${past} 2`, `L2 ${future} 1`, 'null null 1']),
    );
    const [onHand, available, reserved] = (await figures(place.id, variant))!;
    assert.deepEqual([onHand, available, reserved], [4, 2, 2]);
  });

  it('400 for a lot of a bundle, whose components have their own, and nothing is written', async () => {
    const place = await warehouse();
    const [a, b] = [await makeVariant(test.request), await makeVariant(test.request)];
    const bundle = await makeBundle(test.request, { [a.id]: 1, [b.id]: 1 });
    const { returnOrder, lines } = await returned([
      [bundle.id, 1],
      [a.id, 1],
    ]);
    const line = { quantity: 1, disposition: 'restock', warehouseLocationId: place.bin, lotNumber: 'L1' };
    const details = await refused(400, () =>
      receive(returnOrder.id, [
        { ...line, lineItemId: lines[0].id },
        { ...line, lineItemId: lines[1].id },
      ]),
    );
    assert.deepEqual(
      details.issues.map(({ path, code }: Json) => [path, code]),
      [['/lineItems/0/lotNumber', 'not_allowed']],
    );
    const unexpected = await blind();
    const named = {
      ...line,
      productVariantId: bundle.id,
      lotNumber: null,
      expirationDate: '2090-01-01T00:00:00Z',
    };
    const blindDetails = await refused(400, () => receive(unexpected.id, [named]));
    assert.equal(blindDetails.issues[0].path, '/lineItems/0/expirationDate');
  });

  it('one disposition of all units is that of the line', async () => {
    const variant = await makeVariant(test.request);
    const { returnOrder, lines } = await returned([[variant.id, 2]]);
    const line = { lineItemId: lines[0].id, quantity: 1, disposition: 'discard' };
    const first = await receive(returnOrder.id, [line]);
    assert.equal(first.body.data.lineItems[0].disposition, 'discard');
    const second = await receive(returnOrder.id, [line]);
    assert.deepEqual(second.body.data.lineItems[0].dispositions, [
      { disposition: 'discard', quantity: 2, warehouseLocationId: null },
    ]);
    assert.equal(second.body.data.status, 'received');
  });

  it('each receipt leaves return_order.received with what was before, and order.updated', async () => {
    const variant = await makeVariant(test.request, { tracksInventory: false });
    const { order, returnOrder, lines } = await returned([[variant.id, 2]]);
    const line = { lineItemId: lines[0].id, quantity: 1, disposition: 'discard' };
    const previous = (await test.request('GET', `/orders/${order.id}`)).body.data;
    const { body } = await receive(returnOrder.id, [line]);
    const events = await test.database.query<{ type: string; objectId: string; data: Json }>(sql`
      select type, object_id as "objectId", data from events where organization_id = ${test.organizationId}
      order by created_at, id`);
    const [updated, received] = events.slice(-2);
    assert.deepEqual([updated!.type, updated!.objectId], ['order.updated', order.id]);
    assert.deepEqual(updated!.data.previous, previous);
    assert.deepEqual(updated!.data.object, (await test.request('GET', `/orders/${order.id}`)).body.data);
    assert.deepEqual([received!.type, received!.objectId], ['return_order.received', returnOrder.id]);
    assert.deepEqual(received!.data, { object: body.data, previous: returnOrder });
  });

  it('what can be sold again fills backorders, and the orders tell of it', async () => {
    const { bin } = await warehouse();
    const variant = await makeVariant(test.request);
    const waiting = await makeOrder(test.request, {}, [[variant.id, 2]]);
    assert.equal(waiting.lineItems[0].quantityBackordered, 2);
    const { id } = await blind();
    const line = {
      productVariantId: variant.id,
      quantity: 3,
      disposition: 'restock',
      warehouseLocationId: bin,
    };
    assert.equal((await receive(id, [line])).status, 200);
    const [filled] = (await test.request('GET', `/orders/${waiting.id}`)).body.data.lineItems;
    assert.deepEqual([filled.quantityAllocated, filled.quantityBackordered], [2, 0]);
  });

  it('a return of an order that itself waits for stock fills that order', async () => {
    const { bin } = await warehouse();
    const variant = await makeVariant(test.request);
    const { order, returnOrder, lines } = await returned([[variant.id, 2]]);
    const answer = await receive(returnOrder.id, [
      { lineItemId: lines[0].id, quantity: 1, disposition: 'restock', warehouseLocationId: bin },
    ]);
    assert.equal(answer.status, 200, answer.text);
    const read = (await test.request('GET', `/orders/${order.id}`)).body.data;
    assert.equal(read.lineItems[0].quantityAllocated, 1);
  });

  it('a bundle comes back as the components that its order took', async () => {
    const place = await warehouse();
    const [cup, saucer] = [await makeVariant(test.request), await makeVariant(test.request)];
    const card = await makeVariant(test.request, { tracksInventory: false });
    const set = await makeBundle(test.request, { [cup.id]: 2, [saucer.id]: 1, [card.id]: 1 });
    const { returnOrder, lines } = await returned([[set.id, 3]]);
    // The order waits for stock, so what comes back is allocated to it; on hand is what counts here.
    const answer = await receive(returnOrder.id, [
      { lineItemId: lines[0].id, quantity: 3, disposition: 'damaged', warehouseLocationId: place.damaged },
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.status, 'received');
    assert.deepEqual(await figures(place.id, cup), [6, 0, 0, 6, 0]);
    assert.deepEqual(await figures(place.id, saucer), [3, 0, 0, 3, 0]);
    assert.equal(await figures(place.id, card), undefined);
  });

  it('a blind bundle comes back as the components that it has now', async () => {
    const place = await warehouse();
    const cup = await makeVariant(test.request);
    const set = await makeBundle(test.request, { [cup.id]: 2 });
    for (const lineItems of [[{ productVariantId: set.id, quantity: 1 }], []]) {
      const { id } = await blind(lineItems);
      const line = { productVariantSku: set.sku, quantity: 1, disposition: 'restock' };
      const answer = await receive(id, [{ ...line, warehouseLocationId: place.bin }]);
      assert.equal(answer.status, 200, answer.text);
    }
    assert.deepEqual(await figures(place.id, cup), [4, 4, 0, 0, 0]);
  });

  it('a variant that does not track inventory comes back without stock', async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request, { tracksInventory: false });
    const { returnOrder, lines } = await returned([[variant.id, 1]]);
    const answer = await receive(returnOrder.id, [
      { lineItemId: lines[0].id, quantity: 1, disposition: 'restock', warehouseLocationId: place.bin },
    ]);
    assert.equal(answer.body.data.status, 'received', answer.text);
    assert.equal(await figures(place.id, variant), undefined);
  });

  it("damaged units and those for quality control go to the warehouse's own locations when none is named", async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request);
    const lines = [
      { productVariantId: variant.id, quantity: 2, disposition: 'damaged' },
      { productVariantId: variant.id, quantity: 1, disposition: 'quality-control' },
    ];
    const named = await receive((await blind()).id, lines, { warehouseId: place.id.toUpperCase() });
    assert.equal(named.status, 200, named.text);
    assert.deepEqual(await figures(place.id, variant), [3, 0, 0, 2, 1]);
    const restock = { productVariantId: variant.id, quantity: 1, disposition: 'restock' };
    const beside = await receive((await blind()).id, [
      ...lines,
      { ...restock, warehouseLocationId: place.bin },
    ]);
    assert.equal(beside.status, 200, beside.text);
    assert.deepEqual(await figures(place.id, variant), [7, 1, 0, 4, 2]);
    const nowhere = await blind();
    const details = await refused(400, () => receive(nowhere.id, lines));
    assert.deepEqual(
      details.issues.map(({ path, code }: Json) => [path, code]),
      [0, 1].map((index) => [`/lineItems/${index}/warehouseLocationId`, 'required']),
    );
  });

  it('blind: what nobody expected becomes a line, what was expected counts first', async () => {
    const place = await warehouse();
    const [known, surprise] = [await makeVariant(test.request), await makeVariant(test.request)];
    const { id } = await blind([{ productVariantId: known.id, quantity: 2 }]);
    const restock = { disposition: 'restock', warehouseLocationId: place.bin };
    const first = await receive(id, [
      { productVariantSku: known.sku, quantity: 1, ...restock },
      { productVariantSku: surprise.sku, quantity: 1, disposition: 'discard' },
      { productVariantId: surprise.id, quantity: 2, ...restock },
    ]);
    assert.equal(first.status, 200, first.text);
    const shown = ({ body }: { body: Json }) =>
      body.data.lineItems.map((line: Json) => [line.productVariant.id, line.quantity, line.quantityReceived]);
    assert.equal(first.body.data.status, 'requested');
    assert.deepEqual(shown(first), [
      [known.id, 2, 1],
      [surprise.id, 3, 3],
    ]);
    const second = await receive(id, [{ productVariantSku: known.sku, quantity: 4, ...restock }]);
    assert.equal(second.body.data.status, 'received');
    assert.deepEqual(shown(second), [
      [known.id, 2, 2],
      [surprise.id, 3, 3],
      [known.id, 3, 3],
    ]);
    assert.deepEqual(await figures(place.id, known), [5, 5, 0, 0, 0]);
    assert.deepEqual(await figures(place.id, surprise), [2, 2, 0, 0, 0]);
    const late = await receive(id, [{ productVariantSku: surprise.sku, quantity: 1, ...restock }]);
    assert.deepEqual([late.status, late.body.data.status], [200, 'received']);
    const unknown = () => receive(id, [{ productVariantSku: 'nobody has this', quantity: 1, ...restock }]);
    assert.equal((await refused(400, unknown)).code, 'variant_not_found');
    const { lineItems } = late.body.data;
    const exact = () => receive(id, [{ lineItemId: lineItems[0].id, quantity: 1, ...restock }]);
    assert.equal((await refused(409, exact)).code, 'quantity_exceeded');
  });
});
