// GET /inventory/locations: where the units of a variant are in a warehouse.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeLocation,
  makePlace,
  makeVariant,
  makeWarehouse,
  type Place,
  unique,
} from '../../test/support/factories.ts';
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

const locations = (identifier: string, fields = '', warehouseId = place.warehouseId) =>
  request(
    'GET',
    `/inventory/locations?productVariantIdentifier=${identifier}&warehouseId=${warehouseId}${fields}`,
  );

test('200 shows a record with its variant and its location, and no paging', async () => {
  const variant = await makeVariant(request, { title: 'Blue' });
  const { id, name } = await makeLocation(request, place.warehouseId, { type: 'shelf' });
  const expirationDate = '2031-01-01T00:00:00.000Z';
  await addStock(request, place, variant.id, 7, { warehouseLocationId: id, lotNumber: 'L1', expirationDate });
  const { body } = await locations(variant.sku);
  assert.deepEqual(Object.keys(body).sort(), ['data', 'object', 'totalCount']);
  assert.deepEqual([body.object, body.totalCount], ['list', 1]);
  const { id: recordId, createdAt, updatedAt, ...record } = body.data[0];
  assert.deepEqual(record, {
    organizationId: app.organizationId,
    warehouseLocationId: id,
    productVariantId: variant.id,
    quantity: 7,
    unitsOfMeasureId: null,
    uomQuantity: null,
    expirationDate,
    lotNumber: 'L1',
    archivedAt: null,
    organization: null,
    productVariant: { id: variant.id, title: 'Blue', sku: variant.sku },
    warehouseLocation: { id, name, type: 'shelf', pickable: true },
    unitsOfMeasure: null,
  });
  assert.ok(recordId && createdAt && updatedAt);
});

test('200 in pick order, without what is empty or in another warehouse', async () => {
  const variant = await makeVariant(request);
  const at = async (sequence: number) => (await makeLocation(request, place.warehouseId, { sequence })).id;
  const [late, early, emptied] = [await at(30), await at(10), await at(20)];
  for (const warehouseLocationId of [late, early, emptied]) {
    await addStock(request, place, variant.id, 2, { warehouseLocationId });
  }
  await addStock(request, place, variant.id, -2, { warehouseLocationId: emptied });
  await addStock(request, await makePlace(request), variant.id, 9);
  const { body } = await locations(variant.id);
  assert.deepEqual(
    body.data.map((record: { warehouseLocationId: string }) => record.warehouseLocationId),
    [early, late],
  );
});

test('200 by id, sku, alias or barcode, or by the one that is asked for', async () => {
  const [sku, alias, barcode] = [unique('S'), unique('ALIAS'), unique('BAR')];
  const variant = await makeVariant(request, { sku, barcode, skuAliases: [alias] });
  await addStock(request, place, sku, 1);
  for (const [type, identifier] of Object.entries({ id: variant.id, sku, skuAliases: alias, barcode })) {
    assert.equal((await locations(identifier)).body.totalCount, 1);
    assert.equal((await locations(identifier, `&identifierType=${type}`)).body.totalCount, 1);
  }
  const wrongType = await locations(sku, '&identifierType=barcode');
  assert.deepEqual([wrongType.status, wrongType.body.error.details.code], [404, 'variant_not_found']);
});

test('404 for an unknown variant, 400 for an unknown or foreign warehouse and for paging', async () => {
  const variant = await makeVariant(request);
  assert.equal((await locations('no-such-thing')).status, 404);
  const foreign = await makeWarehouse((await app.makeOrganization()).request);
  for (const [path, answer] of [
    ['/warehouseId', await locations(variant.id, '', newId())],
    ['/warehouseId', await locations(variant.id, '', foreign.id)],
    ['/warehouseId', await locations(variant.id, '', 'north')],
    ['/limit', await locations(variant.id, '&limit=10')],
    ['/identifierType', await locations(variant.id, '&identifierType=upc')],
  ] as const) {
    const paths = answer.body.error?.details.issues?.map((issue: { path: string }) => issue.path);
    assert.deepEqual([answer.status, paths], [400, [path]]);
  }
  const nothing = await request('GET', '/inventory/locations');
  assert.deepEqual(
    nothing.body.error.details.issues.map((issue: { path: string }) => issue.path),
    ['/productVariantIdentifier', '/warehouseId'],
  );
});
