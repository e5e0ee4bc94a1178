// GET /inventory/levels: every variant in every warehouse, now or at a past time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeLocation,
  makePlace,
  makeProduct,
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
  place = await makePlace(request, {
    name: 'North',
    address: { street1: '1 Dock St', city: 'Reno', state: 'NV', country: 'US', phone: '555' },
  });
});
after(() => app.close());

interface Level {
  id: string;
  organizationId: string;
  availableQuantity: number;
  productVariant: { id: string; sku: string };
  warehouse: { id: string };
}

async function list(query: string, as: Request = request): Promise<Level[]> {
  const answer = await as('GET', `/inventory/levels?limit=100&${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.totalCount, answer.body.data.length);
  return answer.body.data;
}

const skus = (levels: Level[]) => levels.map(({ productVariant }) => productVariant.sku);

test('200 shows every figure, the full variant with its product, and where the warehouse is', async () => {
  const product = await makeProduct(request, { name: 'Full mug' }, [{ sku: unique('FULL-'), price: 12.5 }]);
  const variant = product.variants[0];
  await addStock(request, place, variant.sku, 10);
  const { id: damaged } = await makeLocation(request, place.warehouseId, { type: 'damaged' });
  const { id: checked } = await makeLocation(request, place.warehouseId, { type: 'quality-control' });
  const { id: staged } = await makeLocation(request, place.warehouseId, { type: 'staging' });
  for (const [to, units] of [
    [damaged, 1],
    [checked, 2],
    [staged, 3],
  ] as const) {
    await addStock(request, place, variant.sku, units, { moveToWarehouseLocationId: to });
  }
  const [level] = (await list(`search=${variant.sku}`)) as unknown as Record<string, unknown>[];
  const { id, productVariant, createdAt, updatedAt, ...rest } = level!;
  assert.deepEqual(rest, {
    organizationId: app.organizationId,
    availableQuantity: 4,
    onHandQuantity: 10,
    committedQuantity: 0,
    reservedQuantity: 3,
    incomingQuantity: 0,
    damagedQuantity: 1,
    qualityControlQuantity: 2,
    safetyStockQuantity: 0,
    organization: null,
    warehouse: {
      id: place.warehouseId,
      name: 'North',
      address: { street1: '1 Dock St', city: 'Reno', state: 'NV', country: 'US' },
    },
    serviceObjects: [],
  });
  const { product: shown, price } = productVariant as { product: object; price: number };
  assert.deepEqual(shown, { id: product.id, name: 'Full mug', slug: product.slug });
  assert.equal(price, 12.5);
  assert.ok(id && String(createdAt) < String(updatedAt));
});

test('200 sorts by sku, ascending, when nothing is said; a cursor walks every row once', async () => {
  const other = await makePlace(request);
  const prefix = unique('WALK');
  const product = await makeProduct(request, {}, [
    { sku: `${prefix}-c` },
    { sku: `${prefix}-a` },
    { sku: `${prefix}-b` },
  ]);
  for (const { sku } of product.variants) {
    await addStock(request, place, sku, 1);
    await addStock(request, other, sku, 2);
  }
  const all = await list(`search=${prefix}`);
  assert.deepEqual(
    skus(all),
    ['a', 'a', 'b', 'b', 'c', 'c'].map((end) => `${prefix}-${end}`),
  );
  for (const sort of ['', '&sortBy=availableQuantity&sortOrder=desc', '&sortBy=updatedAt']) {
    const walked: Level[] = [];
    let cursor = '';
    do {
      const { body } = await request('GET', `/inventory/levels?limit=2&search=${prefix}${sort}${cursor}`);
      walked.push(...body.data);
      assert.equal(body.totalCount, 6);
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    assert.equal(new Set(walked.map(({ id }) => id)).size, 6, sort);
    assert.equal(walked.length, 6, sort);
  }
  const richest = await list(`search=${prefix}&sortBy=availableQuantity&sortOrder=desc`);
  assert.deepEqual(
    richest.map((level) => level.availableQuantity),
    [2, 2, 2, 1, 1, 1],
  );
});

test('200 searches sku, title, barcode and product name, and filters by warehouse', async () => {
  const word = unique('needle');
  const other = await makePlace(request);
  const found = [
    (await makeProduct(request, {}, [{ sku: `A-${word}` }])).variants[0],
    (await makeProduct(request, {}, [{ title: `Big ${word.toUpperCase()}` }])).variants[0],
    (await makeProduct(request, {}, [{ barcode: `00${word}` }])).variants[0],
    (await makeProduct(request, { name: `${word} mug` })).variants[0],
  ];
  await makeVariant(request).then((variant) => addStock(request, place, variant.id, 1));
  for (const { id } of found) await addStock(request, place, id, 1);
  await addStock(request, other, found[0].id, 1);
  assert.equal((await list(`search=${word}`)).length, 5);
  const there = await list(`search=${word}&warehouseId=${other.warehouseId}`);
  assert.deepEqual(
    there.map(({ warehouse, productVariant }) => [warehouse.id, productVariant.id]),
    [[other.warehouseId, found[0].id]],
  );
  assert.equal((await list(`warehouseId=${other.warehouseId}`)).length, 1);
  assert.deepEqual(await list(`warehouseId=${newId()}`), []);
});

test('200 shows a parent the levels of its clients only when asked, and a client only its own', async () => {
  const parent = await app.makeOrganization();
  const child = await app.makeOrganization({ parentId: parent.id });
  for (const { request: theirs } of [parent, child]) {
    const somewhere = await makePlace(theirs);
    await addStock(theirs, somewhere, (await makeVariant(theirs)).id, 3);
  }
  const idsOf = (levels: Level[]) => levels.map(({ organizationId }) => organizationId).sort();
  assert.deepEqual(idsOf(await list('', parent.request)), [parent.id]);
  assert.deepEqual(idsOf(await list('childInventory=true', parent.request)), [parent.id, child.id].sort());
  assert.deepEqual(idsOf(await list('childInventory=true', child.request)), [child.id]);
  const past = await list(`childInventory=true&asOf=${new Date().toISOString()}`, parent.request);
  assert.deepEqual(idsOf(past), [parent.id, child.id].sort());
});

test('200 as of a past time: levels that did not exist yet are absent, the filters hold', async () => {
  const word = unique('past');
  const product = await makeProduct(request, {}, [{ sku: `${word}-1` }, { sku: `${word}-2` }]);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  await addStock(request, place, `${word}-1`, 5);
  await pause();
  const then = new Date().toISOString();
  await pause();
  await addStock(request, place, `${word}-1`, 5);
  await addStock(request, place, `${word}-2`, 7);
  const past = await list(`search=${word}&asOf=${then}`);
  assert.deepEqual(
    past.map((level) => [level.productVariant.sku, level.availableQuantity]),
    [[`${word}-1`, 5]],
  );
  assert.deepEqual(await list(`search=${word}&asOf=2001-01-01T00:00:00Z`), []);
  assert.equal((await list(`search=${word}&asOf=9000-01-01T00:00:00Z`)).length, 2);
  const offset = then.replace('Z', '%2B00:00');
  assert.deepEqual(skus(await list(`search=${word}&asOf=${offset}`)), [`${word}-1`]);
  assert.equal((await list(`search=${word}&asOf=9000-01-01T00:00:00-23:00`)).length, 2);
  assert.equal(product.variants.length, 2);
});

test('400 names a malformed time, an unknown sort, an unknown parameter, and a cursor of another filter', async () => {
  for (const [name, query] of [
    ['/asOf', 'asOf=yesterday'],
    ['/asOf', 'asOf=2026-11-21'],
    ['/sortBy', 'sortBy=price'],
    ['/warehouseId', 'warehouseId=north'],
    ['/includeArchived', 'includeArchived=true'],
    ['/childInventory', 'childInventory=perhaps'],
  ]) {
    const { status, body } = await request('GET', `/inventory/levels?${query}`);
    const paths = body.error?.details.issues?.map((issue: { path: string }) => issue.path);
    assert.deepEqual([status, paths], [400, [name]], query);
  }
  const page = await request('GET', '/inventory/levels?limit=1');
  const reused = await request('GET', `/inventory/levels?limit=1&search=x&cursor=${page.body.nextCursor}`);
  assert.deepEqual([reused.status, reused.body.error.details.code], [400, 'invalid_cursor']);
});

test('the number of statements does not depend on the size of the page, nor on the past', async () => {
  await makeWarehouse(request);
  const count = async (query: string) =>
    (await app.statements(() => request('GET', `/inventory/levels?${query}`))).length;
  const one = await count('limit=1');
  assert.equal(await count('limit=100'), one);
  assert.equal(await count(`limit=100&asOf=${new Date().toISOString()}`), one);
  assert.equal(await count('limit=100&childInventory=true'), one + 1);
});
