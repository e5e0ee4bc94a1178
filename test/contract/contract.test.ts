// What the service's description promises, held against real answers and against the document.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { makeVans, quoteBody } from '../support/carriers.ts';
import {
  addStock,
  make,
  makeCustomer,
  makeLocation,
  makeProduct,
  makeWarehouse,
} from '../support/factories.ts';
import { makeSupplier } from '../support/purchasing.ts';
import {
  bodies,
  endpoints,
  fields,
  financialStatuses,
  fulfillmentStatuses,
  parameters,
} from './service-fields.ts';

const service = await startTestApp();
after(service.close);
const { request, contract } = service;
// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

const everyAddressField = {
  name: 'Ada Byron',
  company: 'Engines',
  street1: '1 Main St',
  street2: 'Floor 2',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'us',
  phone: '+1 555 0100',
  email: 'ada@example.com',
  facilityCode: 'F1',
  isResidential: true,
  isVerified: false,
  taxIdentifier: 'T1',
};

const warehouse = await makeWarehouse(request, { address: everyAddressField });
const location = await makeLocation(request, warehouse.id);
const product = await makeProduct(request, { brand: 'Acme' }, [{ price: 10 }]);
const variant = product.variants[0];
const place = { warehouseId: warehouse.id, warehouseLocationId: location.id };
await addStock(request, place, variant.id, 10, { lotNumber: 'L1' });
const customer = await makeCustomer(request);
const created = await make(request, '/orders', {
  name: 'SO-',
  price: 20,
  orderDate: '2026-01-02T03:04:05Z',
  shipToAddress: everyAddressField,
  customerId: customer.id,
  lineItems: [{ productVariantSku: variant.sku, price: 10, quantity: 2 }],
  tags: ['vip'],
  notes: ['Ring twice'],
});

