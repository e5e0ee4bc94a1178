// createProduct: a product, its variants, their bills of materials and the slug, or nothing at all.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../../test/support/app.ts';
import { makeBundle, makeProduct, makeVariant, unique } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const create = (body: unknown, headers = {}) => request('POST', '/products', body, headers);
const product = (variants: object[], fields: object = {}) => ({ name: unique('P '), variants, ...fields });
const codeOf = (answer: Answer) => [answer.status, answer.body.error.details.code];
const pathsOf = (answer: Answer) =>
  answer.body.error.details.issues.map((issue: { path: string }) => issue.path);
const countOf = async () => (await request('GET', '/products?limit=1')).body.totalCount;

test('answers the product with every field, its variants twice, and the defaults that are documented', async () => {
  const sku = unique('MUG-');
  const answer = await create({ name: 'Enamel mug', brand: 'Hearth', variants: [{ title: 'Blue', sku }] });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['etag'], '"1"');
  const { data } = answer.body;
  assert.deepEqual(data.variants, data.productVariants);
  assert.deepEqual(
    [data.slug, data.isBundle, data.options, data.vendor, data.imageFile, data.archivedAt],
    ['enamel-mug', false, [], null, null, null],
  );
  const [variant] = data.variants;
  assert.equal(variant.product, null);
  assert.equal(variant.productId, data.id);
  const { price, currency, position, taxable, tracksInventory, inventoryPolicy, weightUnit } = variant;
  assert.deepEqual(
    [price, currency, position, taxable, tracksInventory, inventoryPolicy, weightUnit, variant.dimensions],
    [0, 'usd', 1, true, true, 'deny', 'oz', { length: null, width: null, height: null }],
  );
  assert.deepEqual((await request('GET', `/products/${data.id}`)).body.data, data);
});

test('keeps what was sent: amounts rounded half-even to four decimals, countries in upper case', async () => {
  const sent = {
    title: 'Large',
    sku: unique('SKU-'),
    skuAliases: ['OLD-1', 'OLD-2'],
    skuAlias: 'OLD-3',
    barcode: unique('4006381'),
    asin: unique('B0'),
    ean: unique('E'),
    isbn: unique('978'),
    upc: unique('0360'),
    price: 0.00005,
    compareAtPrice: 0.00015,
    wholesalePrice: 19.99,
    costPrice: null,
    currency: 'eur',
    position: 7,
    taxable: false,
    discountable: false,
    requiresShipping: false,
    tracksInventory: false,
    inventoryPolicy: 'continue',
    inventoryAllocationStrategy: 'FEFO',
    selectedOptions: [{ name: 'Size', value: 'L' }],
    image: 'https://example.com/large.png',
    weight: 1.5,
    weightUnit: 'kg',
    dimensions: { length: 1, width: 2.25 },
    dimensionsUnit: 'cm',
    tariffCode: '6912.00',
    countryOfOrigin: 'de',
    metadata: { a: 'b' },
  };
  const made = await makeProduct(request, { options: [{ name: 'Size', values: ['S', 'L'] }] }, [sent]);
  const { skuAlias, ...expected } = sent;
  const { title, ...rest } = made.variants[0];
  assert.deepEqual(
    { title, ...Object.fromEntries(Object.keys(expected).map((field) => [field, made.variants[0][field]])) },
    {
      ...expected,
      skuAliases: ['OLD-1', 'OLD-2', skuAlias],
      price: 0,
      compareAtPrice: 0.0002,
      countryOfOrigin: 'DE',
      dimensions: { length: 1, width: 2.25, height: null },
    },
  );
  assert.equal(rest.productId, made.id);
  assert.deepEqual(made.options, [{ name: 'Size', values: ['S', 'L'] }]);
});

test('a slug is made from the name, with the next free number; another organization counts for itself', async () => {
  const slugs = [];
  for (let i = 0; i < 3; i += 1) slugs.push((await makeProduct(request, { name: 'Größe “XL”' })).slug);
  assert.deepEqual(slugs, ['grosse-xl', 'grosse-xl-2', 'grosse-xl-3']);
  const other = await home.makeOrganization();
  assert.equal((await makeProduct(other.request, { name: 'Größe “XL”' })).slug, 'grosse-xl');
});

