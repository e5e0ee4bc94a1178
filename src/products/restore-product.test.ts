// restoreProduct: what was archived with the product comes back, unless its codes were taken.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../../test/support/app.ts';
import { makeProduct, makeVariant } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const archive = (id: string, headers = {}) => request('DELETE', `/products/${id}`, undefined, headers);
const restore = (id: string, headers = {}) => request('POST', `/products/${id}/restore`, undefined, headers);
const codeOf = (answer: Answer) => [answer.status, answer.body.error.details.code];

test('restoring brings back the variants that were archived with it, not those archived before', async () => {
  const made = await makeProduct(request, {}, [{}, {}]);
  const [kept, gone] = made.variants;
  await request('DELETE', `/products/${made.id}/variants/${gone.id}`);
  await archive(made.id);
  const { data } = (await restore(made.id)).body;
  assert.equal(data.archivedAt, null);
  assert.deepEqual(
    data.variants.map(({ id, archivedAt }: { id: string; archivedAt: null }) => [id, archivedAt]),
    [[kept.id, null]],
  );
});

test('409 sku_taken or barcode_taken when a code was taken since; changing it on the archived variant is the way out', async () => {
  const made = await makeProduct(request, {}, [{ barcode: 'B-1' }]);
  const { sku, id } = made.variants[0];
  await archive(made.id);
  const taker = await makeVariant(request, { sku, barcode: 'B-1' });
  const refused = await restore(made.id);
  assert.deepEqual(codeOf(refused), [409, 'sku_taken']);
  assert.deepEqual(refused.body.error.details.conflicts, [
    { field: 'sku', value: sku, productVariantId: taker.id },
    { field: 'barcode', value: 'B-1', productVariantId: taker.id },
  ]);
  const change = (body: object) => request('POST', `/products/${made.id}/variants/${id}`, body);
  assert.equal((await change({ sku: 'FREE-1' })).status, 200);
  assert.deepEqual(codeOf(await restore(made.id)), [409, 'barcode_taken']);
  assert.equal((await change({ barcode: null })).status, 200);
  assert.equal((await restore(made.id)).status, 200);
});

test('of a restore and a create with its sku at once, one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const made = await makeProduct(request);
    await archive(made.id);
    const [{ sku }] = made.variants;
    const answers = await Promise.all([
      restore(made.id),
      request('POST', '/products', { name: 'x', variants: [{ title: 'a', sku }] }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  }
});
