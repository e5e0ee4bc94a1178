// createWarehouseLocation and listWarehouseLocations.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make, makeLocation, makeWarehouse } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;
const warehouse = await makeWarehouse(request);

test('is a pickable bin unless said otherwise; four types are not picked from', async () => {
  const bin = await make(request, `/warehouses/${warehouse.id}/locations`, { name: 'A-01-01' });
  const { id, createdAt, updatedAt, ...rest } = bin;
  assert.ok(id && createdAt === updatedAt);
  assert.deepEqual(rest, {
    organizationId: home.organizationId,
    warehouseId: warehouse.id,
    name: 'A-01-01',
    type: 'bin',
    pickable: true,
    sequence: 0,
    archivedAt: null,
  });
  const pickable: Record<string, boolean> = {};
  for (const type of [
    'shelf',
    'pallet',
    'floor',
    'receiving',
    'staging',
    'returns',
    'quality-control',
    'damaged',
  ]) {
    pickable[type] = (await makeLocation(request, warehouse.id, { type })).pickable;
  }
  assert.deepEqual(
    Object.keys(pickable).filter((type) => pickable[type]),
    ['shelf', 'pallet', 'floor', 'receiving'],
  );
  assert.equal(
    (await makeLocation(request, warehouse.id, { type: 'staging', pickable: true })).pickable,
    true,
  );
});

test('what it is from the start is on record', async () => {
  const location = await makeLocation(request, warehouse.id, { type: 'returns' });
  const history = await home.database.query(sql`
    select h.type, h.pickable, iso(h.created_at) as at from warehouse_location_history h
    where h.organization_id = ${home.organizationId} and h.warehouse_location_id = ${location.id}`);
  assert.deepEqual(history, [{ type: 'returns', pickable: false, at: location.createdAt }]);
});

test('409 name_taken in the same warehouse, also for the names that every warehouse has; free in another', async () => {
  const { name } = await makeLocation(request, warehouse.id);
  for (const taken of [name, 'RECEIVING']) {
    const answer = await request('POST', `/warehouses/${warehouse.id}/locations`, { name: taken });
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'name_taken']);
  }
  const other = await makeWarehouse(request);
  await makeLocation(request, other.id, { name });
});

test('of many creates of one name at once, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      request('POST', `/warehouses/${warehouse.id}/locations`, { name: 'RACE' }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});

test('409 archived in an archived warehouse', async () => {
  const { id } = await makeWarehouse(request);
  await make(request, `/warehouses/${id}`, { archived: true });
  const answer = await request('POST', `/warehouses/${id}/locations`, { name: 'A' });
  assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'archived']);
});

test('404 for a warehouse that is unknown or another organization’s, and nothing is made there', async () => {
  const stranger = (await home.makeOrganization()).request;
  const answer = await stranger('POST', `/warehouses/${warehouse.id}/locations`, { name: 'MINE' });
  assert.equal(answer.status, 404);
  assert.equal((await stranger('GET', `/warehouses/${warehouse.id}/locations`)).status, 404);
  const list = await request('GET', `/warehouses/${warehouse.id}/locations?search=MINE`);
  assert.equal(list.body.totalCount, 0);
});

test('400 names every wrong field at once', async () => {
  const wrong = { type: 'attic', pickable: null, sequence: '1', row: 3 };
  const answer = await request('POST', `/warehouses/${warehouse.id}/locations`, wrong);
  assert.equal(answer.status, 400);
  const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths.sort(), ['/name', '/pickable', '/row', '/sequence', '/type']);
});

test('the list is one warehouse’s, in the order asked for', async () => {
  const { id } = await makeWarehouse(request);
  await makeLocation(request, id, { name: 'B', sequence: 2 });
  await makeLocation(request, id, { name: 'A', sequence: 3 });
  const names = async (query: string) =>
    (await request('GET', `/warehouses/${id}/locations?${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  assert.deepEqual(await names('sortBy=name&sortOrder=asc'), ['A', 'B', 'DAMAGED', 'QC', 'RECEIVING']);
  assert.deepEqual(await names('sortBy=sequence&limit=2'), ['A', 'B']);
  assert.deepEqual(await names('search=rec'), ['RECEIVING']);
  const cursor = (await request('GET', `/warehouses/${id}/locations?limit=1`)).body.nextCursor;
  const elsewhere = await request('GET', `/warehouses/${warehouse.id}/locations?limit=1&cursor=${cursor}`);
  assert.equal(elsewhere.body.error.details.code, 'invalid_cursor');
});