test('of many creates with one name at once, each gets a slug of its own', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => makeProduct(request, { name: 'Same' })));
  assert.equal(new Set(made.map(({ slug }) => slug)).size, 12);
});

test('409 slug_taken for a slug that was asked for and is taken, also by an archived product', async () => {
  const { id } = await makeProduct(request, { slug: 'mine' });
  await request('DELETE', `/products/${id}`);
  const answer = await create(product([{ title: 'a', sku: unique('SKU-') }], { slug: 'mine' }));
  assert.deepEqual(codeOf(answer), [409, 'slug_taken']);
  assert.equal(answer.body.error.details.productId, id);
});

test('409 names every sku and barcode that is taken and whose it is, and nothing is written', async () => {
  const barcode = unique('BAR-');
  const one = await makeVariant(request, { barcode });
  const two = await makeVariant(request);
  const before = await countOf();
  const fresh = unique('SKU-');
  const answer = await create(
    product([
      { title: 'a', sku: fresh, barcode },
      { title: 'b', sku: two.sku },
    ]),
  );
  assert.deepEqual(codeOf(answer), [409, 'sku_taken']);
  const { details } = answer.body.error;
  assert.deepEqual([details.sku, details.productVariantId], [two.sku, two.id]);
  assert.deepEqual(details.conflicts, [
    { field: 'sku', value: two.sku, productVariantId: two.id },
    { field: 'barcode', value: barcode, productVariantId: one.id },
  ]);
  const alone = await create(product([{ title: 'a', sku: fresh, barcode }]));
  assert.deepEqual(codeOf(alone), [409, 'barcode_taken']);
  assert.equal(await countOf(), before);
  await makeVariant(request, { sku: fresh });
});

test('a code is free again once its variant is archived, and one type of barcode does not take another', async () => {
  const sku = unique('SKU-');
  const code = unique('CODE-');
  const first = await makeVariant(request, { sku, upc: code });
  await makeVariant(request, { ean: code });
  await request('DELETE', `/products/${first.productId}/variants/${first.id}`);
  await makeVariant(request, { sku, upc: code });
});

test('of 20 creates of one sku at once, one succeeds and 19 are told which variant has it', async () => {
  const sku = unique('RACE-');
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(product([{ title: 'a', sku }]))));
  const made = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual([made.length, refused.length], [1, 19]);
  const { id } = made[0]!.body.data.variants[0];
  assert.deepEqual(new Set(refused.map(({ body }) => body.error.details.productVariantId)), new Set([id]));
});

