// updateVariant: the fields that are named, codes, aliases, stock that must not be there, bills of materials.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeBundle,
  makeOrder,
  makePlace,
  makeProduct,
  makeVariant,
  unique,
} from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';
import * as limits from '../limits.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

interface Variant {
  id: string;
  productId: string;
}
const pathOf = ({ productId, id }: Variant) => `/products/${productId}/variants/${id}`;
const update = (variant: Variant, body: unknown, headers = {}) =>
  request('POST', pathOf(variant), body, headers);
const read = async (variant: Variant) => (await request('GET', pathOf(variant))).body.data;
const codeOf = (answer: Answer) => [answer.status, answer.body.error.details.code];
const pathsOf = (answer: Answer) =>
  answer.body.error.details.issues.map((issue: { path: string }) => issue.path);

test('changes what is named and nothing else, also within dimensions; null unsets', async () => {
  const dimensions = { length: 1, width: 2, height: 3 };
  const variant = await makeVariant(request, {
    weight: 5,
    barcode: unique('B'),
    dimensions,
    image: 'http://x.y',
  });
  const before = await read(variant);
  const answer = await update(variant, {
    title: 'New',
    price: 2.5,
    barcode: null,
    dimensions: { width: 9 },
    countryOfOrigin: 'fr',
    inventoryAllocationStrategy: 'LIFO',
  });
  assert.deepEqual([answer.body.object, answer.headers['etag']], ['product_variant', '"2"']);
  const { updatedAt, product, ...data } = answer.body.data;
  const { updatedAt: _updatedAt, product: _product, ...unchanged } = before;
  assert.ok(updatedAt >= before.updatedAt);
  assert.equal(product.updatedAt, updatedAt);
  assert.deepEqual(data, {
    ...unchanged,
    title: 'New',
    price: 2.5,
    barcode: null,
    dimensions: { length: 1, width: 9, height: 3 },
    countryOfOrigin: 'FR',
    inventoryAllocationStrategy: 'LIFO',
  });
  const cleared = await update(variant, { dimensions: null });
  assert.deepEqual(cleared.body.data.dimensions, { length: null, width: null, height: null });
});

test('every field of the documented body may be sent', async () => {
  const variant = await makeVariant(request);
  const body = {
    title: 'T',
    sku: unique('SKU-'),
    skuAlias: unique('ALIAS-'),
    barcode: unique('B'),
    asin: unique('A'),
    ean: unique('E'),
    isbn: unique('I'),
    upc: unique('U'),
    price: 1.1,
    compareAtPrice: 2.2,
    wholesalePrice: 0.5,
    costPrice: 0.25,
    currency: 'cad',
    position: 3,
    taxable: false,
    discountable: false,
    requiresShipping: false,
    tracksInventory: false,
    inventoryPolicy: 'continue',
    selectedOptions: [{ name: 'Size', value: 'M' }],
    image: 'https://example.com/m.png',
    weight: 4,
    weightUnit: 'lb',
    dimensions: { length: 1, width: 1, height: 1 },
    dimensionsUnit: 'cm',
    tariffCode: '1234',
    countryOfOrigin: 'US',
  };
  const answer = await update(variant, body);
  assert.equal(answer.status, 200, answer.text);
  const { skuAlias, ...fields } = body;
  const { data } = answer.body;
  assert.deepEqual(Object.fromEntries(Object.keys(fields).map((field) => [field, data[field]])), fields);
  assert.deepEqual(data.skuAliases, [skuAlias]);
});

test('skuAlias adds one alias, once; skuAliases replaces the list', async () => {
  const variant = await makeVariant(request, { skuAliases: ['A'] });
  const aliases = async (body: object) => (await update(variant, body)).body.data.skuAliases;
  assert.deepEqual(await aliases({ skuAlias: 'B' }), ['A', 'B']);
  assert.deepEqual(await aliases({ skuAlias: 'B' }), ['A', 'B']);
  assert.deepEqual(await aliases({ skuAlias: null }), ['A', 'B']);
  assert.deepEqual(await aliases({ skuAliases: ['C'] }), ['C']);
  assert.deepEqual(await aliases({ skuAliases: [] }), []);
  const full = Array.from({ length: limits.skuAliasesMax }, (_, index) => `X${index}`);
  await update(variant, { skuAliases: full });
  const over = await update(variant, { skuAlias: 'one more' });
  assert.deepEqual([over.status, pathsOf(over)], [400, ['/skuAlias']]);
});

test('409 for codes of another variant, with whose they are; its own may be sent again', async () => {
  const other = await makeVariant(request, { ean: unique('E') });
  const variant = await makeVariant(request, { ean: unique('E') });
  const sku = await update(variant, { sku: other.sku });
  assert.deepEqual([...codeOf(sku), sku.body.error.details.productVariantId], [409, 'sku_taken', other.id]);
  assert.deepEqual(codeOf(await update(variant, { ean: other.ean })), [409, 'barcode_taken']);
  assert.equal((await update(variant, { sku: variant.sku, ean: variant.ean })).status, 200);
});

