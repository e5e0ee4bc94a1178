// Bugs that others have published, each as a scenario that must come out right here.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from './support/app.ts';
import { addStock, make, makeBundle, makeOrder, makeStocked } from './support/factories.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const body = { name: 'SO-', price: 1, orderDate: '2026-05-05T12:00:00Z' };
const read = async (id: string) => (await test.request('GET', `/orders/${id}`)).body.data;
const order = (lineItems: object[], fields: object = {}) =>
  test.request('POST', '/orders', { ...body, ...fields, lineItems });
const statuses = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

const stocked = (units: number, fields = {}) => makeStocked(test.request, units, fields);

async function consistent() {
  const { data } = (await test.request('GET', '/inventory/verify')).body;
  assert.deepEqual(data.differences, []);
}

describe('published bugs', () => {
  it('medusajs/medusa#16569: concurrent reservations never promise more than there is', async () => {
    const { variant, level } = await stocked(10);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        order([{ productVariantId: variant.id, quantity: 1 }], { inventoryBehaviour: 'obey_policy' }),
      ),
    );
    assert.equal(statuses(answers, 200), 10);
    assert.equal(statuses(answers, 409), 20);
    assert.equal((await level()).availableQuantity, 0);
    await consistent();
  });

  it('medusajs/medusa#16502: a bundle twice in one order is counted twice', async () => {
    const { variant, level } = await stocked(5);
    const bundle = await makeBundle(test.request, { [variant.id]: 2 });
    const lines = [
      { productVariantId: bundle.id, quantity: 2 },
      { productVariantId: bundle.id, quantity: 1 },
    ];
    const refused = await order(lines, { inventoryBehaviour: 'obey_policy' });
    assert.equal(refused.status, 409);
    assert.equal((await level()).committedQuantity, 0);
    const { data } = (await order(lines)).body;
    assert.deepEqual(
      data.lineItems.map((line: Record<string, number>) => line['quantityAllocated']),
      [2, 0],
    );
    assert.equal((await level()).committedQuantity, 4);
    await consistent();
  });

  it('medusajs/medusa#14885 and #6500: an order can use the stock that is reserved for itself', async () => {
    const { variant, level } = await stocked(5);
    const { id } = await makeOrder(test.request, {}, [[variant.id, 5]]);
    assert.equal((await level()).availableQuantity, 0);
    await make(test.request, `/orders/${id}/fulfillments`);
    assert.equal((await read(id)).fulfillmentStatus, 'fulfilled');
    assert.equal((await level()).onHandQuantity, 0);
    await consistent();
  });

  it('medusajs/medusa#12447: cancelling a fulfilment restores the allocation', async () => {
    const { variant, level } = await stocked(5);
    const { id } = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const fulfillment = await make(test.request, `/orders/${id}/fulfillments`);
    await make(test.request, `/orders/${id}/fulfillments/${fulfillment.id}/cancel`);
    assert.equal((await read(id)).lineItems[0].quantityAllocated, 5);
    assert.equal((await level()).committedQuantity, 5);
    assert.equal((await level()).availableQuantity, 0);
    await consistent();
  });

  it('medusajs/medusa#6359: from = to selects that day', async () => {
    const made = await makeOrder(test.request, { orderDate: '2026-07-14T23:59:59.999Z' });
    const days = 'dateRange[from]=2026-07-14&dateRange[to]=2026-07-14';
    const { data, totalCount } = (await test.request('GET', `/orders?${days}`)).body;
    assert.equal(totalCount, 1);
    assert.equal(data[0].id, made.id);
  });

  it('vendure-ecommerce/vendure#1738 and #4030: concurrent changes of one level all count', async () => {
    const { place, variant, level } = await stocked(100);
    await Promise.all([
      ...Array.from({ length: 20 }, () => addStock(test.request, place, variant.id, 3)),
      ...Array.from({ length: 20 }, () => addStock(test.request, place, variant.id, -2)),
      ...Array.from({ length: 20 }, () => makeOrder(test.request, {}, [[variant.id, 1]])),
    ]);
    assert.equal((await level()).onHandQuantity, 120);
    assert.equal((await level()).committedQuantity, 20);
    await consistent();
  });

  it('vendure-ecommerce/vendure#1250: cancelling an order gives its allocation back', async () => {
    const { variant, level } = await stocked(5);
    const { id } = await makeOrder(test.request, {}, [[variant.id, 5]]);
    await make(test.request, `/orders/${id}/cancel`);
    assert.equal((await level()).committedQuantity, 0);
    assert.equal((await level()).availableQuantity, 5);
    await consistent();
  });

  it('saleor/saleor#17123: orders that name the same variants in opposite order never deadlock', async () => {
    const a = await stocked(500);
    const b = await stocked(500);
    const forth = [a, b].map(({ variant }) => ({ productVariantId: variant.id, quantity: 1 }));
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, n) => order(n % 2 === 0 ? forth : forth.toReversed())),
    );
    assert.equal(statuses(created, 200), 40);
    const acted = await Promise.all(
      created.map(({ body: { data } }, n) =>
        test.request('POST', `/orders/${data.id}/${n % 3 === 0 ? 'cancel' : 'fulfillments'}`),
      ),
    );
    assert.equal(statuses(acted, 200), 40);
    await consistent();
  });

  it('inventree/InvenTree#12478: of 5 units no more than 5 are ever allocated', async () => {
    const { variant, level } = await stocked(5);
    const first = await makeOrder(test.request, {}, [[variant.id, 5]]);
    const second = await makeOrder(test.request, {}, [[variant.id, 5]]);
    assert.equal(first.lineItems[0].quantityAllocated, 5);
    assert.equal(second.lineItems[0].quantityAllocated, 0);
    assert.equal(second.lineItems[0].quantityBackordered, 5);
    assert.equal((await level()).committedQuantity, 5);
  });

  it('LanternOps/breeze#3462: no row is skipped where many share the value that is sorted by', async () => {
    const { request } = await test.makeOrganization();
    for (let n = 0; n < 23; n += 1) await makeOrder(request, { price: 7 });
    for (const sortBy of ['price', 'orderDate', 'fulfillmentStatus', 'alias']) {
      for (const sortOrder of ['asc', 'desc']) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const page = await request('GET', `/orders?limit=5&sortBy=${sortBy}&sortOrder=${sortOrder}${from}`);
          seen.push(...page.body.data.map((one: { id: string }) => one.id));
          cursor = page.body.nextCursor;
        }
        assert.equal(seen.length, 23);
        assert.equal(new Set(seen).size, 23);
      }
    }
  });
});