test('creates of the same skus in opposite order end, one with 200 and one with 409', async () => {
  const [a, b] = [unique('A-'), unique('B-')];
  const bodies = [
    [a, b],
    [b, a],
  ].map((skus) => product(skus.map((sku) => ({ title: 'x', sku }))));
  const answers = await Promise.all(bodies.map((body) => create(body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('400 naming every wrong field at once', async () => {
  const answer = await create({
    slug: 'a b',
    imageUrl: 'ftp://x',
    variants: [{ title: '', price: -1, weightUnit: 'stone', countryOfOrigin: 'Germany', colour: 1 }],
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(pathsOf(answer).sort(), [
    '/imageUrl',
    '/name',
    '/slug',
    '/variants/0/colour',
    '/variants/0/countryOfOrigin',
    '/variants/0/price',
    '/variants/0/sku',
    '/variants/0/title',
    '/variants/0/weightUnit',
  ]);
  assert.deepEqual(pathsOf(await create({ name: 'x', variants: [] })), ['/variants']);
});

test('400 naming both of two variants in one body that share a code', async () => {
  const answer = await create(
    product([
      { title: 'a', sku: 'twice', upc: '1' },
      { title: 'b', sku: 'once', upc: '2' },
      { title: 'c', sku: 'twice', upc: '2' },
    ]),
  );
  assert.equal(answer.status, 400);
  assert.deepEqual(pathsOf(answer).sort(), [
    '/variants/0/sku',
    '/variants/1/upc',
    '/variants/2/sku',
    '/variants/2/upc',
  ]);
});

test('a bundle shows its bill of materials; a variant’s own wins over the product’s', async () => {
  const [a, b] = [await makeVariant(request), await makeVariant(request)];
  const bundle = await makeProduct(
    request,
    { isBundle: true, bomLineItems: [{ productVariantId: a.id, quantity: 2 }] },
    [{}, { bomLineItems: [{ productVariantId: b.id, quantity: 3 }] }],
  );
  const [first, second] = bundle.variants;
  assert.deepEqual(first.bom, { bomLineItems: first.bomLineItems });
  const { id, ...line } = first.bomLineItems[0];
  assert.ok(id);
  assert.deepEqual(line, {
    productVariantId: a.id,
    quantity: 2,
    productVariant: { id: a.id, title: a.title, sku: a.sku },
  });
  assert.deepEqual(
    second.bomLineItems.map((item: { productVariantId: string }) => item.productVariantId),
    [b.id],
  );
  assert.deepEqual([a.bom, a.bomLineItems], [null, []]);
});

test('400 for a bundle without a bill of materials, and for a bill of materials without a bundle', async () => {
  const component = await makeVariant(request);
  const bomLineItems = [{ productVariantId: component.id, quantity: 1 }];
  const variant = () => ({ title: 'a', sku: unique('SKU-') });
  const without = await create(product([variant()], { isBundle: true }));
  assert.deepEqual([without.status, pathsOf(without)], [400, ['/bomLineItems']]);
  const partly = await create(product([{ ...variant(), bomLineItems }, variant()], { isBundle: true }));
  assert.deepEqual([partly.status, pathsOf(partly)], [400, ['/variants/1/bomLineItems']]);
  const noBundle = await create(product([variant()], { bomLineItems }));
  assert.deepEqual([noBundle.status, pathsOf(noBundle)], [400, ['/bomLineItems']]);
});

test('400 naming every component that is repeated, unknown, foreign, archived or of a bundle, and nothing is written', async () => {
  const good = await makeVariant(request);
  const archived = await makeVariant(request);
  await request('DELETE', `/products/${archived.productId}`);
  const bundle = await makeBundle(request, { [good.id]: 1 });
  const foreign = await makeVariant((await home.makeOrganization()).request);
  const before = await countOf();
  const ids = [good.id, good.id.toUpperCase(), archived.id, bundle.id, foreign.id, home.organizationId];
  const bomLineItems = ids.map((productVariantId) => ({ productVariantId, quantity: 1 }));
  const answer = await create(
    product([{ title: 'a', sku: unique('SKU-') }], { isBundle: true, bomLineItems }),
  );
  assert.equal(answer.status, 400);
  assert.deepEqual(
    answer.body.error.details.issues.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['/bomLineItems/0/productVariantId', 'duplicate'],
      ['/bomLineItems/1/productVariantId', 'duplicate'],
      ['/bomLineItems/2/productVariantId', 'archived'],
      ['/bomLineItems/3/productVariantId', 'bundle_in_bundle'],
      ['/bomLineItems/4/productVariantId', 'not_found'],
      ['/bomLineItems/5/productVariantId', 'not_found'],
    ],
  );
  assert.equal(await countOf(), before);
});

test('writes product.created with the product as answered', async () => {
  const made = await makeProduct(request);
  const events = await home.database.query<{
    type: string;
    data: { object: unknown; previous: unknown };
  }>(sql`
    select type, data from events
    where organization_id = ${home.organizationId} and object_id = ${made.id}`);
  assert.deepEqual(events, [{ type: 'product.created', data: { object: made, previous: null } }]);
});

test('costs the same number of statements for 1 and for 100 variants', async () => {
  const variants = (count: number) =>
    Array.from({ length: count }, () => ({ title: 'a', sku: unique('SKU-') }));
  const one = await home.statements(() => create(product(variants(1))));
  const many = await home.statements(() => create(product(variants(100))));
  assert.equal(many.length, one.length);
});

test('an Idempotency-Key makes one product of two requests', async () => {
  const body = product([{ title: 'a', sku: unique('SKU-') }]);
  const [first, second] = [
    await create(body, { 'idempotency-key': 'once' }),
    await create(body, { 'idempotency-key': 'once' }),
  ];
  assert.equal(second.text, first.text);
  assert.equal(second.headers['idempotency-replayed'], 'true');
});

test('403 without products:write', async () => {
  const reader = home.as(await home.makeKey(['products:read', 'orders:write']));
  const answer = await reader('POST', '/products', product([{ title: 'a', sku: unique('SKU-') }]));
  assert.deepEqual(codeOf(answer), [403, 'permission_denied']);
});
