// createVariant: a product gains a variant.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../../test/support/app.ts';
import { makeBundle, makeProduct, makeVariant, unique } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const create = (productId: string, body: object) => request('POST', `/products/${productId}/variants`, body);
const read = async (id: string) => (await request('GET', `/products/${id}`)).body.data;
const codeOf = (answer: Answer) => [answer.status, answer.body.error.details.code];
const eventsOf = (id: string) =>
  home.database.query<{ type: string; data: unknown }>(sql`
    select type, data from events where organization_id = ${home.organizationId} and object_id = ${id}
    order by id`);

test('answers the variant with its product, which lists no variants again; it comes last', async () => {
  const made = await makeProduct(request, {}, [{ position: 4 }]);
  const sku = unique('SKU-');
  const answer = await create(made.id, { title: 'Second', sku, price: 3 });
  assert.deepEqual(
    [answer.status, answer.body.object, answer.headers['etag']],
    [200, 'product_variant', '"1"'],
  );
  const { product, ...variant } = answer.body.data;
  assert.deepEqual([variant.position, variant.price, variant.sku], [5, 3, sku]);
  const after = await read(made.id);
  assert.deepEqual(product, { ...after, variants: [], productVariants: [] });
  assert.deepEqual(after.variants[1], { ...variant, product: null });
});

test('behind the highest position that there is it still comes last', async () => {
  const { id } = await makeProduct(request, {}, [{ position: 1_000_000_000 }]);
  const { data } = (await create(id, { title: 'Behind', sku: unique('SKU-') })).body;
  assert.equal(data.position, 1_000_000_000);
  assert.equal((await read(id)).variants[1].id, data.id);
});

test('the product’s version rises, and product_variant.updated is written with nothing before it', async () => {
  const { id } = await makeProduct(request);
  const { data } = (await create(id, { title: 'a', sku: unique('SKU-') })).body;
  assert.equal((await request('GET', `/products/${id}`)).headers['etag'], '"2"');
  assert.deepEqual(await eventsOf(data.id), [
    { type: 'product_variant.updated', data: { object: data, previous: null } },
  ]);
});

test('409 for codes that are taken, with whose they are, and nothing is written', async () => {
  const { id } = await makeProduct(request);
  const other = await makeVariant(request, { isbn: unique('978') });
  const sku = await create(id, { title: 'a', sku: other.sku });
  assert.deepEqual([...codeOf(sku), sku.body.error.details.productVariantId], [409, 'sku_taken', other.id]);
  const isbn = await create(id, { title: 'a', sku: unique('SKU-'), isbn: other.isbn });
  assert.deepEqual(codeOf(isbn), [409, 'barcode_taken']);
  assert.equal((await read(id)).variants.length, 1);
});

test('of 20 creates of one sku at once, one succeeds and 19 are 409', async () => {
  const products = [await makeProduct(request), await makeProduct(request)];
  const sku = unique('RACE-');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create(products[index % 2].id, { title: 'a', sku })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
});

test('a variant of a bundle needs a bill of materials, and no other may have one', async () => {
  const component = await makeVariant(request);
  const bundle = await makeBundle(request, { [component.id]: 1 });
  const bomLineItems = [{ productVariantId: component.id, quantity: 4 }];
  const body = { title: 'a', sku: unique('SKU-') };
  assert.equal((await create(bundle.productId, body)).status, 400);
  assert.equal((await create(component.productId, { ...body, bomLineItems })).status, 400);
  const made = await create(bundle.productId, { ...body, bomLineItems });
  assert.equal(made.body.data.bomLineItems[0].quantity, 4);
  assert.deepEqual(made.body.data.bom, { bomLineItems: made.body.data.bomLineItems });
});

test('400 for a body that is wrong, 404 without the product, 409 when it is archived, 403 without products:write', async () => {
  const { id } = await makeProduct(request);
  const wrong = await create(id, { title: 'a' });
  assert.deepEqual([wrong.status, wrong.body.error.details.issues[0].path], [400, '/sku']);
  const body = { title: 'a', sku: unique('SKU-') };
  const foreign = await makeProduct((await home.makeOrganization()).request);
  for (const unknown of [foreign.id, home.organizationId, 'x']) {
    assert.equal((await create(unknown, body)).status, 404);
  }
  const reader = home.as(await home.makeKey(['products:read']));
  assert.equal((await reader('POST', `/products/${id}/variants`, body)).status, 403);
  await request('DELETE', `/products/${id}`);
  assert.deepEqual(codeOf(await create(id, body)), [409, 'archived']);
});
