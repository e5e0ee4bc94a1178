// POST /purchase-orders/{purchaseOrderId}.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeVariant, makeWarehouse } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSupplier, purchasingOf } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, ordered, receive, refused } = purchasingOf(() => test);
const update = (id: string, body: object): Promise<Answer> => request('POST', `/purchase-orders/${id}`, body);

const settled = async () => ({
  supplierId: (await makeSupplier(request)).id,
  warehouseId: (await makeWarehouse(request)).id,
  lineItems: [{ productVariantId: (await makeVariant(request)).id, requestedQuantity: 1, unitPrice: 1 }],
  currency: 'gbp',
  paymentTerms: 'net 60',
});
const accompanying = {
  expectedDate: '2026-12-01T00:00:00.000Z',
  trackingNumber: 'T-2',
  shippingCarrier: 'dhl',
  referenceNumber: 'R-2',
  metadata: { a: 'b' },
};

describe('updatePurchaseOrder', () => {
  for (const actions of [[], ['open']]) {
    it(`200 all of it changes while it is ${actions[0] ?? 'draft'}, totals with it`, async () => {
      const { id } = await ordered([10, 5], actions);
      const body = { ...(await settled()), ...accompanying, tags: ['b', 'c'], notes: ['One more'] };
      const { data } = (await update(id, body)).body;
      for (const [field, value] of Object.entries({ ...body, ...accompanying })) {
        if (!['lineItems', 'tags', 'notes'].includes(field)) assert.deepEqual(data[field], value, field);
      }
      assert.deepEqual([data.subtotal, data.totalTax, data.grandTotal], [1, 0, 1]);
      assert.equal(data.lineItems.length, 1);
      assert.deepEqual(
        data.tags.map(({ name }: Json) => name),
        ['b', 'c'],
      );
      assert.deepEqual(await get(id), data);
      const found = await request('GET', '/purchase-orders?search=r-2&limit=100');
      assert.ok(found.body.data.some((order: Json) => order.id === id));
    });
  }

  it('what accompanies it changes until it is received, what is settled does not', async () => {
    const { id, lines } = await ordered([10]);
    const fields = await settled();
    const each = async () => {
      for (const [field, value] of Object.entries(fields)) {
        const details = await refused(409, 'invalid_transition', () => update(id, { [field]: value }));
        assert.equal(details.from, (await get(id)).status);
      }
      const { data } = (await update(id, { ...accompanying, notes: ['N'], tags: [] })).body;
      assert.deepEqual([data.trackingNumber, data.shippingCarrier], ['T-2', 'dhl']);
    };
    await each();
    await receive(id, { [lines[0]!]: 4 });
    await each();
    await receive(id, { [lines[0]!]: 6 });
    for (const body of [{ notes: ['late'] }, { tags: ['late'] }, { trackingNumber: 'late' }, fields]) {
      await refused(409, 'invalid_transition', () => update(id, body));
    }
    const { id: cancelled } = await ordered([1], ['cancel']);
    await refused(409, 'invalid_transition', () => update(cancelled, { notes: ['late'] }));
  });

  it('a line with an id replaces that line and keeps when it was made; lines that are not sent are gone', async () => {
    const { id, order } = await ordered([10, 5], []);
    const [first, second] = order.lineItems;
    const { data } = (
      await update(id, {
        lineItems: [
          { productVariantId: first.productVariantId, requestedQuantity: 1, unitPrice: 2 },
          { id: second.id, productVariantId: second.productVariantId, requestedQuantity: 7, unitPrice: 2.5 },
        ],
      })
    ).body;
    assert.equal(data.lineItems.length, 2);
    assert.ok(![first.id, second.id].includes(data.lineItems[0].id));
    const { id: kept, createdAt, requestedQuantity } = data.lineItems[1];
    assert.deepEqual([kept, createdAt, requestedQuantity], [second.id, second.createdAt, 7]);
    assert.equal(data.grandTotal, 19.5);
  });

  it('400 when a line names an id that is no line of the order, or one twice', async () => {
    const { id, order } = await ordered([10], []);
    const [line] = order.lineItems;
    const input = { productVariantId: line.productVariantId, requestedQuantity: 1, unitPrice: 1 };
    const answer = await update(id, {
      lineItems: [
        { ...input, id: line.id },
        { ...input, id: line.id.toUpperCase() },
        { ...input, id: newId() },
      ],
    });
    assert.deepEqual(issuesOf(answer), { '/lineItems/1/id': 'duplicate', '/lineItems/2/id': 'not_found' });
  });

  it('another supplier: the lines refer to what it sells, and stay what they are', async () => {
    const { id, variant, order } = await ordered([10], []);
    const { id: supplierId } = await makeSupplier(request);
    const sold = await make(request, `/suppliers/${supplierId}/products`, { productVariantId: variant.id });
    await request('DELETE', `/products/${variant.productId}`);
    const { data } = (await update(id, { supplierId })).body;
    const [line] = data.lineItems;
    assert.deepEqual([line.id, line.supplierProductId], [order.lineItems[0].id, sold.id]);
    assert.equal(line.createdAt, order.lineItems[0].createdAt);
    assert.equal(data.grandTotal, order.grandTotal);
  });

  it('400 for a supplier or warehouse that is unknown or archived, and nothing is written', async () => {
    const { id } = await ordered([10], []);
    const closed = await makeWarehouse(request);
    await make(request, `/warehouses/${closed.id}`, { archived: true });
    for (const [field, value] of [
      ['supplierId', newId()],
      ['warehouseId', newId()],
      ['warehouseId', closed.id],
    ] as const) {
      const details = await refused(400, 'invalid_parameters', () => update(id, { [field]: value }));
      assert.equal(details.issues[0].path, `/${field}`);
    }
  });

  it('an order of a supplier that was archived since can still be changed', async () => {
    const { id, supplier } = await ordered([10], []);
    await make(request, `/suppliers/${supplier.id}`, { archived: true });
    const { id: warehouseId } = await makeWarehouse(request);
    assert.equal((await update(id, { warehouseId, trackingNumber: 'T' })).body.data.warehouseId, warehouseId);
  });

  it('so can its lines, and those of one whose warehouse was archived since', async () => {
    const { id, supplier, warehouse, variant } = await ordered([10], []);
    await make(request, `/suppliers/${supplier.id}`, { archived: true });
    await make(request, `/warehouses/${warehouse.id}`, { archived: true });
    const lineItems = [{ productVariantId: variant.id, requestedQuantity: 3, unitPrice: 1 }];
    assert.equal((await update(id, { lineItems })).body.data.lineItems[0].requestedQuantity, 3);
    const { id: supplierId } = await makeSupplier(request, {});
    await make(request, `/suppliers/${supplierId}`, { archived: true });
    const answer = await update(id, { supplierId, lineItems });
    assert.deepEqual(issuesOf(answer), { '/supplierId': 'not_found' });
  });

  it('a line stays though its variant was archived since; a new one of it is 400', async () => {
    const { id, order, variant } = await ordered([10, 5], []);
    await request('DELETE', `/products/${variant.productId}`);
    const [first, second] = order.lineItems.map((line: Json) => {
      const { id: lineId, productVariantId } = line;
      return { id: lineId, productVariantId, requestedQuantity: 4, unitPrice: 1 };
    });
    const { data } = (await update(id, { lineItems: [first, second] })).body;
    assert.deepEqual(
      data.lineItems.map((line: Json) => [line.id, line.requestedQuantity]),
      [
        [first.id, 4],
        [second.id, 4],
      ],
    );
    const another = { ...first, id: undefined };
    await refused(400, 'variant_archived', () => update(id, { lineItems: [another] }));
    const swapped = { ...first, id: second.id };
    await refused(400, 'variant_archived', () => update(id, { lineItems: [first, swapped] }));
  });

  it('notes add, removedNoteIds remove, and there are never more than the limit', async () => {
    const { id, order } = await ordered([1], [], { notes: ['one', { content: 'two', type: 'customer' }] });
    const [one] = order.notes;
    const { data } = (await update(id, { notes: ['three'], removedNoteIds: [one.id.toUpperCase()] })).body;
    assert.deepEqual(
      data.notes.map(({ content, type }: Json) => [content, type]),
      [
        ['two', 'customer'],
        ['three', 'internal'],
      ],
    );
    const gone = await update(id, { removedNoteIds: [data.notes[0].id, one.id] });
    assert.deepEqual(issuesOf(gone), { '/removedNoteIds/1': 'not_found' });
    const many = new Array(limits.notesMax - 1).fill('n');
    assert.deepEqual(issuesOf(await update(id, { notes: many })), { '/notes': 'too_many' });
  });

  it('null takes an optional field away', async () => {
    const { id } = await ordered([1], [], { ...accompanying, paymentTerms: 'net 30' });
    const fields = ['paymentTerms', 'trackingNumber', 'referenceNumber', 'shippingCarrier', 'expectedDate'];
    const { data } = (await update(id, Object.fromEntries(fields.map((field) => [field, null])))).body;
    assert.deepEqual(
      fields.map((field) => data[field]),
      fields.map(() => null),
    );
  });

  it('404 for an order that is unknown', async () => {
    assert.equal((await update(newId(), { tags: [] })).status, 404);
  });
});
