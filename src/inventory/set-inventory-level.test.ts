// POST /inventory/levels: safety stock.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeBundle,
  makePlace,
  makeVariant,
  makeWarehouse,
  type Place,
} from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { newId } from '../database/ids.ts';

let app: TestApp;
let request: Request;
let place: Place;
before(async () => {
  app = await startTestApp();
  request = app.request;
  place = await makePlace(request);
});
after(() => app.close());

const set = (identifier: string, safetyStockQuantity: number, fields: object = {}) =>
  request('POST', '/inventory/levels', {
    productVariantIdentifier: identifier,
    warehouseId: place.warehouseId,
    safetyStockQuantity,
    ...fields,
  });

test('200 keeps units back from sale, and answers the level', async () => {
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 10);
  const answer = await set(variant.sku, 4);
  assert.equal(answer.body.object, 'inventory-level');
  const { data } = answer.body;
  assert.deepEqual(
    [data.availableQuantity, data.safetyStockQuantity, data.onHandQuantity, data.productVariant.sku],
    [6, 4, 10, variant.sku],
  );
  assert.deepEqual((await levelOf(request, place.warehouseId, variant)).id, data.id);
  assert.equal((await set(variant.sku, 0)).body.data.availableQuantity, 10);
  assert.equal((await set(variant.sku, 25)).body.data.availableQuantity, -15);
});

test('200 makes the level of a variant that was never in the warehouse', async () => {
  const variant = await makeVariant(request);
  const { data } = (await set(variant.id, 3)).body;
  assert.deepEqual([data.onHandQuantity, data.availableQuantity], [0, -3]);
  await addStock(request, place, variant.id, 5);
  assert.equal((await levelOf(request, place.warehouseId, variant)).availableQuantity, 2);
});

test('400 names an unknown warehouse, a bundle, an untracked variant, a negative quantity; 404 an unknown variant', async () => {
  const variant = await makeVariant(request);
  const bundle = await makeBundle(request, { [variant.id]: 1 });
  const untracked = await makeVariant(request, { tracksInventory: false });
  const foreign = await makeWarehouse((await app.makeOrganization()).request);
  const before = await rowsOf(app.database, app.organizationId);
  for (const [path, answer] of [
    ['/warehouseId', await set(variant.id, 1, { warehouseId: newId() })],
    ['/warehouseId', await set(variant.id, 1, { warehouseId: foreign.id })],
    ['/productVariantIdentifier', await set(bundle.id, 1)],
    ['/productVariantIdentifier', await set(untracked.id, 1)],
    ['/safetyStockQuantity', await set(variant.id, -1)],
  ] as const) {
    const paths = answer.body.error?.details.issues?.map((issue: { path: string }) => issue.path);
    assert.deepEqual([answer.status, paths], [400, [path]]);
  }
  assert.equal((await set('no-such-thing', 1)).status, 404);
  assert.deepEqual(await rowsOf(app.database, app.organizationId), before);
});

test('409 in a warehouse that is archived, or that a parent no longer shares, and nothing is written', async () => {
  const variant = await makeVariant(request);
  const archived = await makeWarehouse(request);
  assert.equal((await set(variant.id, 2, { warehouseId: archived.id })).status, 200);
  assert.equal((await set(variant.id, 0, { warehouseId: archived.id })).status, 200);
  await make(request, `/warehouses/${archived.id}`, { archived: true });
  const child = await app.makeOrganization({ parentId: app.organizationId });
  const shared = await makeWarehouse(request, { sharedWithChildren: true });
  const own = await makeVariant(child.request);
  await make(request, `/warehouses/${shared.id}`, { sharedWithChildren: false });
  const before = [await rowsOf(app.database, app.organizationId), await rowsOf(app.database, child.id)];
  const keep = { productVariantIdentifier: own.id, warehouseId: shared.id, safetyStockQuantity: 1 };
  for (const answer of [
    await set(variant.id, 1, { warehouseId: archived.id }),
    await child.request('POST', '/inventory/levels', keep),
  ]) {
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'archived']);
  }
  assert.deepEqual(
    [await rowsOf(app.database, app.organizationId), await rowsOf(app.database, child.id)],
    before,
  );
  assert.equal((await set(variant.id, 0, { warehouseId: archived.id })).status, 200);
});
