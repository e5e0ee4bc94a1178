// listVariants and getVariant: all of a product's variants, or a page of them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeProduct, makeVariant } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const product = await makeProduct(
  request,
  {},
  Array.from({ length: 12 }, (_, index) => ({
    title: `T${index}`,
    sku: `V-${100 + index}`,
    price: index % 3,
  })),
);
const list = async (query: string, id: string = product.id) => {
  const answer = await request('GET', `/products/${id}/variants${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const skus = (page: { data: { sku: string }[] }) => page.data.map(({ sku }) => sku);

test('all of them without limit, page and cursor, whatever else is asked', async () => {
  const all = await list('');
  assert.deepEqual(
    [all.data.length, all.totalCount, all.hasMore, all.nextCursor, all.limit],
    [12, 12, false, null, 12],
  );
  assert.equal((await list('?search=v-10&sortBy=sku')).data.length, 10);
});

test('a page as soon as one of the three is named, and cursors walk them all once', async () => {
  assert.equal((await list('?page=1')).data.length, 10);
  const first = await list('?limit=5&sortBy=sku&sortOrder=asc');
  assert.deepEqual(
    [skus(first), first.limit, first.hasMore],
    [['V-100', 'V-101', 'V-102', 'V-103', 'V-104'], 5, true],
  );
  const second = await list(`?sortBy=sku&sortOrder=asc&cursor=${first.nextCursor}`);
  assert.deepEqual([skus(second).length, skus(second)[0], second.hasMore], [7, 'V-105', false]);
  const other = await makeProduct(request);
  const answer = await request(
    'GET',
    `/products/${other.id}/variants?sortBy=sku&sortOrder=asc&cursor=${first.nextCursor}`,
  );
  assert.deepEqual([answer.status, answer.body.error.details.code], [400, 'invalid_cursor']);
});

test('sorts by each documented field', async () => {
  assert.equal(skus(await list('?sortBy=position&sortOrder=asc'))[0], 'V-100');
  assert.equal(skus(await list('?sortBy=price'))[0], 'V-111');
  for (const field of ['createdAt', 'updatedAt', 'title']) {
    assert.equal((await list(`?sortBy=${field}`)).data.length, 12);
  }
  assert.equal((await request('GET', `/products/${product.id}/variants?sortBy=weight`)).status, 400);
});

test('archived variants are left out unless asked for; an archived product lists those archived with it', async () => {
  const made = await makeProduct(request, {}, [{}, {}]);
  const [gone, kept] = made.variants;
  await request('DELETE', `/products/${made.id}/variants/${gone.id}`);
  assert.deepEqual(skus(await list('', made.id)), [kept.sku]);
  assert.equal((await list('?includeArchived=true', made.id)).totalCount, 2);
  await request('DELETE', `/products/${made.id}`);
  assert.deepEqual(skus(await list('', made.id)), [kept.sku]);
});

test('each is as it is answered alone, at a constant number of statements', async () => {
  const { data } = (await request('GET', `/products/${product.id}/variants/${product.variants[3].id}`)).body;
  const [first] = (await list('?search=V-103')).data;
  assert.deepEqual(first, data);
  assert.deepEqual([data.product.id, data.product.variants], [product.id, []]);
  const one = await makeProduct(request);
  const few = await home.statements(() => list('', one.id));
  const many = await home.statements(() => list(''));
  assert.equal(many.length, few.length);
});

test('404 for what is unknown, foreign or of another product; 403 without products:read', async () => {
  const foreign = await makeVariant((await home.makeOrganization()).request);
  for (const path of [
    `/products/${foreign.productId}/variants`,
    `/products/x/variants`,
    `/products/${foreign.productId}/variants/${foreign.id}`,
    `/products/${product.id}/variants/${foreign.id}`,
    `/products/${product.id}/variants/x`,
  ]) {
    assert.equal((await request('GET', path)).status, 404, path);
  }
  const none = home.as(await home.makeKey(['orders:write']));
  assert.equal((await none('GET', `/products/${product.id}/variants`)).status, 403);
  assert.equal((await none('GET', `/products/${product.id}/variants/${product.variants[0].id}`)).status, 403);
});
