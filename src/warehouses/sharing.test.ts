// A shared warehouse: the same ids for every direct child, stock of their own in it, changes by the owner only.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Request, startTestApp } from '../../test/support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeLocation,
  makeOrder,
  makePlace,
  makeVariant,
  makeWarehouse,
  unique,
} from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);

/** A parent of its own with children made through the API. */
async function family(size = 2) {
  const parent = await home.makeOrganization();
  const children = [];
  for (let n = 0; n < size; n += 1) children.push(await childOf(parent.request));
  return { parent, children: children as [Child, Child] };
}

interface Child {
  id: string;
  slug: string;
  request: Request;
}

async function childOf(parent: Request): Promise<Child> {
  const slug = unique('child-');
  const { id } = await make(parent, '/clients', { name: slug, slug });
  return { id, slug, request: home.as(await home.makeKey(['all'], { organizationId: id })) };
}

const codeOf = (answer: { status: number; body: { error?: { details: { code: string } } } }) =>
  `${answer.status} ${answer.body.error?.details.code}`;

/** All that an organization sees of a warehouse. */
async function seen(request: Request, id: string) {
  const warehouse = await request('GET', `/warehouses/${id}`);
  const locations = await request(
    'GET',
    `/warehouses/${id}/locations?limit=100&includeArchived=true&sortBy=name`,
  );
  return [warehouse.status, warehouse.body.data, locations.body.data];
}

test('children see it under the same id, with every change; strangers and its own children’s children do not', async () => {
  const { parent, children } = await family();
  const [one, two] = children;
  const grandchild = await childOf(one.request);
  const { id } = await makeWarehouse(parent.request);
  const early = await makeLocation(parent.request, id);
  for (const { request } of children) assert.equal((await request('GET', `/warehouses/${id}`)).status, 404);

  await make(parent.request, `/warehouses/${id}`, { sharedWithChildren: true });
  await make(parent.request, `/warehouses/${id}`, { name: 'Moved', address: { city: 'Elko' } });
  const late = await makeLocation(parent.request, id, { sequence: 3 });
  await make(parent.request, `/warehouses/${id}/locations/${early.id}`, { name: 'RENAMED', type: 'shelf' });
  await make(parent.request, `/warehouses/${id}/locations/${late.id}`, { archived: true });
  const three = await childOf(parent.request);
  const expected = await seen(parent.request, id);
  assert.equal((expected[2] as unknown[]).length, 5);
  for (const { request } of [one, two, three]) {
    assert.deepEqual(await seen(request, id), expected);
    assert.equal((await request('GET', '/warehouses')).body.data[0].organizationId, parent.id);
  }
  assert.equal((await grandchild.request('GET', `/warehouses/${id}`)).status, 404);
  const acting = { 'x-service-client': one.slug };
  assert.equal((await parent.request('GET', `/warehouses/${id}`, undefined, acting)).status, 200);
});

test('409 shared_warehouse for whoever is not the owner, a parent acting for the child included', async () => {
  const { parent, children } = await family(1);
  const [child] = children;
  const { id } = await makeWarehouse(parent.request, { sharedWithChildren: true });
  const location = await makeLocation(parent.request, id);
  const before = await seen(parent.request, id);
  const acting: Request = (method, path, body) =>
    parent.request(method, path, body, { 'x-service-client': child.slug });
  for (const request of [child.request, acting]) {
    const answers = [
      await request('POST', `/warehouses/${id}`, { sharedWithChildren: false }),
      await request('POST', `/warehouses/${id}/locations`, { name: 'MINE' }),
      await request('POST', `/warehouses/${id}/locations/${location.id}`, { pickable: false }),
    ];
    assert.deepEqual(answers.map(codeOf), Array(3).fill('409 shared_warehouse'));
  }
  assert.deepEqual(await seen(parent.request, id), before);
  assert.deepEqual(await seen(child.request, id), before);
});

test('each keeps stock of its own at one location, and sees nothing of the others’', async () => {
  const { parent, children } = await family();
  const [one, two] = children;
  const place = await makePlace(parent.request, { sharedWithChildren: true });
  const stock = [];
  for (const [n, { request }] of [parent, one, two].entries()) {
    const variant = await makeVariant(request, { sku: 'SAME' });
    await addStock(request, place, 'SAME', n + 1);
    stock.push({ request, variant, quantity: n + 1 });
  }
  for (const { request, variant, quantity } of stock) {
    const level = await levelOf(request, place.warehouseId, variant);
    assert.equal(level.availableQuantity, quantity);
    assert.equal(level.warehouse.id, place.warehouseId);
    const levels = await request('GET', '/inventory/levels');
    assert.deepEqual([levels.body.totalCount, levels.body.data[0].onHandQuantity], [1, quantity]);
  }
});

test('a change of a location’s kind re-classes the stock of every one, with a record for each', async () => {
  const { parent, children } = await family();
  const place = await makePlace(parent.request, { sharedWithChildren: true });
  const holders = [parent, ...children];
  const variants = [];
  for (const { request } of holders) {
    const variant = await makeVariant(request);
    await addStock(request, place, variant.id, 4);
    variants.push(variant);
  }
  const path = `/warehouses/${place.warehouseId}/locations/${place.warehouseLocationId}`;
  await make(parent.request, path, { type: 'damaged' });
  for (const [n, { id, request }] of holders.entries()) {
    const level = await levelOf(request, place.warehouseId, variants[n]);
    assert.deepEqual([level.availableQuantity, level.damagedQuantity], [0, 4]);
    const history = await home.database.query<{ type: string }>(sql`
      select h.type from warehouse_location_history h
      where h.organization_id = ${id} and h.warehouse_location_id = ${place.warehouseLocationId}
      order by h.created_at, h.id`);
    assert.deepEqual(
      history.map(({ type }) => type),
      ['bin', 'damaged'],
    );
  }
});

