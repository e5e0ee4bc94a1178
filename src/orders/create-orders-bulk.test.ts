// What creating many orders in one request promises.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import { addStock, levelOf, makePlace, makeVariant, unique } from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const order = { name: 'SO-', price: 10, orderDate: '2026-01-02T03:04:05Z' };
const lineOf = (productVariantId: string, quantity = 1) => ({ lineItems: [{ productVariantId, quantity }] });
const bulk = (orders: unknown[], more: object = {}) =>
  test.request('POST', '/orders/bulk', { orders, ...more });

async function stocked(units: number) {
  const place = await makePlace(test.request);
  const variant = await makeVariant(test.request);
  await addStock(test.request, place, variant.id, units);
  return { place, variant };
}

/** Everything that is stored, but for the numbers that names which were not used took. */
async function stored() {
  const { name_counters: _, ...rows } = await rowsOf(test.database, test.organizationId);
  return rows;
}

const ordersWith = async (alias: string): Promise<{ id: string; name: string }[]> =>
  (await test.request('GET', `/orders?alias=${encodeURIComponent(alias)}&limit=100`)).body.data;

describe('createOrdersBulk', () => {
  it('200 with a result for each order, in the order of the request', async () => {
    const { place, variant } = await stocked(10);
    const orders = Array.from({ length: 9 }, (_, n) => ({
      ...order,
      alias: `row ${n}`,
      ...lineOf(variant.id, 2),
    }));
    const answer = await bulk(orders);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.object, 'order-bulk');
    assert.equal(answer.body.success, true);
    assert.equal(answer.body.message, 'Successfully created 9 of 9 orders');
    const rows = answer.body.data;
    assert.deepEqual(
      rows.map((row: { index: number }) => row.index),
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
    );
    for (const { data, index } of rows) {
      const found = (await test.request('GET', `/orders/${data.id}`)).body.data;
      const { id, name, alias, readyToShip } = found;
      assert.deepEqual(data, { id, name, alias, readyToShip });
      assert.equal(alias, `row ${index}`);
    }
    assert.equal(rows.filter((row: { data: { readyToShip: boolean } }) => row.data.readyToShip).length, 5);
    const level = await levelOf(test.request, place.warehouseId, variant);
    assert.deepEqual([level.committedQuantity, level.availableQuantity], [10, 0]);
  });

  it('what fails is the result of its own row, and the others are created', async () => {
    const { variant } = await stocked(3);
    const alias = unique('taken ');
    const { body: first } = await test.request('POST', '/orders', { ...order, alias });
    const answer = await bulk([
      { ...order, ...lineOf(variant.id) },
      { ...order, lineItems: [{ productVariantSku: 'nobody has this', quantity: 1 }] },
      { ...order, ...lineOf(variant.id, 50), inventoryBehaviour: 'obey_policy' },
      { ...order, alias, uniqueAlias: true },
      { ...order, price: 'ten', nmae: 'typo', notes: ['a\u0000b'] },
      'no order',
      null,
      { ...order, ...lineOf(variant.id) },
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.success, false);
    assert.equal(answer.body.message, 'Successfully created 2 of 8 orders');
    const rows = answer.body.data;
    const codes = rows.map((row: { error?: { code: string } }) => row.error?.code);
    assert.deepEqual(codes, [
      undefined,
      'variant_not_found',
      'insufficient_stock',
      'alias_taken',
      'invalid_parameters',
      'invalid_parameters',
      'invalid_parameters',
      undefined,
    ]);
    assert.deepEqual(
      rows.map((row: { success: boolean }) => row.success),
      codes.map((code: unknown) => code === undefined),
    );
    assert.deepEqual(rows[1].error.issues[0].path, '/lineItems/0');
    assert.equal(rows[3].error.orderId, first.data.id);
    const issues = rows[4].error.issues.map(({ path, code }: { path: string; code: string }) => [path, code]);
    assert.deepEqual(Object.fromEntries(issues), {
      '/price': 'invalid_type',
      '/nmae': 'unknown_field',
      '/notes/0': 'invalid_text',
    });
  });

  it('with atomic, all are created and each level is locked once, before the first', async () => {
    const one = await stocked(10);
    const other = await stocked(10);
    const orders = [one, other, one, other].map(({ variant }) => ({ ...order, ...lineOf(variant.id, 2) }));
    let answer: Answer | undefined;
    const sent = await test.statements(async () => {
      answer = await bulk(orders, { atomic: true });
    });
    assert.equal(answer!.status, 200, answer!.text);
    assert.equal(answer!.body.data.length, 4);
    const firstOrder = sent.findIndex((text) => /insert into orders /.test(text));
    assert.ok(sent.findIndex((text) => /for update of l/.test(text)) < firstOrder);
    for (const { place, variant } of [one, other]) {
      const level = await levelOf(test.request, place.warehouseId, variant);
      assert.equal(level.committedQuantity, 4);
    }
    const verified = await test.request('GET', '/inventory/verify');
    assert.equal(verified.body.data.differences.length, 0, verified.text);
  });

  it('with atomic, the first order that fails undoes all, and its paths lie within its place', async () => {
    const { variant } = await stocked(3);
    const good = { ...order, ...lineOf(variant.id) };
    const unknown = { ...order, lineItems: [{ productVariantSku: 'nobody has this', quantity: 1 }] };
    const short = { ...order, ...lineOf(variant.id, 3), inventoryBehaviour: 'obey_policy' };
    const present = await stored();
    const missing = await bulk([good, unknown, short], { atomic: true });
    assert.equal(missing.status, 400, missing.text);
    assert.equal(missing.body.error.details.code, 'variant_not_found');
    assert.equal(missing.body.error.details.index, 1);
    assert.equal(missing.body.error.details.issues[0].path, '/orders/1/lineItems/0');
    const conflict = await bulk([good, short], { atomic: true });
    assert.equal(conflict.status, 409, conflict.text);
    assert.equal(conflict.body.error.details.code, 'insufficient_stock');
    assert.equal(conflict.body.error.details.issues[0].path, '/orders/1/lineItems/0');
    assert.deepEqual(await stored(), present);
  });

  it('with atomic, 400 names what is wrong with every order at once', async () => {
    const present = await stored();
    const answer = await bulk([{ ...order, price: -1 }, order, { ...order, nmae: 1 }, 5], { atomic: true });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(
      answer.body.error.details.issues.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['/orders/0/price', 'out_of_range'],
        ['/orders/2/nmae', 'unknown_field'],
        ['/orders/3', 'invalid_type'],
      ],
    );
    assert.deepEqual(await stored(), present);
  });

  it('two orders of one atomic request cannot both have an alias that is to be the only one', async () => {
    const alias = unique('alias ');
    const answer = await bulk(
      [1, 2].map(() => ({ ...order, alias, uniqueAlias: true })),
      { atomic: true },
    );
    assert.equal(answer.status, 409, answer.text);
    assert.equal(answer.body.error.details.code, 'alias_taken');
    assert.deepEqual(await ordersWith(alias), []);
  });

  it('400 for none, for more than 1,000, for what is wrong with the request itself, and nothing is written', async () => {
    const present = await stored();
    const code = async (body: unknown) => {
      const answer = await test.request('POST', '/orders/bulk', body);
      assert.equal(answer.status, 400, answer.text);
      return answer.body.error.details.issues[0].code;
    };
    assert.equal(await code({ orders: [] }), 'too_few');
    assert.equal(await code({ orders: Array(1001).fill(order) }), 'too_many');
    assert.equal(await code({}), 'required');
    assert.equal(await code({ orders: 'x' }), 'invalid_type');
    assert.equal(await code({ orders: [order], atomik: true }), 'unknown_field');
    assert.equal(await code({ orders: [order], atomic: 'yes' }), 'invalid_type');
    let deep: unknown = 1;
    for (let n = 0; n < 100; n += 1) deep = [deep];
    assert.equal(await code({ orders: [order, deep] }), 'too_deep');
    assert.deepEqual(await stored(), present);
  });

  it('takes a body that is larger than those of other operations', async () => {
    const notes = Array(300).fill('x'.repeat(4000));
    const answer = await bulk([{ ...order, notes }]);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data[0].success, true);
  });

  it('hundreds of orders are created, once each, under names of their own', async () => {
    const { place, variant } = await stocked(500);
    const answer = await bulk(Array(300).fill({ ...order, name: 'BULK-', ...lineOf(variant.id) }));
    assert.equal(answer.status, 200);
    assert.equal(answer.body.success, true, answer.text.slice(0, 1000));
    const names = new Set(answer.body.data.map((row: { data: { name: string } }) => row.data.name));
    assert.equal(names.size, 300);
    const level = await levelOf(test.request, place.warehouseId, variant);
    assert.deepEqual([level.committedQuantity, level.availableQuantity], [300, 200]);
  });

  it('many atomic requests over the same variants, crosswise, all succeed', async () => {
    const variants = [await stocked(100), await stocked(100), await stocked(100)];
    const orders = variants.map(({ variant }) => ({ ...order, ...lineOf(variant.id) }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => bulk(n % 2 === 0 ? orders : orders.toReversed(), { atomic: true })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(200),
    );
    for (const { place, variant } of variants) {
      assert.equal((await levelOf(test.request, place.warehouseId, variant)).committedQuantity, 8);
    }
  });
});
