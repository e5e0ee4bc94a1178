// What a supplier sells: POST and GET /suppliers/{supplierId}/products.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeProduct, makeVariant } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSupplier } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const create = (supplierId: string, body: object) =>
  test.request('POST', `/suppliers/${supplierId}/products`, body);
const full = { supplierSku: 'P-77', price: 4.20004, currency: 'gbp', packSize: 12, leadTimeDays: 5 };

describe('createSupplierProduct', () => {
  it("200 with what was sent, else the supplier's currency and packs of one; the variant lists it", async () => {
    const supplier = await makeSupplier(test.request, { currency: 'eur' });
    const variant = await makeVariant(test.request);
    const { object, data } = (await create(supplier.id, { productVariantId: variant.id, ...full })).body;
    assert.equal(object, 'supplier-product');
    const { supplierSku, price, currency, packSize, leadTimeDays } = data;
    assert.deepEqual({ supplierSku, price, currency, packSize, leadTimeDays }, { ...full, price: 4.2 });
    assert.deepEqual(data.productVariant, { id: variant.id, title: variant.title, sku: variant.sku });
    const path = `/suppliers/${supplier.id}/products/${data.id}`;
    assert.deepEqual((await test.request('GET', path)).body.data, data);
    const other = await makeVariant(test.request);
    const bare = (await create(supplier.id, { productVariantId: other.id, price: null })).body.data;
    assert.deepEqual(
      [bare.supplierSku, bare.price, bare.currency, bare.packSize, bare.leadTimeDays],
      [null, null, 'eur', 1, null],
    );
    const compact = { id: data.id, supplierId: supplier.id, ...full, price: 4.2 };
    const shown = await test.request('GET', `/products/${variant.productId}/variants/${variant.id}`);
    assert.deepEqual(shown.body.data.supplierProducts, [compact]);
    const product = (await test.request('GET', `/products/${variant.productId}`)).body.data;
    assert.deepEqual(product.variants[0].supplierProducts, [compact]);
  });

  it('several suppliers sell one variant; 409 supplier_product_taken for a second entry of one', async () => {
    const variant = await makeVariant(test.request);
    const suppliers = [await makeSupplier(test.request), await makeSupplier(test.request)];
    for (const { id } of suppliers)
      await make(test.request, `/suppliers/${id}/products`, { productVariantId: variant.id });
    const again = await create(suppliers[0].id, { productVariantId: variant.id });
    assert.deepEqual([again.status, again.body.error.details.code], [409, 'supplier_product_taken']);
    const shown = await test.request('GET', `/products/${variant.productId}/variants/${variant.id}`);
    assert.deepEqual(
      shown.body.data.supplierProducts.map(({ supplierId }: Json) => supplierId),
      suppliers.map(({ id }) => id),
    );
  });

  it("400 for a variant that is unknown, archived or another organization's", async () => {
    const supplier = await makeSupplier(test.request);
    const archived = await makeVariant(test.request);
    await test.request('DELETE', `/products/${archived.productId}`);
    const foreign = await makeVariant((await test.makeOrganization()).request);
    for (const productVariantId of [newId(), archived.id, foreign.id]) {
      const answer = await create(supplier.id, { productVariantId });
      assert.deepEqual(issuesOf(answer), { '/productVariantId': 'not_found' });
    }
  });

  it('400 names every wrong field; 404 for a supplier that is unknown', async () => {
    const supplier = await makeSupplier(test.request);
    const { id: productVariantId } = await makeVariant(test.request);
    const wrong = { productVariantId, price: -1, packSize: 0, leadTimeDays: -1 };
    assert.deepEqual(issuesOf(await create(supplier.id, wrong)), {
      '/price': 'out_of_range',
      '/packSize': 'out_of_range',
      '/leadTimeDays': 'out_of_range',
    });
    assert.equal((await create(newId(), { productVariantId })).status, 404);
    assert.equal((await test.request('GET', `/suppliers/${newId()}/products`)).status, 404);
    assert.equal((await test.request('GET', `/suppliers/${supplier.id}/products/${newId()}`)).status, 404);
  });

  it('the list is of one supplier; search finds its own sku and what the variant is called', async () => {
    const supplier = await makeSupplier(test.request);
    const { variants } = await makeProduct(test.request, { name: 'Heron kettle' }, [{ title: 'Steel' }]);
    const made = await make(test.request, `/suppliers/${supplier.id}/products`, {
      productVariantId: variants[0].id,
      supplierSku: 'Swan-1',
    });
    const other = await makeSupplier(test.request);
    await make(test.request, `/suppliers/${other.id}/products`, { productVariantId: variants[0].id });
    for (const search of ['swan', 'HERON', 'steel', variants[0].sku]) {
      const list = await test.request('GET', `/suppliers/${supplier.id}/products?search=${search}`);
      assert.deepEqual([list.body.totalCount, list.body.data[0]?.id], [1, made.id], search);
    }
  });
});
