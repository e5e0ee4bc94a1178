// POST /inventory: units added, removed and moved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  makeBundle,
  makeLocation,
  makePlace,
  makeVariant,
  makeWarehouse,
  type Place,
  unique,
} from '../../test/support/factories.ts';
import { eventsOf, rowsOf } from '../../test/support/rows.ts';
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

const change = (variant: string, changeQuantity: number, fields: object = {}) =>
  request('POST', '/inventory', {
    productVariantIdentifier: variant,
    ...place,
    changeQuantity,
    ...fields,
  });

const movementsOf = async (variantId: string) =>
  (await request('GET', `/inventory/movements?productVariantId=${variantId}&sortOrder=asc`)).body.data;

test('200 adds, removes and moves, and says so with the record that results', async () => {
  const warehouse = await makeWarehouse(request);
  const [from, to] = [
    await makeLocation(request, warehouse.id, { name: 'A-01-01' }),
    await makeLocation(request, warehouse.id, { name: 'B-02' }),
  ];
  const variant = await makeVariant(request);
  const here = { warehouseId: warehouse.id, warehouseLocationId: from.id };

  const added = await change(variant.sku, 50, here);
  assert.equal(added.body.object, 'inventoryUpdate');
  assert.equal(added.body.success, true);
  assert.equal(added.body.message, 'Successfully added 50 units to A-01-01');
  assert.equal(added.body.data.quantity, 50);
  assert.equal(added.body.data.warehouseLocationId, from.id);
  assert.equal(added.body.data.productVariantId, variant.id);
  assert.deepEqual(
    ['organization', 'productVariant', 'warehouseLocation', 'unitsOfMeasure'].filter(
      (field) => field in added.body.data,
    ),
    [],
  );
  assert.equal(added.body.source, undefined);

  const removed = await change(variant.sku, -1, here);
  assert.equal(removed.body.message, 'Successfully removed 1 unit from A-01-01');
  assert.equal(removed.body.data.quantity, 49);

  const moved = await change(variant.sku, 9, { ...here, moveToWarehouseLocationId: to.id });
  assert.equal(moved.body.message, 'Successfully moved 9 units from A-01-01 to B-02');
  assert.deepEqual([moved.body.data.warehouseLocationId, moved.body.data.quantity], [to.id, 9]);
  assert.deepEqual([moved.body.source.warehouseLocationId, moved.body.source.quantity], [from.id, 40]);

  const level = await levelOf(request, warehouse.id, variant);
  assert.deepEqual([level.onHandQuantity, level.availableQuantity], [49, 49]);
});

test('200 writes the ledger, with a reason even where none is given, and an event', async () => {
  const variant = await makeVariant(request);
  const other = await makeLocation(request, place.warehouseId);
  const eventsBefore = (await eventsOf(app.database, app.organizationId)).length;
  await change(variant.id, 5);
  await change(variant.id, -2, { reason: 'cycle-count' });
  await change(variant.id, 1, { moveToWarehouseLocationId: other.id, reason: null });
  const here = place.warehouseLocationId;
  assert.deepEqual(
    (await movementsOf(variant.id)).map((row: Record<string, unknown>) => [
      row['quantity'],
      row['fromWarehouseLocationId'],
      row['toWarehouseLocationId'],
      row['reason'],
    ]),
    [
      [5, null, here, 'adjustment'],
      [-2, here, null, 'cycle-count'],
      [1, here, other.id, 'move'],
    ],
  );
  const events = (await eventsOf(app.database, app.organizationId)).slice(eventsBefore);
  assert.deepEqual(
    events.filter((type) => type !== 'inventory.low'),
    ['inventory.adjusted', 'inventory.adjusted', 'inventory.moved'],
  );
});

test('200 finds the variant by id, sku, alias or barcode, and by one of them alone when told which', async () => {
  const [sku, alias, barcode] = [unique('S'), unique('ALIAS'), unique('BAR')];
  const variant = await makeVariant(request, { sku, barcode, skuAliases: [alias] });
  for (const [identifierType, identifier] of Object.entries({
    id: variant.id,
    sku,
    skuAliases: alias,
    barcode,
  })) {
    assert.equal((await change(identifier, 1)).body.data?.productVariantId, variant.id, identifierType);
    assert.equal((await change(identifier, 1, { identifierType })).status, 200, identifierType);
    assert.equal((await change(identifier, 1, { identifierType: null })).status, 200, identifierType);
  }
  assert.equal(
    (await change(sku, 1, { identifierType: 'barcode' })).body.error.details.code,
    'variant_not_found',
  );
});

test('404 variant_not_found, 400 ambiguous_identifier', async () => {
  const missing = await change('no-such-thing', 1);
  assert.deepEqual([missing.status, missing.body.error.details.code], [404, 'variant_not_found']);
  const alias = unique('SHARED');
  await makeVariant(request, { skuAliases: [alias] });
  await makeVariant(request, { skuAliases: [alias] });
  const ambiguous = await change(alias, 1);
  assert.deepEqual([ambiguous.status, ambiguous.body.error.details.code], [400, 'ambiguous_identifier']);
});