test('of many updates to one sku at once, one succeeds and the others are 409', async () => {
  const variants = [];
  for (let i = 0; i < 6; i += 1) variants.push(await makeVariant(request));
  const sku = unique('WANTED-');
  const answers = await Promise.all(variants.map((variant) => update(variant, { sku })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});

test('updates of one variant at once all take effect', async () => {
  const variant = await makeVariant(request);
  const added = Array.from({ length: 10 }, (_, index) => `ALIAS-${index}`);
  await Promise.all(added.map((skuAlias) => update(variant, { skuAlias })));
  assert.deepEqual((await read(variant)).skuAliases.toSorted(), added);
});

test('409 in_use for tracksInventory while there is stock; without, it changes', async () => {
  const variant = await makeVariant(request);
  const place = await makePlace(request);
  await addStock(request, place, variant.id, 2);
  assert.equal((await update(variant, { tracksInventory: true, price: 1 })).status, 200);
  const refused = await update(variant, { tracksInventory: false });
  assert.deepEqual(codeOf(refused), [409, 'in_use']);
  assert.deepEqual(refused.body.error.details.productVariantIds, [variant.id]);
  await addStock(request, place, variant.id, -2);
  assert.equal((await update(variant, { tracksInventory: false })).body.data.tracksInventory, false);
});

test('409 in_use for tracksInventory while an order waits for the variant or for a bundle of it', async () => {
  const [alone, component] = [await makeVariant(request), await makeVariant(request)];
  const bundle = await makeBundle(request, { [component.id]: 1 });
  const orders = [
    await makeOrder(request, {}, [[alone.id, 1]]),
    await makeOrder(request, {}, [[bundle.id, 1]]),
  ];
  for (const variant of [alone, component]) {
    assert.deepEqual(codeOf(await update(variant, { tracksInventory: false })), [409, 'in_use']);
  }
  for (const order of orders) await request('POST', `/orders/${order.id}/cancel`);
  for (const variant of [alone, component]) {
    assert.equal((await update(variant, { tracksInventory: false })).status, 200);
  }
});

test('a bundle’s variant gets another bill of materials; its first only while it has no stock', async () => {
  const [a, b] = [await makeVariant(request), await makeVariant(request)];
  const bundle = await makeBundle(request, { [a.id]: 1 });
  const bomOf = (component: Variant) => ({ bomLineItems: [{ productVariantId: component.id, quantity: 3 }] });
  const { data } = (await update(bundle, bomOf(b))).body;
  assert.deepEqual(
    data.bomLineItems.map((item: { productVariantId: string }) => item.productVariantId),
    [b.id],
  );
  const plain = await makeVariant(request);
  const noBundle = await update(plain, bomOf(b));
  assert.deepEqual([noBundle.status, pathsOf(noBundle)], [400, ['/bomLineItems']]);
  const inBundle = await update(bundle, bomOf(bundle));
  assert.deepEqual([inBundle.status, pathsOf(inBundle)], [400, ['/bomLineItems/0/productVariantId']]);

  const late = await makeVariant(request);
  await request('POST', `/products/${late.productId}`, { isBundle: true });
  const place = await makePlace(request);
  await addStock(request, place, late.id, 1);
  assert.deepEqual(codeOf(await update(late, bomOf(b))), [409, 'in_use']);
  await addStock(request, place, late.id, -1);
  assert.equal((await update(late, bomOf(b))).body.data.bomLineItems[0].quantity, 3);
});

test('the product’s version rises; product_variant.updated carries the variant before and after', async () => {
  const variant = await makeVariant(request);
  const before = await read(variant);
  const { data } = (await update(variant, { price: 9 })).body;
  assert.equal((await request('GET', `/products/${variant.productId}`)).headers['etag'], '"2"');
  const events = await home.database.query<{ type: string; data: unknown }>(sql`
    select type, data from events
    where organization_id = ${home.organizationId} and object_id = ${variant.id}`);
  assert.deepEqual(events, [{ type: 'product_variant.updated', data: { object: data, previous: before } }]);
});

test('400 naming every wrong field at once', async () => {
  const variant = await makeVariant(request);
  const answer = await update(variant, {
    sku: '',
    price: null,
    currency: 'USD',
    weight: -1,
    dimensions: { depth: 1 },
    inventoryPolicy: 'backorder',
    barcode: '',
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(pathsOf(answer).sort(), [
    '/barcode',
    '/currency',
    '/dimensions/depth',
    '/inventoryPolicy',
    '/price',
    '/sku',
    '/weight',
  ]);
});

test('412 for a stale version, 404 for what is unknown or of another product, 403 without products:write', async () => {
  const variant = await makeVariant(request);
  const other = await makeProduct(request);
  const foreign = await makeVariant((await home.makeOrganization()).request);
  assert.equal((await update(variant, { price: 1 }, { 'if-match': '"2"' })).status, 412);
  assert.equal((await update(variant, { price: 1 }, { 'if-match': '"1"' })).status, 200);
  for (const wrong of [
    foreign,
    { productId: other.id, id: variant.id },
    { productId: variant.productId, id: foreign.id },
    { productId: variant.productId, id: 'x' },
  ]) {
    assert.equal((await update(wrong, { price: 1 })).status, 404);
  }
  const reader = home.as(await home.makeKey(['products:read']));
  assert.equal((await reader('POST', pathOf(variant), { price: 1 })).status, 403);
});