const get = async (path: string): Promise<Json> => {
  const answer = await request('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

/** Every documented field is there; what it holds may be null. */
function assertFields(record: Json, name: keyof typeof fields): void {
  assert.equal(typeof record, 'object', `${name} is ${record}`);
  const missing = fields[name].filter((field) => !(field in record));
  assert.deepEqual(missing, [], `missing in ${name}`);
}

for (const [method, path] of endpoints) {
  test(`${method} ${path} is served`, () => {
    const found = contract.operations.some(
      (operation) => operation.method === method && operation.path === path,
    );
    assert.ok(found);
  });
}

for (const name of ['create', 'get']) {
  test(`every field of an order, as ${name} answers it`, async () => {
    const order = name === 'create' ? created : (await get(`/orders/${created.id}`)).data;
    assertFields(order, 'order');
    assertFields(order.customer, 'order.customer');
    assertFields(order.shipToAddress, 'address');
    assertFields(order.tags[0], 'order.tag');
    assertFields(order.notes[0], 'order.note');
    assertFields(order.notes[0].user, 'order.note.user');
    assertFields(order.lineItems[0], 'order.lineItem');
    assertFields(order.lineItems[0].productVariant, 'order.lineItem.productVariant');
    assertFields(order.lineItems[0].productVariant.product, 'order.lineItem.productVariant.product');
    assertFields(order.lineItems[0].productVariant.dimensions, 'dimensions');
    for (const list of ['shipments', 'tasks', 'returnOrders']) assert.ok(Array.isArray(order[list]), list);
    assert.deepEqual([order.shipMethod, order.insuranceRequest, order.archivedAt], [null, null, null]);
    assert.deepEqual(
      [order.currency, order.financialStatus, order.fulfillmentStatus],
      ['usd', 'pending', 'open'],
    );
    assert.deepEqual(order.shipToAddress, { ...everyAddressField, country: 'US' });
    assert.match(order.name, /^SO-\d+$/);
  });
}

test('every field of an order, as the list answers it', async () => {
  const list = await get('/orders');
  assertFields(list, 'list envelope with cursor');
  const [order] = list.data;
  assertFields(order, 'order (list)');
  assertFields(order.customer, 'order.customer');
  assertFields(order.lineItems[0], 'order.lineItem (list)');
  assertFields(order.lineItems[0].productVariant, 'order.lineItem.productVariant (list)');
  assertFields(order.lineItems[0].productVariant.product, 'order.lineItem.productVariant.product');
});

test('a customer that an order does not have is an object of nulls', async () => {
  const order = await make(request, '/orders', { name: 'SO-', price: 0, orderDate: '2026-01-02T03:04:05Z' });
  assert.deepEqual(order.customer, { id: null, name: null, email: null, phone: null, company: null });
});

test('every field of a product and its variants', async () => {
  const list = await get('/products');
  assertFields(list, 'list envelope with cursor');
  const updated = await make(request, `/products/${product.id}`, { brand: 'Acme' });
  for (const record of [list.data[0], updated, (await get(`/products/${product.id}`)).data]) {
    assertFields(record, 'product');
    assertFields(record.variants[0], 'productVariant');
    assertFields(record.variants[0].dimensions, 'dimensions');
    assert.deepEqual(record.productVariants, record.variants);
  }
  const archived = await makeProduct(request);
  const answer = await request('DELETE', `/products/${archived.id}`);
  assert.equal(answer.body.object, 'product');
  assertFields(answer.body.data, 'product');
  assert.notEqual(answer.body.data.archivedAt, null);
});

test('every field of a product variant', async () => {
  const answer = await request('POST', `/products/${product.id}/variants/${variant.id}`, { price: 10 });
  assert.equal(answer.body.object, 'product_variant');
  assertFields(answer.body.data, 'productVariant');
  assertFields(answer.body.data.product, 'product');
});

test('every field of an inventory level', async () => {
  for (const path of [`/products/${product.id}/inventory-level`, '/inventory/levels']) {
    const list = await get(path);
    assertFields(list, 'list envelope');
    const [level] = list.data;
    assertFields(level, 'inventoryLevel');
    assertFields(level.productVariant, 'inventoryLevel.productVariant');
    assertFields(level.productVariant.product, 'inventoryLevel.productVariant.product');
    assertFields(level.warehouse, 'inventoryLevel.warehouse');
    assertFields(level.warehouse.address, 'inventoryLevel.warehouse.address');
    assert.equal(level.organization, null);
    assert.deepEqual([level.availableQuantity, level.committedQuantity], [8, 2]);
  }
  const [level] = (await get('/inventory/levels')).data;
  assertFields(level.productVariant, 'productVariant');
});

test('every field of an inventory location', async () => {
  const list = await get(
    `/inventory/locations?productVariantIdentifier=${variant.sku}&identifierType=sku&warehouseId=${warehouse.id}`,
  );
  assertFields(list, 'inventory locations envelope');
  assert.ok(!('limit' in list), 'this list has no pages');
  const [record] = list.data;
  assertFields(record, 'inventoryLocation');
  assertFields(record.productVariant, 'inventoryLocation.productVariant');
  assertFields(record.warehouseLocation, 'inventoryLocation.warehouseLocation');
  assert.deepEqual([record.organization, record.unitsOfMeasure, record.quantity], [null, null, 10]);
});

test('a change of stock answers success, a sentence and the record', async () => {
  const body = { productVariantIdentifier: variant.id, ...place, changeQuantity: 50 };
  const answer = await request('POST', '/inventory', body);
  const { object, success, message, data } = answer.body;
  assert.deepEqual([object, success], ['inventoryUpdate', true]);
  assert.equal(message, `Successfully added 50 units to ${location.name}`);
  const without = ['organization', 'productVariant', 'warehouseLocation', 'unitsOfMeasure'];
  const expected = fields.inventoryLocation.filter((field) => !without.includes(field));
  assert.deepEqual(
    expected.filter((field) => !(field in data)),
    [],
  );
  assert.deepEqual(
    without.filter((field) => field in data),
    [],
  );
});

test('every field of a purchase order, as the list and as get answer it', async () => {
  const supplier = await makeSupplier(request);
  const { id } = await make(request, '/purchase-orders', {
    supplierId: supplier.id,
    warehouseId: warehouse.id,
    lineItems: [{ productVariantId: variant.id, requestedQuantity: 10, unitPrice: 2.5, taxRate: 0.2 }],
    tags: ['spring'],
    notes: ['By the back door'],
  });
  const list = await get('/purchase-orders');
  assertFields(list, 'list envelope');
  const [summary] = list.data;
  const { object, data: order } = await get(`/purchase-orders/${id}`);
  assert.equal(object, 'purchase-order');
  assertFields(summary, 'purchaseOrder (list)');
  assertFields(order, 'purchaseOrder');
  for (const part of ['supplier', 'warehouse'] as const) {
    assertFields(summary[part], `purchaseOrder.${part} (list)`);
    assertFields(order[part], `purchaseOrder.${part}`);
  }
  assertFields(summary.lineItems[0], 'purchaseOrder.lineItem (list)');
  assertFields(summary.lineItems[0].productVariant, 'purchaseOrder.lineItem.productVariant (list)');
  assertFields(order.lineItems[0], 'purchaseOrder.lineItem');
  assertFields(order.lineItems[0].productVariant, 'purchaseOrder.lineItem.productVariant');
  assertFields(order.lineItems[0].productVariant.product, 'purchaseOrder.lineItem.productVariant.product');
  assertFields(summary.tags[0], 'purchaseOrder.tag');
  assertFields(summary.notes[0], 'purchaseOrder.note (list)');
  assertFields(order.notes[0], 'purchaseOrder.note');
  assert.deepEqual([order.subtotal, order.totalTax, order.grandTotal], [25, 5, 30]);
  assert.deepEqual([order.cancelledAt, order.status], [null, 'draft']);
});

test('every field of a shipping quote, as the list and as get answer it', async () => {
  const packaging = { name: 'Box 3', type: 'box' };
  const dimensions = { length: 8, width: 6, height: 4 };
  await makeVans(request);
  const { id } = await make(request, '/shipping-quotes', {
    ...quoteBody({ shipToAddress: everyAddressField }),
    packages: [{ weight: 12, dimensions, packaging }],
  });
  const list = await get('/shipping-quotes');
  assertFields(list, 'list envelope with cursor');
  const answer = await get(`/shipping-quotes/${id}`);
  assert.equal(answer.object, 'shipping-quote');
  for (const found of [list.data[0], answer.data]) {
    assertFields(found, 'shippingQuote');
    assertFields(found.shipToAddress, 'address');
    assertFields(found.shipFromAddress, 'address');
    assertFields(found.packages[0], 'shippingQuote.package');
    assertFields(found.packages[0].dimensions, 'dimensions');
    assertFields(found.packages[0].packaging, 'shippingQuote.package.packaging');
    assertFields(found.shippingRates[0], 'shippingQuote.shippingRate');
    assertFields(found.shippingRates[0].carrierAccount, 'shippingQuote.shippingRate.carrierAccount');
  }
  assert.deepEqual(answer.data.packages[0], {
    id: answer.data.packages[0].id,
    ...{ weight: 12, weightUnit: 'oz', dimensions, dimensionsUnit: 'in', packaging },
  });
});

test('every field of a shipment, as create and get answer it', async () => {
  await makeVans(request, { carrierCode: 'contract' });
  const body = quoteBody({ carrierCode: 'contract', serviceCode: 'economy', orderId: created.id });
  const answer = await request('POST', '/shipments', body);
  assert.equal(answer.body.object, 'shipment');
  for (const shipment of [answer.body.data, (await get(`/shipments/${answer.body.data.id}`)).data]) {
    assertFields(shipment, 'shipment');
    for (const part of ['returnAddress', 'carrierAccount', 'shippingRate', 'tracker', 'order'] as const) {
      assertFields(shipment[part], `shipment.${part}`);
    }
    assert.equal(Object.keys(shipment.returnAddress).length, fields['shipment.returnAddress'].length);
    assertFields(shipment.shippingQuote, 'shippingQuote');
  }
  assertFields(await get('/shipments'), 'list envelope with cursor');
});

test('the documented query parameters, with their defaults and bounds', () => {
  for (const [name, expected] of Object.entries(parameters)) {
    const [method, path] = name.split(' ');
    const operation = contract.operations.find((one) => one.method === method && one.path === path)!;
    for (const { name: parameter, required, ...bounds } of expected) {
      const found = operation.specification.parameters.find(
        (one: Json) => one.in === 'query' && one.name === parameter,
      );
      assert.ok(found, `${name} does not take ${parameter}`);
      assert.equal(found.required ?? false, required ?? false, `${name} ${parameter}`);
      for (const [bound, value] of Object.entries(bounds)) {
        const actual = bound === 'enum' ? [...found.schema.enum].sort() : found.schema[bound];
        const wanted = bound === 'enum' ? [...(value as string[])].sort() : value;
        assert.deepEqual(actual, wanted, `${name} ${parameter} ${bound}`);
      }
    }
  }
});

test('the documented body fields, and which of them are required', () => {
  for (const [name, { required, optional }] of Object.entries(bodies)) {
    const [method, path] = name.split(' ');
    const operation = contract.operations.find((one) => one.method === method && one.path === path)!;
    const schema = operation.specification.requestBody.content['application/json'].schema;
    const missing = [...required, ...optional].filter((field) => !(field in schema.properties));
    assert.deepEqual(missing, [], `${name} does not take them`);
    assert.deepEqual([...(schema.required ?? [])].sort(), [...required].sort(), name);
  }
});

test('every documented status of an order is accepted when it is created', async () => {
  for (const financialStatus of financialStatuses) {
    for (const fulfillmentStatus of fulfillmentStatuses) {
      const body = {
        name: 'ST-',
        price: 1,
        orderDate: '2026-01-02T03:04:05Z',
        financialStatus,
        fulfillmentStatus,
      };
      const order = await make(request, '/orders', body);
      assert.deepEqual(
        [order.financialStatus, order.fulfillmentStatus],
        [financialStatus, fulfillmentStatus],
      );
    }
  }
});
