// archiveVariant: the product goes on without it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeProduct, makeVariant } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const archive = ({ productId, id }: { productId: string; id: string }, headers = {}) =>
  request('DELETE', `/products/${productId}/variants/${id}`, undefined, headers);
const read = async (id: string) => (await request('GET', `/products/${id}`)).body.data;
const eventsOf = (id: string) =>
  home.database.query<{ type: string; data: unknown }>(sql`
    select type, data from events where organization_id = ${home.organizationId} and object_id = ${id}
    order by id`);

test('archiving leaves the variant out of its product, which goes on, also where it was the last', async () => {
  const made = await makeProduct(request, {}, [{}, {}]);
  const [first, second] = made.variants;
  const answer = await archive(first);
  assert.deepEqual([answer.status, answer.body.object], [200, 'product_variant']);
  assert.ok(answer.body.data.archivedAt);
  const after = await read(made.id);
  assert.deepEqual(
    after.variants.map(({ id }: { id: string }) => id),
    [second.id],
  );
  assert.equal(after.archivedAt, null);
  await archive(second);
  assert.deepEqual((await read(made.id)).variants, []);
  const { data } = (await request('GET', `/products/${made.id}/variants/${first.id}`)).body;
  assert.equal(data.archivedAt, answer.body.data.archivedAt);
});

test('archiving twice answers the same and writes one event, with the variant before and after', async () => {
  const variant = await makeVariant(request);
  const path = `/products/${variant.productId}/variants/${variant.id}`;
  const before = (await request('GET', path)).body.data;
  const [first, second] = [await archive(variant), await archive(variant)];
  assert.equal(first.text, second.text);
  const [event, ...others] = await eventsOf(variant.id);
  assert.deepEqual(others, []);
  const { product: _before, ...previous } = before;
  const { object, previous: written } = event!.data as { object: unknown; previous: { product: unknown } };
  const { product: _written, ...rest } = written;
  assert.deepEqual([object, rest], [first.body.data, previous]);
});

test('412 for a stale version, 404 for what is unknown or of another product, 403 without products:write', async () => {
  const variant = await makeVariant(request);
  const other = await makeProduct(request);
  assert.equal((await archive(variant, { 'if-match': '"9"' })).status, 412);
  assert.equal((await archive({ productId: other.id, id: variant.id })).status, 404);
  assert.equal((await archive({ productId: variant.productId, id: other.id })).status, 404);
  const reader = home.as(await home.makeKey(['products:read']));
  assert.equal((await reader('DELETE', `/products/${variant.productId}/variants/${variant.id}`)).status, 403);
});
