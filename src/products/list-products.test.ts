// listProducts and getProduct: what is shown, found, left out, and what a page costs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeBundle,
  makePlace,
  makeProduct,
  makeVariant,
  unique,
} from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const list = async (query: string, as = request) => {
  const answer = await as('GET', `/products?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name);

test('pages by number and by cursor show every product once, newest first', async () => {
  const { request: own } = await home.makeOrganization();
  for (const name of ['one', 'two', 'three']) await makeProduct(own, { name });
  const first = await list('limit=2', own);
  assert.deepEqual(
    [names(first), first.totalCount, first.hasMore, first.limit],
    [['three', 'two'], 3, true, 2],
  );
  const second = await list(`limit=2&cursor=${first.nextCursor}`, own);
  assert.deepEqual([names(second), second.hasMore, second.nextCursor], [['one'], false, null]);
  assert.deepEqual((await list('limit=2&page=2', own)).data, second.data);
});

test('sorts by each documented field, nulls last', async () => {
  const { request: own } = await home.makeOrganization();
  await makeProduct(own, { name: 'b', brand: 'x' });
  await makeProduct(own, { name: 'a' });
  await makeProduct(own, { name: 'c', brand: 'y' });
  assert.deepEqual(names(await list('sortBy=name&sortOrder=asc', own)), ['a', 'b', 'c']);
  assert.deepEqual(names(await list('sortBy=brand', own)), ['c', 'b', 'a']);
  assert.deepEqual(names(await list('sortBy=brand&sortOrder=asc', own)), ['b', 'c', 'a']);
  for (const field of ['createdAt', 'updatedAt', 'slug', 'vendor', 'manufacturer']) {
    assert.equal((await list(`sortBy=${field}`, own)).totalCount, 3);
  }
  const wrong = await own('GET', '/products?sortBy=price');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error.details.issues[0].message, /createdAt.*manufacturer/);
});

test('search finds a part of name, brand, sku and barcode in any case, and what changes is found anew', async () => {
  const { request: own } = await home.makeOrganization();
  const made = await makeProduct(own, { name: 'Ünïque Kettle', brand: 'Hearth' }, [
    { sku: 'KET-1' },
    { sku: 'KET-2', barcode: '40063_81' },
  ]);
  await makeProduct(own, { name: 'Other' }, [{ sku: 'OTHER' }]);
  for (const search of ['ÜNÏQUE', 'kettle', 'hear', 'ket-2', '063_8']) {
    assert.deepEqual(names(await list(`search=${encodeURIComponent(search)}`, own)), [made.name], search);
  }
  assert.deepEqual(names(await list('search=%25', own)), []);
  await own('POST', `/products/${made.id}`, { name: 'Pot', brand: null });
  await own('POST', `/products/${made.id}/variants/${made.variants[0].id}`, { sku: 'POT-1' });
  await own('POST', `/products/${made.id}/variants`, { title: 'x', sku: 'POT-9' });
  for (const search of ['kettle', 'hearth', 'ket-1']) {
    assert.equal((await list(`search=${search}`, own)).totalCount, 0, search);
  }
  for (const search of ['pot', 'ket-2', 'pot-1', 'pot-9']) {
    assert.equal((await list(`search=${search}`, own)).totalCount, 1, search);
  }
});

test('archived products are left out unless asked for, and the total follows', async () => {
  const { request: own } = await home.makeOrganization();
  await makeProduct(own, { name: 'kept' });
  const gone = await makeProduct(own, { name: 'gone' });
  await own('DELETE', `/products/${gone.id}`);
  const [without, all] = [await list('', own), await list('includeArchived=true', own)];
  assert.deepEqual([names(without), without.totalCount], [['kept'], 1]);
  assert.deepEqual([names(all), all.totalCount], [['gone', 'kept'], 2]);
  await own('POST', `/products/${gone.id}/restore`);
  assert.equal((await list('', own)).totalCount, 2);
});

test('totalCount is exact after products were made, archived and restored at once', async () => {
  const { request: own } = await home.makeOrganization();
  const made = await Promise.all(Array.from({ length: 12 }, () => makeProduct(own)));
  await Promise.all(made.slice(0, 5).map(({ id }) => own('DELETE', `/products/${id}`)));
  await Promise.all(made.slice(0, 2).map(({ id }) => own('POST', `/products/${id}/restore`)));
  assert.equal((await list('limit=1', own)).totalCount, 9);
  assert.equal((await list('limit=1&includeArchived=true', own)).totalCount, 12);
});

test('a page costs the same number of statements for 1 and for 100 products', async () => {
  const { request: own } = await home.makeOrganization();
  await makeProduct(own);
  const one = await home.statements(() => list('limit=100', own));
  for (let i = 0; i < 99; i += 1) await makeProduct(own, {}, [{}, {}]);
  const hundred = await home.statements(async () => {
    assert.equal((await list('limit=100', own)).data.length, 100);
  });
  assert.equal(hundred.length, one.length);
});

test('a variant shows its levels, and its locations that hold units', async () => {
  const variant = await makeVariant(request);
  const place = await makePlace(request);
  await addStock(request, place, variant.id, 5, { lotNumber: 'L1' });
  await addStock(request, place, variant.id, 2, { lotNumber: 'L2' });
  await addStock(request, place, variant.id, -2, { lotNumber: 'L2' });
  const { data } = (await request('GET', `/products/${variant.productId}`)).body;
  const { id, ...level } = data.variants[0].inventoryLevels[0];
  assert.ok(id);
  assert.deepEqual(level, {
    warehouseId: place.warehouseId,
    onHandQuantity: 5,
    availableQuantity: 5,
    committedQuantity: 0,
    reservedQuantity: 0,
    incomingQuantity: 0,
    damagedQuantity: 0,
    qualityControlQuantity: 0,
    safetyStockQuantity: 0,
  });
  const [{ id: locationId, ...location }, ...others] = data.variants[0].inventoryLocations;
  assert.ok(locationId);
  assert.deepEqual(
    [location, others],
    [{ ...place, quantity: 5, lotNumber: 'L1', expirationDate: null }, []],
  );
});

test('of a bundle, what is available in a warehouse is the least over its components that are tracked', async () => {
  const [two, one] = [await makeVariant(request), await makeVariant(request)];
  const untracked = await makeVariant(request, { tracksInventory: false });
  const bundle = await makeBundle(request, { [two.id]: 2, [one.id]: 1, [untracked.id]: 1 });
  const [full, half] = [await makePlace(request), await makePlace(request)];
  await addStock(request, full, two.id, 7);
  await addStock(request, full, one.id, 9);
  await addStock(request, half, two.id, 7);
  const { data } = (await request('GET', `/products/${bundle.productId}`)).body;
  const available = data.variants[0].inventoryLevels.map(
    (level: { warehouseId: string; availableQuantity: number; onHandQuantity: number }) => [
      level.warehouseId,
      level.availableQuantity,
      level.onHandQuantity,
    ],
  );
  assert.deepEqual(available, [
    [full.warehouseId, 3, 0],
    [half.warehouseId, 0, 0],
  ]);
  const listed = await request('GET', `/products/${bundle.productId}/inventory-level`);
  const ids = (levels: { id: string }[]) => levels.map(({ id }) => id).sort();
  assert.deepEqual(ids(data.variants[0].inventoryLevels), ids(listed.body.data));
});

test('404 of an unknown, a malformed and a foreign id alike', async () => {
  const foreign = await makeProduct((await home.makeOrganization()).request);
  for (const id of [foreign.id, home.organizationId, 'x']) {
    const answer = await request('GET', `/products/${id}`);
    assert.deepEqual([answer.status, answer.body.error.message], [404, 'No such product']);
  }
});

test('an id is found in any case, with its version as ETag', async () => {
  const made = await makeProduct(request, { name: unique('Case ') });
  const answer = await request('GET', `/products/${made.id.toUpperCase()}`);
  assert.deepEqual([answer.body.data, answer.headers['etag']], [made, '"1"']);
});

test('403 without products:read; products:write is enough', async () => {
  const made = await makeProduct(request);
  const [none, writer] = await Promise.all([
    home.makeKey(['inventory:write']),
    home.makeKey(['products:write']),
  ]);
  for (const path of ['/products', `/products/${made.id}`]) {
    assert.equal((await home.as(none)('GET', path)).status, 403);
    assert.equal((await home.as(writer)('GET', path)).status, 200);
  }
});