test('400 names what is wrong with a quantity, a move, a warehouse or a location, and nothing is written', async () => {
  const variant = await makeVariant(request);
  await change(variant.id, 10);
  const elsewhere = await makePlace(request);
  const bundle = await makeBundle(request, { [variant.id]: 2 });
  const untracked = await makeVariant(request, { tracksInventory: false });
  const before = await rowsOf(app.database, app.organizationId);
  const cases: [string, string, number, object][] = [
    ['/changeQuantity', variant.id, 0, {}],
    ['/changeQuantity', variant.id, 1.5, {}],
    ['/changeQuantity', variant.id, 2_000_000_000, {}],
    ['/changeQuantity', variant.id, -1, { moveToWarehouseLocationId: elsewhere.warehouseLocationId }],
    ['/moveToWarehouseLocationId', variant.id, 1, { moveToWarehouseLocationId: place.warehouseLocationId }],
    [
      '/moveToWarehouseLocationId',
      variant.id,
      1,
      { moveToWarehouseLocationId: elsewhere.warehouseLocationId },
    ],
    ['/moveToWarehouseLocationId', variant.id, 1, { moveToWarehouseLocationId: newId() }],
    ['/warehouseLocationId', variant.id, 1, { warehouseLocationId: newId() }],
    ['/warehouseLocationId', variant.id, 1, { warehouseLocationId: elsewhere.warehouseLocationId }],
    ['/warehouseLocationId', variant.id, 1, { warehouseLocationId: 'A-01' }],
    ['/warehouseId', variant.id, 1, { warehouseId: newId() }],
    ['/productVariantIdentifier', bundle.id, 1, {}],
    ['/productVariantIdentifier', untracked.id, 1, {}],
    ['/expectedQuantity', variant.id, 1, { expectedQuantity: -1 }],
    ['/lotNumber', variant.id, 1, { lotNumber: '' }],
    ['/quantity', variant.id, 1, { quantity: 1 }],
  ];
  for (const [path, identifier, quantity, fields] of cases) {
    const answer = await change(identifier, quantity, fields);
    const paths = answer.body.error?.details.issues?.map((issue: { path: string }) => issue.path);
    assert.deepEqual([answer.status, paths], [400, [path]], JSON.stringify([quantity, fields]));
  }
  assert.deepEqual(await rowsOf(app.database, app.organizationId), before);
});

test('409 insufficient_stock when more leaves than is there, and nothing is written', async () => {
  const variant = await makeVariant(request);
  await change(variant.id, 10);
  const other = await makeLocation(request, place.warehouseId);
  const before = await rowsOf(app.database, app.organizationId);
  for (const [quantity, fields] of [
    [-11, {}],
    [11, { moveToWarehouseLocationId: other.id }],
    [-1, { warehouseLocationId: other.id }],
    [-1, { lotNumber: 'L1' }],
  ] as const) {
    const answer = await change(variant.id, quantity, fields);
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'insufficient_stock']);
  }
  assert.deepEqual(await rowsOf(app.database, app.organizationId), before);
});

test('409 archived for units that would come into an archived location', async () => {
  const variant = await makeVariant(request);
  const location = await makeLocation(request, place.warehouseId);
  await change(variant.id, 5);
  const path = `/warehouses/${place.warehouseId}/locations/${location.id}`;
  assert.equal((await request('POST', path, { archived: true })).status, 200);
  for (const fields of [{ warehouseLocationId: location.id }, { moveToWarehouseLocationId: location.id }]) {
    const answer = await change(variant.id, 1, fields);
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'archived']);
  }
});

test('a named lot is taken from alone; without a name the expired lot leaves first', async () => {
  const variant = await makeVariant(request, { inventoryAllocationStrategy: 'FEFO' });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await change(variant.id, 4, { lotNumber: 'LATE', expirationDate: day(300) });
  await change(variant.id, 4, { lotNumber: 'SOON', expirationDate: day(30) });
  await change(variant.id, 4, { lotNumber: 'GONE', expirationDate: day(-1) });
  const level = await levelOf(request, place.warehouseId, variant);
  assert.deepEqual([level.availableQuantity, level.reservedQuantity, level.onHandQuantity], [8, 4, 12]);

  const named = await change(variant.id, -1, { lotNumber: 'LATE' });
  assert.deepEqual([named.body.data.lotNumber, named.body.data.quantity], ['LATE', 3]);
  await change(variant.id, -6);
  const taken = (await movementsOf(variant.id)).slice(4);
  const lots = taken.map((row: { lotNumber: string; quantity: number }) => [row.lotNumber, row.quantity]);
  assert.deepEqual(
    new Map(lots),
    new Map([
      ['GONE', -4],
      ['SOON', -2],
    ]),
  );
});

test('a parent changes the stock of the client that it names, and not its own', async () => {
  const client = await app.makeOrganization({ parentId: app.organizationId });
  const theirs = await makePlace(client.request);
  const variant = await makeVariant(client.request);
  const body = { productVariantIdentifier: variant.sku, ...theirs, changeQuantity: 4 };
  const foreign = await request('POST', '/inventory', body);
  assert.equal(foreign.status, 404);
  const made = await request('POST', '/inventory', body, { 'x-service-client': client.slug });
  assert.equal(made.body.data.organizationId, client.id);
  const own = await makeVariant(request);
  const misplaced = await change(own.id, 1, theirs);
  assert.deepEqual(
    misplaced.body.error.details.issues.map((issue: { path: string }) => issue.path),
    ['/warehouseId'],
  );
});

test('the number of statements is the same for a first and a later change', async () => {
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 1);
  const first = await app.statements(() => change(variant.id, 1));
  const later = await app.statements(() => change(variant.id, 1));
  assert.equal(first.length, later.length);
});
