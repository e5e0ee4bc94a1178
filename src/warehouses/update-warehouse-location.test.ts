// updateWarehouseLocation: its fields, what a change of kind does to stock, and archiving.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeLocation,
  makePlace,
  makeVariant,
  makeWarehouse,
} from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const pathOf = ({ id, warehouseId }: { id: string; warehouseId: string }) =>
  `/warehouses/${warehouseId}/locations/${id}`;

test('changes what the body names; another type brings its default of pickable along', async () => {
  const warehouse = await makeWarehouse(request);
  const location = await makeLocation(request, warehouse.id, { sequence: 4 });
  const path = pathOf(location);
  const renamed = await make(request, path, { name: 'Z-9' });
  assert.deepEqual([renamed.name, renamed.type, renamed.pickable, renamed.sequence], ['Z-9', 'bin', true, 4]);
  const staging = await make(request, path, { type: 'staging' });
  assert.deepEqual([staging.type, staging.pickable], ['staging', false]);
  const both = await make(request, path, { type: 'shelf', pickable: false });
  assert.deepEqual([both.type, both.pickable], ['shelf', false]);
});

test('units that lie there count at once where they now belong, and there is a record of when', async () => {
  const place = await makePlace(request);
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 5);
  const path = pathOf({ id: place.warehouseLocationId, warehouseId: place.warehouseId });
  const figures = async () => {
    const level = await levelOf(request, place.warehouseId, variant);
    const { availableQuantity, reservedQuantity, damagedQuantity, qualityControlQuantity, onHandQuantity } =
      level;
    return [availableQuantity, reservedQuantity, damagedQuantity, qualityControlQuantity, onHandQuantity];
  };
  assert.deepEqual(await figures(), [5, 0, 0, 0, 5]);
  await make(request, path, { pickable: false });
  assert.deepEqual(await figures(), [0, 5, 0, 0, 5]);
  await make(request, path, { type: 'damaged' });
  assert.deepEqual(await figures(), [0, 0, 5, 0, 5]);
  await make(request, path, { type: 'quality-control' });
  assert.deepEqual(await figures(), [0, 0, 0, 5, 5]);
  await make(request, path, { type: 'bin' });
  assert.deepEqual(await figures(), [5, 0, 0, 0, 5]);
  await make(request, path, { sequence: 9 });
  const history = await home.database.query<{ kind: string }>(sql`
    select h.type || ' ' || h.pickable as kind from warehouse_location_history h
    where h.organization_id = ${home.organizationId} and h.warehouse_location_id = ${place.warehouseLocationId}
    order by h.created_at, h.id`);
  assert.deepEqual(
    history.map(({ kind }) => kind),
    ['bin true', 'bin false', 'damaged false', 'quality-control false', 'bin true'],
  );
  const verified = await request('GET', '/inventory/verify');
  assert.equal(verified.body.data.consistent, true, verified.text);
});

test('stock that arrives while the kind changes is counted as one or the other, once', async () => {
  const place = await makePlace(request);
  const variant = await makeVariant(request);
  const path = pathOf({ id: place.warehouseLocationId, warehouseId: place.warehouseId });
  const kinds = ['damaged', 'bin', 'quality-control', 'bin', 'damaged'];
  await Promise.all([
    ...kinds.map((type) => make(request, path, { type })),
    ...Array.from({ length: 10 }, () => addStock(request, place, variant.id, 2)),
  ]);
  const { type } = await make(request, path, {});
  const level = await levelOf(request, place.warehouseId, variant);
  const { availableQuantity, damagedQuantity, qualityControlQuantity, onHandQuantity } = level;
  assert.equal(onHandQuantity, 20);
  assert.deepEqual(
    [availableQuantity, damagedQuantity, qualityControlQuantity],
    ['bin', 'damaged', 'quality-control'].map((kind) => (kind === type ? 20 : 0)),
  );
});

test('409 in_use when it is archived with stock in it; empty, it is archived and takes none', async () => {
  const place = await makePlace(request);
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 2);
  const path = pathOf({ id: place.warehouseLocationId, warehouseId: place.warehouseId });
  const refused = await request('POST', path, { archived: true });
  assert.deepEqual([refused.status, refused.body.error.details.code], [409, 'in_use']);
  await addStock(request, place, variant.id, -2);
  assert.ok((await make(request, path, { archived: true })).archivedAt !== null);
  const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
  const stock = await request('POST', '/inventory', change);
  assert.deepEqual([stock.status, stock.body.error.details.code], [409, 'archived']);
  assert.equal((await make(request, path, { archived: false })).archivedAt, null);
  await addStock(request, place, variant.id, 1);
});

test('either stock arrives or the location is archived, never both', async () => {
  const variant = await makeVariant(request);
  for (let round = 0; round < 8; round += 1) {
    const place = await makePlace(request);
    const path = pathOf({ id: place.warehouseLocationId, warehouseId: place.warehouseId });
    const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
    const [archive, stock] = await Promise.all([
      request('POST', path, { archived: true }),
      request('POST', '/inventory', change),
    ]);
    assert.deepEqual([archive.status, stock.status].sort(), [200, 409], archive.text + stock.text);
  }
});

test('RECEIVING, DAMAGED and QC keep name and type and stay, whatever else changes', async () => {
  const { id } = await makeWarehouse(request);
  const list = await request('GET', `/warehouses/${id}/locations`);
  for (const location of list.body.data) {
    for (const body of [{ name: 'OTHER' }, { type: 'bin' }, { archived: true }]) {
      const answer = await request('POST', pathOf(location), body);
      assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'in_use']);
    }
    const same = { name: location.name, type: location.type, archived: false, sequence: 3 };
    assert.equal((await make(request, pathOf(location), same)).sequence, 3);
  }
  const receiving = list.body.data.find(({ name }: { name: string }) => name === 'RECEIVING');
  assert.equal((await make(request, pathOf(receiving), { pickable: false })).pickable, false);
});

test('409 name_taken, 412 when stale, 404 in another warehouse or organization', async () => {
  const [one, two] = [await makeWarehouse(request), await makeWarehouse(request)];
  const location = await makeLocation(request, one.id);
  const other = await makeLocation(request, one.id);
  const taken = await request('POST', pathOf(location), { name: other.name });
  assert.deepEqual([taken.status, taken.body.error.details.code], [409, 'name_taken']);
  const current = (await request('POST', pathOf(location), { sequence: 1 })).headers['etag']!;
  await make(request, pathOf(location), { sequence: 2 });
  const stale = await request('POST', pathOf(location), { sequence: 3 }, { 'if-match': current });
  assert.equal(stale.status, 412);
  const elsewhere = pathOf({ id: location.id, warehouseId: two.id });
  assert.equal((await request('POST', elsewhere, { sequence: 4 })).status, 404);
  const stranger = (await home.makeOrganization()).request;
  assert.equal((await stranger('POST', pathOf(location), { sequence: 5 })).status, 404);
  assert.equal((await make(request, pathOf(location), {})).sequence, 2);
});
