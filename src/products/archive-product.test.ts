// archiveProduct: the variants go with their product, and what is stored stays.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { addStock, levelOf, makePlace, makeProduct, makeVariant } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const archive = (id: string, headers = {}) => request('DELETE', `/products/${id}`, undefined, headers);
const restore = (id: string, headers = {}) => request('POST', `/products/${id}/restore`, undefined, headers);
const eventsOf = (id: string) =>
  home.database.query<{ type: string; data: { object: { archivedAt: string }; previous: unknown } }>(sql`
    select type, data from events where organization_id = ${home.organizationId} and object_id = ${id}
    order by id`);

test('archiving answers the product with archivedAt set, on its variants too, and keeps it readable', async () => {
  const made = await makeProduct(request, {}, [{}, {}]);
  const answer = await archive(made.id);
  assert.deepEqual([answer.status, answer.body.object, answer.headers['etag']], [200, 'product', '"2"']);
  const { data } = answer.body;
  assert.ok(data.archivedAt);
  assert.deepEqual(
    data.variants.map(({ id, archivedAt }: { id: string; archivedAt: string }) => [id, archivedAt]),
    made.variants.map(({ id }: { id: string }) => [id, data.archivedAt]),
  );
  assert.deepEqual((await request('GET', `/products/${made.id}`)).body.data, data);
});

test('stock of an archived product stays countable', async () => {
  const variant = await makeVariant(request);
  const place = await makePlace(request);
  await addStock(request, place, variant.id, 3);
  await archive(variant.productId);
  await addStock(request, place, variant.sku, -1);
  assert.equal((await levelOf(request, place.warehouseId, variant)).onHandQuantity, 2);
});

test('archiving twice and restoring twice answer the same and write one event each', async () => {
  const { id } = await makeProduct(request);
  const archived = [await archive(id), await archive(id)];
  assert.equal(archived[0]!.text, archived[1]!.text);
  const restored = [await restore(id), await restore(id)];
  assert.equal(restored[0]!.text, restored[1]!.text);
  assert.deepEqual(
    (await eventsOf(id)).map(({ type }) => type),
    ['product.created', 'product.archived', 'product.restored'],
  );
});

test('the events carry the product before and after', async () => {
  const made = await makeProduct(request);
  const archived = (await archive(made.id)).body.data;
  const restored = (await restore(made.id)).body.data;
  const [, first, second] = await eventsOf(made.id);
  assert.deepEqual(first!.data, { object: archived, previous: made });
  assert.deepEqual(second!.data, { object: restored, previous: archived });
});

test('412 for a stale version, 404 for what is unknown or foreign, 403 without products:write', async () => {
  const made = await makeProduct(request);
  const foreign = await makeProduct((await home.makeOrganization()).request);
  const reader = home.as(await home.makeKey(['products:read']));
  for (const act of [archive, restore]) {
    assert.equal((await act(made.id, { 'if-match': '"9"' })).status, 412);
    for (const id of [foreign.id, home.organizationId, 'x']) assert.equal((await act(id)).status, 404);
  }
  assert.equal((await reader('DELETE', `/products/${made.id}`)).status, 403);
  assert.equal((await reader('POST', `/products/${made.id}/restore`)).status, 403);
});
