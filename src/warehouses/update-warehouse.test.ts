// updateWarehouse: its fields, and archiving. What it does to children is in sharing.test.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  make,
  makeLocation,
  makeOrder,
  makePlace,
  makeVariant,
  makeWarehouse,
} from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const update = (id: string, body: object, headers?: Record<string, string>) =>
  request('POST', `/warehouses/${id}`, body, headers);

test('changes what the body names; an address is replaced as a whole, and null unsets it', async () => {
  const before = await makeWarehouse(request, {
    address: { street1: '1 Mill St', city: 'Reno' },
    metadata: { a: '1' },
  });
  const { data } = (await update(before.id, { priority: 7, address: { city: 'Elko' } })).body;
  assert.deepEqual([data.name, data.priority, data.metadata], [before.name, 7, { a: '1' }]);
  assert.deepEqual(
    [data.address.city, data.address.street1, data.addressId],
    ['Elko', null, before.addressId],
  );
  assert.ok(data.updatedAt > before.updatedAt && data.createdAt === before.createdAt);
  const unset = await update(before.id, { address: null });
  assert.equal(unset.body.data.address, null);
});

test('412 when it has changed since it was read', async () => {
  const { id } = await makeWarehouse(request);
  const { headers } = await request('GET', `/warehouses/${id}`);
  const current = { 'if-match': headers['etag']! };
  assert.equal((await update(id, { priority: 1 }, current)).status, 200);
  assert.equal((await update(id, { priority: 2 }, current)).status, 412);
  assert.equal((await request('GET', `/warehouses/${id}`)).body.data.priority, 1);
});

test('404 for another organization’s, and it is not changed', async () => {
  const { id, name } = await makeWarehouse(request);
  const stranger = (await home.makeOrganization()).request;
  assert.equal((await stranger('POST', `/warehouses/${id}`, { name: 'Mine' })).status, 404);
  assert.equal((await request('GET', `/warehouses/${id}`)).body.data.name, name);
});

test('archived, it and its locations leave the lists and it takes no stock; brought back, all is as before', async () => {
  const { id } = await makeWarehouse(request);
  const kept = await makeLocation(request, id);
  const closed = await makeLocation(request, id);
  await make(request, `/warehouses/${id}/locations/${closed.id}`, { archived: true });
  const variant = await makeVariant(request);
  const change = {
    productVariantIdentifier: variant.id,
    warehouseId: id,
    warehouseLocationId: kept.id,
    changeQuantity: 1,
  };

  const archived = await update(id, { archived: true });
  assert.ok(archived.body.data.archivedAt !== null);
  assert.deepEqual(
    (await update(id, { archived: true })).body.data.archivedAt,
    archived.body.data.archivedAt,
  );
  assert.equal((await request('GET', `/warehouses/${id}/locations`)).body.totalCount, 0);
  const refused = await request('POST', '/inventory', change);
  assert.deepEqual([refused.status, refused.body.error.details.code], [409, 'archived']);
  const reopened = await request('POST', `/warehouses/${id}/locations/${kept.id}`, { archived: false });
  assert.deepEqual([reopened.status, reopened.body.error.details.code], [409, 'archived']);

  assert.equal((await update(id, { archived: false })).body.data.archivedAt, null);
  const locations = await request('GET', `/warehouses/${id}/locations?includeArchived=true&limit=100`);
  const stillClosed = locations.body.data.filter(
    ({ archivedAt }: { archivedAt: string }) => archivedAt !== null,
  );
  assert.deepEqual(
    stillClosed.map((location: { id: string }) => location.id),
    [closed.id],
  );
  assert.equal((await request('POST', '/inventory', change)).status, 200);
});

test('409 in_use while there is stock, safety stock or a pinned open order in it, and it stays open', async () => {
  const refuses = async (id: string) => {
    const answer = await update(id, { archived: true });
    assert.equal(answer.status, 409, answer.text);
    assert.equal(answer.body.error.details.code, 'in_use');
    assert.deepEqual(answer.body.error.details.organizationIds, [home.organizationId]);
    assert.equal((await request('GET', `/warehouses/${id}`)).body.data.archivedAt, null);
  };
  const place = await makePlace(request);
  const { warehouseId } = place;
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 3);
  await refuses(warehouseId);
  await addStock(request, place, variant.id, -3);

  const level = { productVariantIdentifier: variant.id, warehouseId };
  await make(request, '/inventory/levels', { ...level, safetyStockQuantity: 1 });
  await refuses(warehouseId);
  await make(request, '/inventory/levels', { ...level, safetyStockQuantity: 0 });

  const order = await makeOrder(request, { warehouseId }, [[variant.id, 1]]);
  await refuses(warehouseId);
  await make(request, `/orders/${order.id}/cancel`);
  assert.equal((await update(warehouseId, { archived: true })).status, 200);
});

test('either stock arrives or the warehouse is archived, never both', async () => {
  const variant = await makeVariant(request);
  for (let round = 0; round < 8; round += 1) {
    const place = await makePlace(request);
    const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
    const [archive, stock] = await Promise.all([
      update(place.warehouseId, { archived: true }),
      request('POST', '/inventory', change),
    ]);
    assert.deepEqual([archive.status, stock.status].sort(), [200, 409], archive.text + stock.text);
  }
});
