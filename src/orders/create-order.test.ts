// What creating an order promises.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  makeBundle,
  makeCustomer,
  makeOrder,
  makePlace,
  makeStocked,
  makeVariant,
  makeWarehouse,
  unique,
} from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const body = { name: 'SO-', price: 39.98, orderDate: '2026-11-21T10:15:00+01:00' };

const stocked = (units: number, fields = {}) => makeStocked(test.request, units, fields);

/** Everything that is stored, but for the number that a refused order's name took. */
async function stored() {
  const { name_counters: _, ...rows } = await rowsOf(test.database, test.organizationId);
  return rows;
}

describe('createOrder', () => {
  it('200 with the documented defaults, and the same record from GET', async () => {
    const created = await test.request('POST', '/orders', body);
    assert.equal(created.status, 200, created.text);
    assert.equal(created.body.object, 'order');
    const order = created.body.data;
    assert.match(order.name, /^SO-\d{4,}$/);
    assert.equal(order.financialStatus, 'pending');
    assert.equal(order.fulfillmentStatus, 'open');
    assert.equal(order.currency, 'usd');
    assert.equal(order.price, 39.98);
    assert.equal(order.orderDate, '2026-11-21T09:15:00.000Z');
    assert.deepEqual(order.customer, { id: null, name: null, email: null, phone: null, company: null });
    assert.deepEqual(order.lineItems, []);
    const read = await test.request('GET', `/orders/${order.id}`);
    assert.deepEqual(read.body.data, order);
    assert.equal(read.headers['etag'], created.headers['etag']);
  });

  it('names count up from 1001 for each organisation and prefix', async () => {
    const other = await test.makeOrganization();
    const names = [];
    for (const name of ['N-', 'N-', 'M-']) names.push((await makeOrder(test.request, { name })).name);
    names.push((await makeOrder(other.request, { name: 'N-' })).name);
    assert.deepEqual(names, ['N-1001', 'N-1002', 'M-1001', 'N-1001']);
  });

  it('a prefix that comes to a taken name takes the next number', async () => {
    await makeOrder(test.request, { name: 'P-1' });
    await test.database.query(sql`
      insert into name_counters (organization_id, kind, prefix, last_number)
      values (${test.organizationId}, 'order', 'P-', 11000)`);
    assert.equal((await makeOrder(test.request, { name: 'P-' })).name, 'P-11002');
  });

  it('takes stock for its lines, and commits the level to it', async () => {
    const { place, variant } = await stocked(10);
    const order = await makeOrder(test.request, {}, [[variant.id, 4]]);
    const [line] = order.lineItems;
    assert.equal(line.quantityAllocated, 4);
    assert.equal(line.quantityBackordered, 0);
    assert.equal(order.readyToShip, true);
    const level = await levelOf(test.request, place.warehouseId, variant);
    assert.equal(level.committedQuantity, 4);
    assert.equal(level.availableQuantity, 6);
    assert.equal(level.onHandQuantity, 10);
  });

  it('backorders what is missing, and never commits more than there is', async () => {
    const { place, variant } = await stocked(3);
    const order = await makeOrder(test.request, {}, [
      [variant.id, 2],
      [variant.id, 4],
    ]);
    assert.deepEqual(
      order.lineItems.map((line: Record<string, number>) => [
        line['quantityAllocated'],
        line['quantityBackordered'],
      ]),
      [
        [2, 0],
        [1, 3],
      ],
    );
    assert.equal(order.readyToShip, false);
    assert.equal((await levelOf(test.request, place.warehouseId, variant)).availableQuantity, 0);
  });

  it('409 insufficient_stock naming every short line when asked to obey the policy, and nothing is written', async () => {
    const { variant } = await stocked(3);
    const short = await makeVariant(test.request);
    const before = await stored();
    const answer = await test.request('POST', '/orders', {
      ...body,
      inventoryBehaviour: 'obey_policy',
      lineItems: [
        { productVariantId: variant.id, quantity: 3 },
        { productVariantSku: short.sku, quantity: 1 },
        { productVariantSku: variant.sku, quantity: 1 },
      ],
    });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error.details.code, 'insufficient_stock');
    const paths = answer.body.error.details.issues.map((issue: { path: string }) => issue.path);
    assert.deepEqual(paths, ['/lineItems/1', '/lineItems/2']);
    assert.deepEqual(await stored(), before);
  });

  it('a variant that may be oversold is allocated below nothing at the first warehouse by priority', async () => {
    const first = await makeWarehouse(test.request, { priority: -5 });
    const { place, variant } = await stocked(2, { inventoryPolicy: 'continue' });
    const order = await makeOrder(test.request, {}, [[variant.id, 5]]);
    assert.equal(order.lineItems[0].quantityAllocated, 5);
    assert.equal((await levelOf(test.request, place.warehouseId, variant)).availableQuantity, 0);
    assert.equal((await levelOf(test.request, first.id, variant)).availableQuantity, -3);
  });

  it('one warehouse that covers the whole order comes before priority', async () => {
    const near = await makePlace(test.request, { priority: 1 });
    const far = await makePlace(test.request, { priority: 2 });
    const [a, b] = [await makeVariant(test.request), await makeVariant(test.request)];
    await addStock(test.request, near, a.id, 5);
    await addStock(test.request, far, a.id, 5);
    await addStock(test.request, far, b.id, 5);
    await makeOrder(test.request, {}, [
      [a.id, 1],
      [b.id, 1],
    ]);
    assert.equal((await levelOf(test.request, near.warehouseId, a)).committedQuantity, 0);
    assert.equal((await levelOf(test.request, far.warehouseId, a)).committedQuantity, 1);
  });

  it('an order that no warehouse covers is split by priority; a pin keeps it in one', async () => {
    const near = await makePlace(test.request, { priority: 1 });
    const far = await makePlace(test.request, { priority: 2 });
    const variant = await makeVariant(test.request);
    await addStock(test.request, near, variant.id, 2);
    await addStock(test.request, far, variant.id, 3);
    const pinned = await makeOrder(test.request, { warehouseId: far.warehouseId }, [[variant.id, 1]]);
    assert.equal(pinned.warehouseId, far.warehouseId);
    assert.equal((await levelOf(test.request, far.warehouseId, variant)).committedQuantity, 1);
    await makeOrder(test.request, {}, [[variant.id, 4]]);
    assert.equal((await levelOf(test.request, near.warehouseId, variant)).availableQuantity, 0);
    assert.equal((await levelOf(test.request, far.warehouseId, variant)).availableQuantity, 0);
  });

  it('a bundle takes its components, and only whole bundles', async () => {
    const place = await makePlace(test.request);
    const [cup, saucer] = [await makeVariant(test.request), await makeVariant(test.request)];
    await addStock(test.request, place, cup.id, 9);
    await addStock(test.request, place, saucer.id, 2);
    const bundle = await makeBundle(test.request, { [cup.id]: 2, [saucer.id]: 1 });
    const order = await makeOrder(test.request, {}, [[bundle.id, 3]]);
    assert.equal(order.lineItems[0].quantityAllocated, 2);
    assert.equal(order.lineItems[0].quantityBackordered, 1);
    assert.equal((await levelOf(test.request, place.warehouseId, cup)).committedQuantity, 4);
    assert.equal((await levelOf(test.request, place.warehouseId, saucer)).committedQuantity, 2);
  });

  it('lines that hold no stock are always allocated', async () => {
    const service = await makeVariant(test.request, { tracksInventory: false, requiresShipping: false });
    const order = await makeOrder(test.request, {}, [[service.id, 7]]);
    assert.equal(order.lineItems[0].quantityAllocated, 7);
    assert.equal(order.readyToShip, true);
  });

  for (const fulfillmentStatus of ['scheduled', 'on-hold', 'fulfilled', 'partially-fulfilled']) {
    it(`an order created ${fulfillmentStatus} takes no stock`, async () => {
      const { place, variant } = await stocked(5);
      const order = await makeOrder(test.request, { fulfillmentStatus }, [[variant.id, 5]]);
      assert.equal(order.fulfillmentStatus, fulfillmentStatus);
      assert.equal(order.lineItems[0].quantityAllocated, 0);
      assert.equal((await levelOf(test.request, place.warehouseId, variant)).committedQuantity, 0);
    });
  }

  it('stores tags, notes with their user, addresses, methods and metadata as they come back', async () => {
    const customer = await makeCustomer(test.request, { email: 'ada@example.com' });
    const order = await makeOrder(test.request, {
      alias: 'web-1',
      customerId: customer.id,
      tags: ['gift', 'vip'],
      notes: ['Ring twice'],
      shipToAddress: { name: 'Ada', country: 'gb', street2: '' },
      shipMethod: { carrierCode: 'ups', serviceCode: 'ground' },
      insuranceRequest: { amount: 12.00005 },
      metadata: { channel: 'web' },
    });
    assert.equal(order.customer.email, 'ada@example.com');
    assert.deepEqual(
      order.tags.map((tag: { name: string }) => tag.name),
      ['gift', 'vip'],
    );
    assert.equal(order.notes[0].content, 'Ring twice');
    assert.ok(order.notes[0].user.id);
    assert.equal(order.shipToAddress.country, 'GB');
    assert.equal(order.shipToAddress.street2, '');
    assert.equal(order.shipToAddress.facilityCode, null);
    assert.deepEqual(order.shipMethod, { carrierCode: 'ups', serviceCode: 'ground', description: null });
    assert.deepEqual(order.insuranceRequest, { amount: 12, currency: 'usd' });
    assert.deepEqual(order.metadata, { channel: 'web' });
    assert.deepEqual(
      order.tasks.map((task: { type: string }) => task.type),
      [],
    );
  });

  it('money is rounded half-even to four decimals', async () => {
    for (const [sent, kept] of [
      [0.1 + 0.2, 0.3],
      [1.00005, 1],
      [1.00015, 1.0002],
      [19.999999, 20],
    ] as const) {
      assert.equal((await makeOrder(test.request, { price: sent })).price, kept);
    }
  });

  it('400 when a line names an unknown, an archived or an ambiguous variant, and nothing is written', async () => {
    const title = unique('Same title ');
    await makeVariant(test.request, { title });
    await makeVariant(test.request, { title });
    const archived = await makeVariant(test.request);
    await test.request('DELETE', `/products/${archived.productId}`);
    const before = await stored();
    const answer = await test.request('POST', '/orders', {
      ...body,
      lineItems: [
        { productVariantSku: 'nowhere', quantity: 1 },
        { productVariantTitle: title, quantity: 1 },
        { productVariantSku: archived.sku, quantity: 1 },
        { productVariantId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90', quantity: 1 },
      ],
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.details.code, 'variant_not_found');
    const codes = answer.body.error.details.issues.map((issue: { path: string; code: string }) => [
      issue.path,
      issue.code,
    ]);
    assert.deepEqual(codes, [
      ['/lineItems/0', 'variant_not_found'],
      ['/lineItems/3', 'variant_not_found'],
      ['/lineItems/1', 'ambiguous_variant'],
      ['/lineItems/2', 'variant_archived'],
    ]);
    assert.deepEqual(await stored(), before);
  });

  it('400 when references of a line disagree, or there is none', async () => {
    const [a, b] = [await makeVariant(test.request), await makeVariant(test.request)];
    const disagree = { productVariantSku: a.sku, productVariantId: b.id, quantity: 1 };
    assert.equal((await test.request('POST', '/orders', { ...body, lineItems: [disagree] })).status, 400);
    const none = await test.request('POST', '/orders', { ...body, lineItems: [{ quantity: 1 }] });
    assert.equal(none.body.error.details.issues[0].path, '/lineItems/0');
  });

  it('400 naming every wrong field at once, and nothing is written', async () => {
    const before = await stored();
    const answer = await test.request('POST', '/orders', {
      name: '',
      price: -1,
      orderDate: 'yesterday',
      lineItems: [{ quantity: 0, productVariantSku: 'x' }],
      shipToAdress: {},
      fulfillmentStatus: 'lost',
    });
    const paths = answer.body.error.details.issues.map((issue: { path: string }) => issue.path).sort();
    assert.deepEqual(paths, [
      '/fulfillmentStatus',
      '/lineItems/0/quantity',
      '/name',
      '/orderDate',
      '/price',
      '/shipToAdress',
    ]);
    assert.deepEqual(await stored(), before);
  });

  it('400 for a customer or warehouse of another organisation, the same as for none', async () => {
    const other = await test.makeOrganization();
    const customer = await makeCustomer(other.request);
    const warehouse = await makeWarehouse(other.request);
    const answer = await test.request('POST', '/orders', {
      ...body,
      customerId: customer.id,
      warehouseId: warehouse.id,
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.error.details.issues.map((issue: { path: string }) => issue.path),
      ['/customerId', '/warehouseId'],
    );
  });

  it('409 alias_taken with the existing order, also for twenty at once', async () => {
    const first = await makeOrder(test.request, { alias: 'A-1' });
    const again = await test.request('POST', '/orders', { ...body, alias: 'A-1', uniqueAlias: true });
    assert.equal(again.status, 409);
    assert.equal(again.body.error.details.orderId, first.id);
    const race = await Promise.all(
      Array.from({ length: 20 }, () =>
        test.request('POST', '/orders', { ...body, alias: 'A-2', uniqueAlias: true }),
      ),
    );
    const made = race.filter((answer) => answer.status === 200);
    assert.equal(made.length, 1);
    for (const lost of race.filter((answer) => answer.status !== 200)) {
      assert.equal(lost.body.error.details.orderId, made[0]!.body.data.id);
    }
  });

  it('stores a return order with all lines, or with those it names', async () => {
    const { variant } = await stocked(0);
    const other = await makeVariant(test.request);
    const lines: [string, number][] = [
      [variant.id, 2],
      [other.id, 1],
    ];
    const all = await makeOrder(test.request, { returnOrder: {} }, lines);
    assert.equal(all.returnOrders.length, 1);
    assert.match(all.returnOrders[0].name, /^RET-\d+$/);
    assert.equal(all.returnOrders[0].status, 'requested');
    const tooMany = await test.request('POST', '/orders', {
      ...body,
      lineItems: [{ productVariantId: variant.id, quantity: 1 }],
      returnOrder: {
        lineItems: [
          { lineItemIndex: 0, quantity: 2 },
          { productVariantSku: 'other', quantity: 1 },
        ],
      },
    });
    assert.equal(tooMany.status, 400);
    assert.equal(tooMany.body.error.details.issues.length, 2);
  });

  it('writes one event that holds the order as it was answered', async () => {
    const order = await makeOrder(test.request);
    const events = await test.database.query<{ type: string; data: { object: unknown; previous: unknown } }>(
      sql`select type, data from events where organization_id = ${test.organizationId} and object_id = ${order.id}`,
    );
    assert.equal(events.length, 1);
    assert.equal(events[0]!.type, 'order.created');
    assert.deepEqual(events[0]!.data, { object: order, previous: null });
  });

  it('costs the same number of statements for 1 and for 200 lines', async () => {
    const { variant } = await stocked(1000);
    const lines = (count: number): [string, number][] => Array.from({ length: count }, () => [variant.id, 1]);
    await makeOrder(test.request, {}, lines(2));
    const one = await test.statements(() => makeOrder(test.request, {}, lines(1)));
    const many = await test.statements(() => makeOrder(test.request, {}, lines(200)));
    assert.equal(many.length, one.length);
  });
});
