// What opening a return order promises, by itself or together with its order.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeOrder, makeProduct, makeVariant, unique } from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const create = (body: unknown, headers?: Record<string, string>) =>
  test.request('POST', '/return-orders', body, headers);

async function orderOf(...quantities: number[]) {
  const { variants } = await makeProduct(
    test.request,
    {},
    quantities.map(() => ({})),
  );
  const lines = quantities.map((quantity, n): [string, number] => [variants[n].id, quantity]);
  const order = await makeOrder(test.request, {}, lines);
  return { order, variants, lines: order.lineItems };
}

async function stored() {
  const { name_counters: _, ...rows } = await rowsOf(test.database, test.organizationId);
  return rows;
}

const events = async (objectId: string) => {
  const rows = await test.database.query<{ type: string; data: { object: unknown; previous: unknown } }>(sql`
    select type, data from events where organization_id = ${test.organizationId} and object_id = ${objectId}
    order by created_at, id`);
  return rows;
};

describe('createReturnOrder', () => {
  it('200 with the return order, which GET answers the same', async () => {
    const { order, lines } = await orderOf(3);
    const label = { carrierCode: 'ups', serviceCode: 'ground' };
    const answer = await create({
      orderId: order.id.toUpperCase(),
      reason: 'Too small',
      label,
      metadata: { ticket: '17' },
      lineItems: [{ lineItemId: lines[0].id.toUpperCase(), quantity: 2 }],
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.object, 'return-order');
    const { id, lineItems, createdAt, updatedAt, ...rest } = answer.body.data;
    assert.deepEqual(rest, {
      organizationId: test.organizationId,
      name: rest.name,
      orderId: order.id,
      order: { id: order.id, name: order.name },
      status: 'requested',
      reason: 'Too small',
      shipment: null,
      label: { ...label, labelFormat: 'pdf' },
      labelFailure: null,
      metadata: { ticket: '17' },
    });
    assert.match(rest.name, /^RET-\d{4,}$/);
    assert.equal(createdAt, updatedAt);
    const { productVariant } = lines[0];
    const { title, sku, product } = productVariant;
    assert.deepEqual(lineItems, [
      {
        id: lineItems[0].id,
        orderLineItemId: lines[0].id,
        quantity: 2,
        quantityReceived: 0,
        disposition: null,
        dispositions: [],
        productVariant: { id: productVariant.id, title, sku, product },
      },
    ]);
    const read = await test.request('GET', `/return-orders/${id}`);
    assert.equal(read.text, answer.text);
    assert.equal(read.headers['etag'], answer.headers['etag']);
  });

  it('leaves return_order.created, and order.updated for the order that shows it now', async () => {
    const { order, lines } = await orderOf(1);
    const { id } = await make(test.request, '/return-orders', {
      orderId: order.id,
      lineItems: [{ lineItemId: lines[0].id, quantity: 1 }],
    });
    const [created] = await events(id);
    assert.equal(created!.type, 'return_order.created');
    assert.deepEqual(created!.data.object, (await test.request('GET', `/return-orders/${id}`)).body.data);
    const [, updated] = await events(order.id);
    assert.equal(updated!.type, 'order.updated');
    const read = await test.request('GET', `/orders/${order.id}`);
    assert.deepEqual(updated!.data, { object: read.body.data, previous: order });
    assert.deepEqual(
      read.body.data.returnOrders.map((shown: { id: string }) => shown.id),
      [id],
    );
    assert.equal(read.headers['etag'], '"2"');
  });

  it('a prefix of its own, and numbers that count up', async () => {
    const names = [];
    for (const name of ['BACK-', 'BACK-', null, undefined]) {
      names.push((await make(test.request, '/return-orders', { name, lineItems: [] })).name);
    }
    assert.deepEqual(names.slice(0, 2), ['BACK-1001', 'BACK-1002']);
    for (const name of names.slice(2)) assert.match(name, /^RET-/);
  });

  it('all returns of a line that are not cancelled ask for no more than was ordered: else 409, nothing written', async () => {
    const { order, lines, variants } = await orderOf(3, 1);
    const ask = (quantity: number) =>
      create({ orderId: order.id, lineItems: [{ lineItemId: lines[0].id, quantity }] });
    const first = await ask(2);
    assert.equal(first.status, 200);
    const present = await stored();
    const refused = await ask(2);
    assert.equal(refused.status, 409, refused.text);
    const { code, issues } = refused.body.error.details;
    assert.equal(code, 'quantity_exceeded');
    assert.deepEqual(issues, [
      {
        path: '/lineItems/0/quantity',
        code: 'quantity_exceeded',
        message: `only 1 units of ${variants[0].sku} are open`,
      },
    ]);
    assert.deepEqual(await stored(), present);
    await make(test.request, `/return-orders/${first.body.data.id}/cancel`);
    assert.equal((await ask(3)).status, 200);
    assert.equal((await ask(1)).status, 409);
  });

  it('what was cancelled of an order cannot be asked back', async () => {
    const { order, lines } = await orderOf(3);
    await make(test.request, `/orders/${order.id}/cancel`, {});
    const answer = await create({
      orderId: order.id,
      lineItems: [{ lineItemId: lines[0].id, quantity: 1 }],
    });
    assert.equal(answer.status, 409, answer.text);
  });

  it('races for the last unit of a line are won by one', async () => {
    const { order, lines } = await orderOf(1);
    const body = { orderId: order.id, lineItems: [{ lineItemId: lines[0].id, quantity: 1 }] };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  });

  it("a line names an order's variant instead, and takes its units from the order's lines in order", async () => {
    const variant = await makeVariant(test.request, { barcode: unique('code') });
    const order = await makeOrder(test.request, {}, [
      [variant.id, 2],
      [variant.id, 2],
    ]);
    const [one, two] = order.lineItems;
    const { lineItems } = await make(test.request, '/return-orders', {
      orderId: order.id,
      lineItems: [{ productVariantBarcode: variant.barcode, quantity: 3 }],
    });
    assert.deepEqual(
      lineItems.map((line: { orderLineItemId: string; quantity: number }) => [
        line.orderLineItemId,
        line.quantity,
      ]),
      [
        [one.id, 2],
        [two.id, 1],
      ],
    );
  });

  it('an archived variant comes back as well, of an order or blind', async () => {
    const { order, variants } = await orderOf(1);
    await test.request('DELETE', `/products/${variants[0].productId}`);
    const lineItems = [{ productVariantSku: variants[0].sku, quantity: 1 }];
    assert.equal((await create({ orderId: order.id, lineItems })).status, 200);
    assert.equal((await create({ lineItems })).status, 200);
  });

  it('blind: lines name variants, and there may be none', async () => {
    const variant = await makeVariant(test.request);
    const blind = await make(test.request, '/return-orders', {
      lineItems: [{ productVariantId: variant.id.toUpperCase(), quantity: 5 }],
    });
    assert.deepEqual([blind.orderId, blind.order], [null, null]);
    assert.deepEqual([blind.lineItems[0].orderLineItemId, blind.lineItems[0].quantity], [null, 5]);
    const empty = await make(test.request, '/return-orders', { lineItems: [] });
    assert.deepEqual([empty.lineItems, empty.status], [[], 'requested']);
  });

  it('400 names every line that means nothing of the order, and nothing is written', async () => {
    const { order, lines, variants } = await orderOf(1);
    const other = await orderOf(1);
    const present = await stored();
    const answer = await create({
      orderId: order.id,
      lineItems: [
        { lineItemId: other.lines[0].id, quantity: 1 },
        { quantity: 1 },
        { lineItemId: lines[0].id, productVariantSku: 'another', quantity: 1 },
        { productVariantSku: other.variants[0].sku, quantity: 1 },
        { lineItemId: lines[0].id, productVariantSku: variants[0].sku, quantity: 1 },
      ],
    });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(
      answer.body.error.details.issues.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['/lineItems/0', 'not_found'],
        ['/lineItems/1', 'required'],
        ['/lineItems/2', 'not_found'],
        ['/lineItems/3', 'not_found'],
      ],
    );
    assert.deepEqual(await stored(), present);
  });

  it('400 for an unknown order, for a foreign one alike, and for no lines', async () => {
    const { order } = await orderOf(1);
    const stranger = await test.makeOrganization();
    const foreign = await stranger.request('POST', '/return-orders', { orderId: order.id, lineItems: [] });
    assert.equal(foreign.status, 400);
    assert.deepEqual(foreign.body.error.details.issues, [
      { path: '/orderId', code: 'not_found', message: 'is no order' },
    ]);
    const empty = await create({ orderId: order.id, lineItems: [] });
    assert.equal(empty.status, 400);
    assert.equal(empty.body.error.details.issues[0].path, '/lineItems');
  });

  it('400 for a blind line that names no variant, an unknown one, one of several, or a line of an order', async () => {
    const title = unique('Title ');
    await makeProduct(test.request, {}, [{ title }, { title }]);
    const { lines } = await orderOf(1);
    const code = async (line: object) => {
      const answer = await create({ lineItems: [{ quantity: 1, ...line }] });
      assert.equal(answer.status, 400, answer.text);
      return answer.body.error.details.issues[0].code;
    };
    assert.equal(await code({}), 'required');
    assert.equal(await code({ productVariantSku: 'nobody has this' }), 'variant_not_found');
    assert.equal(await code({ productVariantTitle: title }), 'ambiguous_variant');
    assert.equal(await code({ lineItemId: lines[0].id }), 'not_allowed');
  });

  it('200 lines cost as many statements as one', async () => {
    const variants = (await makeProduct(test.request, {}, Array(200).fill({}))).variants;
    const order = await makeOrder(
      test.request,
      {},
      variants.map((variant: { id: string }) => [variant.id, 2]),
    );
    const cost = async (count: number) => {
      const lineItems = order.lineItems
        .slice(0, count)
        .map((line: { id: string }) => ({ lineItemId: line.id, quantity: 1 }));
      return (
        await test.statements(() => make(test.request, '/return-orders', { orderId: order.id, lineItems }))
      ).length;
    };
    assert.equal(await cost(200), await cost(1));
  });
});

describe('createOrder with a returnOrder', () => {
  it('leaves return_order.created too, and the return can be read', async () => {
    const variant = await makeVariant(test.request);
    const order = await makeOrder(test.request, { returnOrder: { reason: 'Prepaid' } }, [[variant.id, 2]]);
    const [{ id }] = order.returnOrders;
    const found = await test.request('GET', `/return-orders/${id}`);
    assert.equal(found.body.data.lineItems[0].quantity, 2);
    assert.equal(found.body.data.order.name, order.name);
    const [created] = await events(id);
    assert.equal(created!.type, 'return_order.created');
    assert.deepEqual(created!.data.object, found.body.data);
    const again = await create({
      orderId: order.id,
      lineItems: [{ lineItemId: order.lineItems[0].id, quantity: 1 }],
    });
    assert.equal(again.status, 409, 'all of it is asked back already');
  });
});