test('409 in_use while a child uses it; empty, it is gone for the children, and back when shared again', async () => {
  const { parent, children } = await family();
  const [one] = children;
  const place = await makePlace(parent.request, { sharedWithChildren: true });
  const { warehouseId } = place;
  const own = await makeVariant(parent.request);
  await addStock(parent.request, place, own.id, 9);
  const variant = await makeVariant(one.request);
  const unshare = () => parent.request('POST', `/warehouses/${warehouseId}`, { sharedWithChildren: false });
  const refused = async () => {
    const answer = await unshare();
    assert.equal(codeOf(answer), '409 in_use');
    assert.deepEqual(answer.body.error.details.organizationIds, [one.id]);
  };

  await addStock(one.request, place, variant.id, 2);
  await refused();
  const archive = await parent.request('POST', `/warehouses/${warehouseId}`, { archived: true });
  assert.deepEqual(archive.body.error.details.organizationIds.sort(), [one.id, parent.id].sort());
  await addStock(one.request, place, variant.id, -2);
  const order = await makeOrder(one.request, { warehouseId }, [[variant.id, 1]]);
  await refused();
  await make(one.request, `/orders/${order.id}/cancel`);
  assert.equal((await unshare()).status, 200);

  const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
  for (const { request } of children) {
    assert.equal((await request('GET', `/warehouses/${warehouseId}`)).status, 404);
    assert.equal((await request('GET', `/warehouses/${warehouseId}/locations`)).status, 404);
    assert.equal((await request('POST', `/warehouses/${warehouseId}`, { name: 'Mine' })).status, 404);
    assert.equal((await request('GET', '/warehouses?includeArchived=true')).body.totalCount, 0);
  }
  assert.notEqual((await one.request('POST', '/inventory', change)).status, 200);
  await addStock(parent.request, place, own.id, 1);

  // What changes meanwhile is seen once it is shared again, names that were swapped too.
  const a = await makeLocation(parent.request, warehouseId, { name: 'A' });
  const pathOf = (id: string) => `/warehouses/${warehouseId}/locations/${id}`;
  await make(parent.request, pathOf(place.warehouseLocationId), { name: 'B', sequence: 5 });
  await make(parent.request, pathOf(a.id), { name: 'C' });
  await make(parent.request, pathOf(place.warehouseLocationId), { name: 'A' });
  const late = await childOf(parent.request);
  assert.equal((await late.request('GET', `/warehouses/${warehouseId}`)).status, 404);
  await make(parent.request, `/warehouses/${warehouseId}`, { sharedWithChildren: true, priority: 1 });
  const expected = await seen(parent.request, warehouseId);
  for (const { request } of [...children, late]) assert.deepEqual(await seen(request, warehouseId), expected);
  await addStock(one.request, place, variant.id, 1);
});

test('archived by the owner, it is archived for the children too, and takes none of their stock', async () => {
  const { parent, children } = await family();
  const place = await makePlace(parent.request, { sharedWithChildren: true });
  await make(parent.request, `/warehouses/${place.warehouseId}`, { archived: true });
  const expected = await seen(parent.request, place.warehouseId);
  for (const { request } of children) {
    assert.deepEqual(await seen(request, place.warehouseId), expected);
    assert.equal((await request('GET', '/warehouses')).body.totalCount, 0);
    const variant = await makeVariant(request);
    const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
    assert.equal(codeOf(await request('POST', '/inventory', change)), '409 archived');
  }
  await make(parent.request, `/warehouses/${place.warehouseId}`, { archived: false });
  for (const { request } of children) {
    const variant = await makeVariant(request);
    await addStock(request, place, variant.id, 1);
  }
});

test('whatever happens at once, every child ends up with what the parent has', async () => {
  const { parent, children } = await family();
  const made: Child[] = [...children];
  for (let round = 0; round < 5; round += 1) {
    const { id } = await makeWarehouse(parent.request);
    const bin = await makeLocation(parent.request, id);
    const [, , newChild] = await Promise.all([
      make(parent.request, `/warehouses/${id}`, { sharedWithChildren: true }),
      makeLocation(parent.request, id),
      childOf(parent.request),
      make(parent.request, `/warehouses/${id}/locations/${bin.id}`, { type: 'staging' }),
      makeLocation(parent.request, id),
      makeWarehouse(parent.request, { sharedWithChildren: true }),
    ]);
    made.push(newChild);
    const warehouses = await parent.request('GET', '/warehouses?limit=100');
    for (const warehouse of warehouses.body.data) {
      const expected = await seen(parent.request, warehouse.id);
      for (const { request } of made) assert.deepEqual(await seen(request, warehouse.id), expected);
    }
  }
});

test('either a child’s stock arrives or sharing ends, never both', async () => {
  const { parent, children } = await family(1);
  const [child] = children;
  const variant = await makeVariant(child.request);
  for (let round = 0; round < 8; round += 1) {
    const place = await makePlace(parent.request, { sharedWithChildren: true });
    const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 1 };
    const [unshare, stock] = await Promise.all([
      parent.request('POST', `/warehouses/${place.warehouseId}`, { sharedWithChildren: false }),
      child.request('POST', '/inventory', change),
    ]);
    assert.equal([unshare, stock].filter(({ status }) => status === 200).length, 1, stock.text);
  }
});
