// GET /products/{productId}/inventory-level: the levels of one product.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  make,
  makeBundle,
  makePlace,
  makeProduct,
  makeVariant,
  type Place,
  unique,
} from '../../test/support/factories.ts';
import { newId } from '../database/ids.ts';

let app: TestApp;
let request: Request;
let place: Place;
let second: Place;
before(async () => {
  app = await startTestApp();
  request = app.request;
  place = await makePlace(request);
  second = await makePlace(request);
});
after(() => app.close());

const levels = async (productId: string, query = '', as: Request = request) => {
  const answer = await as('GET', `/products/${productId}/inventory-level?limit=100&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

test('200 lists each variant in each warehouse, with the variant in short', async () => {
  const prefix = unique('P');
  const product = await makeProduct(request, { name: 'Mug' }, [
    { sku: `${prefix}-b`, title: 'Blue' },
    { sku: `${prefix}-a`, title: 'Ash' },
  ]);
  await addStock(request, place, `${prefix}-a`, 1);
  await addStock(request, place, `${prefix}-b`, 2);
  await addStock(request, second, `${prefix}-b`, 3);
  await addStock(request, place, (await makeVariant(request)).id, 9);
  const found = await levels(product.id);
  assert.deepEqual(
    found.map((level: { productVariant: { sku: string } }) => level.productVariant.sku),
    [`${prefix}-a`, `${prefix}-b`, `${prefix}-b`],
  );
  assert.deepEqual(found[0].productVariant, {
    id: product.variants.find((variant: { sku: string }) => variant.sku.endsWith('a')).id,
    organizationId: app.organizationId,
    productId: product.id,
    title: 'Ash',
    sku: `${prefix}-a`,
    skuAliases: [],
    product: { id: product.id, name: 'Mug', slug: product.slug },
  });
  const there = await levels(product.id, `warehouseId=${second.warehouseId}`);
  assert.deepEqual(
    there.map((level: { onHandQuantity: number }) => level.onHandQuantity),
    [3],
  );
  assert.equal((await levels(product.id, 'search=blue')).length, 2);
});

test('200 for an archived product, 404 for an unknown one and for another organization’s', async () => {
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 4);
  await request('DELETE', `/products/${variant.productId}`);
  assert.equal((await levels(variant.productId))[0].onHandQuantity, 4);
  for (const id of [newId(), 'mug', (await makeVariant((await app.makeOrganization()).request)).productId]) {
    const answer = await request('GET', `/products/${id}/inventory-level`);
    assert.deepEqual([answer.status, answer.body.error.details.code], [404, 'not_found']);
  }
});

test('200 of a bundle: as many as the scarcest component makes, in every warehouse that knows one', async () => {
  const [bolt, nut, service] = [
    await makeVariant(request),
    await makeVariant(request),
    await makeVariant(request, { tracksInventory: false }),
  ];
  const bundle = await makeBundle(request, { [bolt.id]: 2, [nut.id]: 3, [service.id]: 1 });
  assert.deepEqual(await levels(bundle.productId), []);
  await addStock(request, place, bolt.id, 9);
  await addStock(request, place, nut.id, 10);
  await addStock(request, second, bolt.id, 100);
  const byWarehouse = async () =>
    new Map(
      (await levels(bundle.productId)).map(
        (level: { warehouse: { id: string }; availableQuantity: number }) =>
          [level.warehouse.id, level.availableQuantity] as const,
      ),
    );
  assert.deepEqual(
    await byWarehouse(),
    new Map([
      [place.warehouseId, 3],
      [second.warehouseId, 0],
    ]),
  );
  await make(request, '/inventory/levels', {
    productVariantIdentifier: nut.id,
    warehouseId: place.warehouseId,
    safetyStockQuantity: 5,
  });
  assert.equal((await byWarehouse()).get(place.warehouseId), 1);

  const [level, ...others] = await levels(bundle.productId, `warehouseId=${place.warehouseId}`);
  assert.equal(others.length, 0);
  assert.equal(level.productVariant.id, bundle.id);
  assert.equal(level.onHandQuantity, 0);
  assert.equal((await levels(bundle.productId, `warehouseId=${place.warehouseId}`))[0].id, level.id);
});

test('200 of a bundle that has no bill of materials yet: its own stock', async () => {
  const product = await makeProduct(request);
  const [{ id }] = product.variants;
  await addStock(request, place, id, 4);
  await make(request, `/products/${product.id}`, { isBundle: true });
  assert.equal((await levels(product.id))[0].onHandQuantity, 4);
});

test('200 shows a parent the levels of a client’s product only with childInventory', async () => {
  const client = await app.makeOrganization({ parentId: app.organizationId });
  const theirs = await makePlace(client.request);
  const variant = await makeVariant(client.request);
  await addStock(client.request, theirs, variant.id, 6);
  const path = `/products/${variant.productId}/inventory-level`;
  assert.equal((await request('GET', path)).status, 404);
  const [level] = await levels(variant.productId, 'childInventory=true');
  assert.deepEqual([level.organizationId, level.onHandQuantity], [client.id, 6]);
});

test('the number of statements does not depend on the number of levels', async () => {
  const count = async (variants: number) => {
    const fields = Array.from({ length: variants }, () => ({}));
    const product = await makeProduct(request, {}, fields);
    for (const { id } of product.variants) await addStock(request, place, id, 1);
    return (await app.statements(() => levels(product.id))).length;
  };
  assert.equal(await count(1), await count(12));
});
