// updateProduct: the fields that are named, the slug, and turning a bundle on and off.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeBundle,
  makePlace,
  makeProduct,
  makeVariant,
  unique,
} from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const update = (id: string, body: unknown, headers = {}) => request('POST', `/products/${id}`, body, headers);
const read = async (id: string) => (await request('GET', `/products/${id}`)).body.data;
const codeOf = (answer: Answer) => [answer.status, answer.body.error.details.code];
const pathsOf = (answer: Answer) =>
  answer.body.error.details.issues.map((issue: { path: string }) => issue.path);

test('changes what is named and nothing else; null unsets; the version rises', async () => {
  const made = await makeProduct(request, { brand: 'Hearth', vendor: 'V', description: 'D', eccn: 'EAR99' });
  const body = { name: 'New', brand: null, options: [{ name: 'Size', values: ['S'] }], metadata: { a: 'b' } };
  const answer = await update(made.id, body);
  assert.equal(answer.headers['etag'], '"2"');
  const { updatedAt, ...data } = answer.body.data;
  const { updatedAt: before, ...unchanged } = made;
  assert.ok(updatedAt >= before);
  assert.deepEqual(data, { ...unchanged, ...body });
});

test('the slug stays when the name changes, and may be set to one that is free', async () => {
  const made = await makeProduct(request, { name: 'First name' });
  assert.equal((await update(made.id, { name: 'Second name' })).body.data.slug, 'first-name');
  assert.equal((await update(made.id, { slug: 'third-name' })).body.data.slug, 'third-name');
  assert.equal((await update(made.id, { slug: 'third-name' })).status, 200);
  const other = await makeProduct(request, { slug: 'held' });
  const taken = await update(made.id, { slug: 'held' });
  assert.deepEqual(codeOf(taken), [409, 'slug_taken']);
  assert.equal(taken.body.error.details.productId, other.id);
});

test('of many updates to one slug at once, one succeeds and the others are 409', async () => {
  const made = [];
  for (let i = 0; i < 6; i += 1) made.push(await makeProduct(request));
  const answers = await Promise.all(made.map(({ id }) => update(id, { slug: 'wanted' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});

test('writes product.updated with the product before and after', async () => {
  const made = await makeProduct(request);
  const { data } = (await update(made.id, { brand: 'B' })).body;
  const [event] = await home.database.query<{ data: unknown }>(sql`
    select data from events where organization_id = ${home.organizationId} and object_id = ${made.id}
      and type = 'product.updated'`);
  assert.deepEqual(event!.data, { object: data, previous: made });
});

test('isBundle with bomLineItems makes every variant a bundle; without, each waits for its own; false removes them', async () => {
  const [a, b] = [await makeVariant(request), await makeVariant(request)];
  const made = await makeProduct(request, {}, [{}, {}]);
  const waiting = (await update(made.id, { isBundle: true })).body.data;
  assert.deepEqual([waiting.isBundle, waiting.variants[0].bom], [true, null]);
  const items = (of: { bomLineItems: { productVariantId: string; quantity: number }[] }) =>
    of.bomLineItems.map(({ productVariantId, quantity }) => [productVariantId, quantity]);
  const on = (await update(made.id, { bomLineItems: [{ productVariantId: a.id, quantity: 2 }] })).body.data;
  assert.deepEqual(on.variants.map(items), [[[a.id, 2]], [[a.id, 2]]]);
  const changed = { bomLineItems: [{ productVariantId: b.id, quantity: 1 }] };
  assert.deepEqual((await update(made.id, changed)).body.data.variants.map(items), [
    [[b.id, 1]],
    [[b.id, 1]],
  ]);
  const off = (await update(made.id, { isBundle: false })).body.data;
  assert.deepEqual([off.isBundle, off.variants[0].bom, off.variants[0].bomLineItems], [false, null, []]);
  assert.equal((await update(b.productId, { isBundle: true })).status, 200);
});

test('409 in_use for a bundle of what is a component, with the bundles that hold it', async () => {
  const component = await makeVariant(request);
  const bundle = await makeBundle(request, { [component.id]: 1 });
  const answer = await update(component.productId, { isBundle: true });
  assert.deepEqual(codeOf(answer), [409, 'in_use']);
  assert.deepEqual(answer.body.error.details.bundleVariantIds, [bundle.id]);
});

test('409 in_use for a bill of materials of a variant that has stock of its own', async () => {
  const [stocked, component] = [await makeVariant(request), await makeVariant(request)];
  const place = await makePlace(request);
  await addStock(request, place, stocked.id, 1);
  const body = { isBundle: true, bomLineItems: [{ productVariantId: component.id, quantity: 1 }] };
  const answer = await update(stocked.productId, body);
  assert.deepEqual(codeOf(answer), [409, 'in_use']);
  assert.deepEqual(answer.body.error.details.productVariantIds, [stocked.id]);
  assert.equal((await read(stocked.productId)).isBundle, false);
  await addStock(request, place, stocked.id, -1);
  assert.equal((await update(stocked.productId, body)).status, 200);
});

test('400 for a bill of materials without a bundle, and for one that holds its own product', async () => {
  const made = await makeProduct(request, {}, [{}, {}]);
  const bomLineItems = [{ productVariantId: made.variants[1].id, quantity: 1 }];
  const without = await update(made.id, { bomLineItems });
  assert.deepEqual([without.status, pathsOf(without)], [400, ['/bomLineItems']]);
  const own = await update(made.id, { isBundle: true, bomLineItems });
  assert.deepEqual([own.status, pathsOf(own)], [400, ['/bomLineItems/0/productVariantId']]);
});

test('of two products that are to hold each other at once, at most one becomes a bundle', async () => {
  const [a, b] = [await makeVariant(request), await makeVariant(request)];
  const bundleOf = (of: { productId: string }, component: { id: string }) =>
    update(of.productId, {
      isBundle: true,
      bomLineItems: [{ productVariantId: component.id, quantity: 1 }],
    });
  const answers = await Promise.all([bundleOf(a, b), bundleOf(b, a)]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status } of answers) assert.ok([200, 400, 409].includes(status));
});

test('400 for fields that cannot be unset, and for variants, which have an endpoint of their own', async () => {
  const { id } = await makeProduct(request);
  const answer = await update(id, { name: null, slug: null, isBundle: null, variants: [], nam: 'x' });
  assert.equal(answer.status, 400);
  assert.deepEqual(pathsOf(answer).sort(), ['/isBundle', '/nam', '/name', '/slug', '/variants']);
});

test('412 when the product has changed since it was read, also by a change of a variant', async () => {
  const { id, variants } = await makeProduct(request);
  await request('POST', `/products/${id}/variants/${variants[0].id}`, { price: 2 });
  assert.equal((await update(id, { brand: 'x' }, { 'if-match': '"1"' })).status, 412);
  assert.equal((await update(id, { brand: 'x' }, { 'if-match': '"2"' })).status, 200);
});

test('404 of an unknown, a malformed and a foreign id alike; 403 without products:write', async () => {
  const foreign = await makeProduct((await home.makeOrganization()).request);
  for (const id of [foreign.id, home.organizationId, 'x']) {
    assert.equal((await update(id, { name: 'x' })).status, 404, id);
  }
  const { id } = await makeProduct(request, { name: unique('Kept ') });
  const reader = home.as(await home.makeKey(['products:read']));
  assert.equal((await reader('POST', `/products/${id}`, { name: 'x' })).status, 403);
});
