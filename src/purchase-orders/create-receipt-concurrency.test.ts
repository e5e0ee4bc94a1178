// Receipts at the same time, and receipts of many lines: nothing is received twice, and statements do not grow.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeOrder, makeProduct, makeWarehouse } from '../../test/support/factories.ts';
import { makeSupplier, moveOn, purchasingOf } from '../../test/support/purchasing.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, ordered, receive, figures, consistent } = purchasingOf(() => test);
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('at the same time', () => {
  it('two clients receive all of one line: one of them does, the other is told', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id, lines, warehouse, variant } = await ordered([10]);
      const answers = await Promise.all([receive(id, { [lines[0]!]: 10 }), receive(id, { [lines[0]!]: 10 })]);
      assert.deepEqual(statuses(answers), [200, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      assert.equal(refused.body.error.details.code, 'over_receipt');
      assert.deepEqual(await figures(warehouse, variant), [10, 10, 0, 0, 0]);
      assert.equal((await get(id)).purchaseOrderReceipts.length, 1);
    }
    await consistent();
  });

  it('twenty clients receive three of ten: three do, and no unit too many is there', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => receive(id, { [lines[0]!]: 3 })));
    assert.deepEqual(statuses(answers), [...new Array(3).fill(200), ...new Array(17).fill(409)]);
    assert.deepEqual(await figures(warehouse, variant), [9, 9, 0, 0, 1]);
    await consistent();
  });

  it('the same receipt sent twice under one key is received once', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    const send = () => receive(id, { [lines[0]!]: 4 }, {}, { 'idempotency-key': `delivery ${id}` });
    const answers = await Promise.all([send(), send(), send()]);
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    assert.equal((await send()).headers['idempotency-replayed'], 'true');
    assert.deepEqual(await figures(warehouse, variant), [4, 4, 0, 0, 6]);
  });

  it('of a receipt and a cancellation one is refused, and of a receipt and a close none leaves units incoming', async () => {
    for (let n = 0; n < 5; n += 1) {
      const one = await ordered([10]);
      const [received, cancelled] = await Promise.all([
        receive(one.id, { [one.lines[0]!]: 4 }),
        request('POST', `/purchase-orders/${one.id}/cancel`),
      ]);
      assert.deepEqual(statuses([received, cancelled]), [200, 409]);
      const other = await ordered([10]);
      await receive(other.id, { [other.lines[0]!]: 1 });
      const [, closed] = await Promise.all([
        receive(other.id, { [other.lines[0]!]: 4 }),
        request('POST', `/purchase-orders/${other.id}/close`),
      ]);
      assert.equal(closed.status, 200);
      assert.equal((await figures(other.warehouse, other.variant))[4], 0);
    }
    await consistent();
  });

  it('receipts of several orders for the same variants, orders that sell them and moves of status do not deadlock', async () => {
    const { variants, warehouse, supplier } = await ordered([50, 50, 50]);
    const orders = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const lineItems = variants.map(({ id }) => ({
          productVariantId: id,
          requestedQuantity: 20,
          unitPrice: 1,
        }));
        const draft = await make(request, '/purchase-orders', {
          supplierId: supplier.id,
          warehouseId: warehouse.id,
          lineItems: n % 2 === 0 ? lineItems : lineItems.toReversed(),
        });
        return moveOn(request, draft, 'open', 'confirm');
      }),
    );
    const sell = () =>
      makeOrder(
        request,
        { warehouseId: warehouse.id },
        variants.map(({ id }) => [id, 3]),
      );
    const answers = await Promise.all(
      orders.flatMap(({ id, lineItems }: Json) => [
        receive(id, Object.fromEntries(lineItems.map((line: Json) => [line.id, 5]))),
        receive(id, Object.fromEntries(lineItems.toReversed().map((line: Json) => [line.id, 6]))),
        sell().then(() => ({ status: 200 })),
      ]),
    );
    assert.deepEqual(
      statuses(answers),
      answers.map(() => 200),
    );
    assert.deepEqual((await figures(warehouse, variants[0])).at(0), 66);
    await consistent();
  });
});

describe('many lines', () => {
  async function orderOf(lines: number) {
    const supplier = await makeSupplier(request);
    const warehouse = await makeWarehouse(request);
    const product = await makeProduct(
      request,
      {},
      Array.from({ length: lines }, () => ({})),
    );
    const draft = await make(request, '/purchase-orders', {
      supplierId: supplier.id,
      warehouseId: warehouse.id,
      lineItems: product.variants.map(({ id }: Json) => ({
        productVariantId: id,
        requestedQuantity: 10,
        unitPrice: 1,
      })),
    });
    return draft;
  }

  // inventree/InvenTree#10174: receiving 500 lines took over a thousand statements.
  it('receiving 500 lines costs the statements of one, 25 at most; so do confirming and correcting them', async () => {
    const count = async (lines: number) => {
      const draft = await orderOf(lines);
      await moveOn(request, draft, 'open');
      const ids: string[] = draft.lineItems.map(({ id }: Json) => id);
      const part = { quantity: 6, damagedQuantity: 2, qualityControlQuantity: 1, lotNumber: 'L1' };
      const correction = { quantity: -2, damagedQuantity: -1, lotNumber: 'L1' };
      const steps = [
        () => moveOn(request, draft, 'confirm'),
        () => receive(draft.id, Object.fromEntries(ids.map((id) => [id, part]))),
        () => receive(draft.id, Object.fromEntries(ids.map((id) => [id, correction]))),
        () => moveOn(request, draft, 'close'),
      ];
      const counts = [];
      for (const step of steps) counts.push((await test.statements(step)).length);
      return counts;
    };
    const few = await count(1);
    assert.deepEqual(await count(500), few);
    assert.ok(Math.max(...few) <= 25, few.join());
    await consistent();
  });

  it('receiving 500 lines that 100 orders wait for costs what it costs with 1 order', async () => {
    const count = async (orders: number) => {
      const draft = await orderOf(500);
      await moveOn(request, draft, 'open', 'confirm');
      const [line] = draft.lineItems;
      const body = {
        name: 'W-',
        price: 1,
        orderDate: '2026-01-01T00:00:00Z',
        warehouseId: draft.warehouseId,
        lineItems: [{ productVariantId: line.productVariantId, quantity: 1 }],
      };
      await make(request, '/orders/bulk', { orders: new Array(orders).fill(body), atomic: true });
      const all = Object.fromEntries(draft.lineItems.map(({ id }: Json) => [id, { quantity: 100 }]));
      const sent = await test.statements(() => receive(draft.id, all, { allowOverReceipt: true }));
      return sent.length;
    };
    assert.equal(await count(100), await count(1));
    await consistent();
  });
});
