// POST /suppliers/{supplierId}/products/{supplierProductId}.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeVariant } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSupplier } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

async function sold() {
  const { id: supplierId } = await makeSupplier(test.request);
  const { id: productVariantId } = await makeVariant(test.request);
  const fields = { supplierSku: 'A', price: 1, packSize: 6, leadTimeDays: 3 };
  return make(test.request, `/suppliers/${supplierId}/products`, { productVariantId, ...fields });
}
const update = (supplierId: string, id: string, body: object) =>
  test.request('POST', `/suppliers/${supplierId}/products/${id}`, body);

describe('updateSupplierProduct', () => {
  it('200 changes what the body names, null takes away, the rest stays', async () => {
    const before = await sold();
    const { data } = (await update(before.supplierId, before.id, { price: 2.00005, leadTimeDays: null }))
      .body;
    assert.deepEqual(data, { ...before, price: 2, leadTimeDays: null, updatedAt: data.updatedAt });
    const unpriced = (await update(before.supplierId, before.id, { price: null })).body.data;
    assert.equal(unpriced.price, null);
  });

  it('400 for a variant, which stays what it is, and for values out of range', async () => {
    const { supplierId, id, productVariantId } = await sold();
    const answer = await update(supplierId, id, { productVariantId, packSize: 0 });
    assert.deepEqual(issuesOf(answer), { '/productVariantId': 'unknown_field', '/packSize': 'out_of_range' });
  });

  it('404 for an entry of another supplier, and for one that is unknown', async () => {
    const [one, other] = [await sold(), await sold()];
    assert.equal((await update(one.supplierId, other.id, { price: 1 })).status, 404);
    assert.equal((await update(one.supplierId, newId(), { price: 1 })).status, 404);
  });
});
