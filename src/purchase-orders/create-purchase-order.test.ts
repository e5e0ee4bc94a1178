// POST /purchase-orders.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeBundle, makeProduct, makeVariant, makeWarehouse } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { issuesIn, makeSupplier, purchaseOrderBody, purchasingOf } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, refused, figures } = purchasingOf(() => test);
const create = (body: object): Promise<Answer> => request('POST', '/purchase-orders', body);

describe('createPurchaseOrder', () => {
  it('200 a draft with everything that was sent, a name of its own, and nothing incoming', async () => {
    const supplier = await makeSupplier(request, { email: 'a@potters.example', phone: '1', currency: 'eur' });
    const warehouse = await makeWarehouse(request, { isThirdParty: true });
    const { variants } = await makeProduct(request, { name: 'Mug', brand: 'Acme', manufacturer: 'Acme Ltd' });
    const body = {
      supplierId: supplier.id.toUpperCase(),
      warehouseId: warehouse.id.toUpperCase(),
      lineItems: [
        { productVariantSku: variants[0].sku, requestedQuantity: 3, unitPrice: 1.1, taxRate: 0.2 },
        { productVariantId: variants[0].id, requestedQuantity: 1, unitPrice: 0 },
      ],
      paymentTerms: 'net 30',
      trackingNumber: 'TRACK-1',
      referenceNumber: 'REF-1',
      shippingCarrier: 'ups',
      expectedDate: '2026-12-24T12:00:00+01:00',
      tags: ['spring'],
      notes: ['Dock 2', { content: 'Ring twice', type: 'customer' }, { content: 'Heavy', type: null }],
      metadata: { buyer: 'Ada' },
    };
    const answer = await create(body);
    assert.equal(answer.body.object, 'purchase-order');
    const { data: order } = answer.body;
    assert.match(order.name, /^PO-\d+$/);
    const { status, subtotal, totalTax, grandTotal, currency, expectedDate } = order;
    assert.deepEqual([status, subtotal, totalTax, grandTotal, currency], ['draft', 3.3, 0.66, 3.96, 'eur']);
    assert.equal(expectedDate, '2026-12-24T11:00:00.000Z');
    assert.deepEqual([order.supplierId, order.supplier.id], [supplier.id, supplier.id]);
    assert.deepEqual(order.supplier.email, 'a@potters.example');
    assert.deepEqual([order.warehouse.id, order.warehouse.isThirdParty], [warehouse.id, true]);
    assert.deepEqual(
      order.lineItems.map((line: Json) => [line.requestedQuantity, line.receivedQuantity, line.unitPrice]),
      [
        [3, 0, 1.1],
        [1, 0, 0],
      ],
    );
    const { taxRate, subtotal: ofLine, productVariant } = order.lineItems[0];
    assert.deepEqual([taxRate, ofLine], [0.2, 3.3]);
    assert.deepEqual(productVariant.product, { name: 'Mug', brand: 'Acme', manufacturer: 'Acme Ltd' });
    assert.deepEqual(
      order.notes.map(({ content, type }: Json) => [content, type]),
      [
        ['Dock 2', 'internal'],
        ['Ring twice', 'customer'],
        ['Heavy', 'internal'],
      ],
    );
    assert.equal(order.notes[0].user.name, 'Ada Byron');
    assert.deepEqual(order.metadata, { buyer: 'Ada' });
    assert.deepEqual(await get(order.id), order);
    assert.deepEqual(await figures(warehouse, variants[0]), [0, 0, 0, 0, 0]);
  });

  it('numbers each prefix by itself', async () => {
    const body = await purchaseOrderBody(request);
    const names = [];
    for (const name of ['IMPORT-', 'IMPORT-', 'LOCAL-'])
      names.push((await create({ ...body, name })).body.data.name);
    assert.deepEqual(names, ['IMPORT-1001', 'IMPORT-1002', 'LOCAL-1001']);
  });

  it('a line refers to what its supplier sells the variant as, and to nothing of another supplier', async () => {
    const body = await purchaseOrderBody(request);
    const [{ productVariantId }] = body.lineItems as [Json];
    const other = await makeSupplier(request);
    const sold = await make(request, `/suppliers/${body.supplierId}/products`, { productVariantId });
    const elsewhere = await make(request, `/suppliers/${other.id}/products`, { productVariantId });
    const line = { ...body.lineItems[0], supplierProductId: sold.id };
    for (const lineItems of [[line], body.lineItems]) {
      const order = (await create({ ...body, lineItems })).body.data;
      assert.equal(order.lineItems[0].supplierProductId, sold.id);
    }
    const wrong = await create({ ...body, lineItems: [{ ...line, supplierProductId: elsewhere.id }] });
    assert.deepEqual(issuesOf(wrong), { '/lineItems/0/supplierProductId': 'not_found' });
  });

  it('400 names the supplier, the warehouse and every line that cannot be ordered, and nothing is written', async () => {
    const { lineItems, ...body } = await purchaseOrderBody(request);
    const bundle = await makeBundle(request, { [lineItems[0]!.productVariantId]: 2 });
    const archived = await makeSupplier(request);
    await make(request, `/suppliers/${archived.id}`, { archived: true });
    const closed = await makeWarehouse(request);
    await make(request, `/warehouses/${closed.id}`, { archived: true });
    const priced = { requestedQuantity: 1, unitPrice: 1 };
    const details = await refused(400, 'invalid_parameters', () =>
      create({
        supplierId: archived.id,
        warehouseId: closed.id,
        lineItems: [
          { productVariantSku: 'NO-SUCH-SKU', ...priced },
          { productVariantId: bundle.id, ...priced },
          { ...lineItems[0], id: newId() },
          priced,
        ],
      }),
    );
    assert.deepEqual(issuesIn(details), {
      '/supplierId': 'not_found',
      '/warehouseId': 'not_found',
      '/lineItems/0': 'variant_not_found',
      '/lineItems/1': 'not_allowed',
      '/lineItems/2/id': 'not_found',
      '/lineItems/3': 'variant_not_found',
    });
    for (const [field, id] of [
      ['supplierId', newId()],
      ['warehouseId', newId()],
    ] as const) {
      assert.deepEqual(issuesOf(await create({ ...body, lineItems, [field]: id })), {
        [`/${field}`]: 'not_found',
      });
    }
  });

  it('400 with the code that says what is wrong with variants where nothing else is, naming every such line', async () => {
    const { lineItems, ...body } = await purchaseOrderBody(request);
    const gone = await makeVariant(request);
    await request('DELETE', `/products/${gone.productId}`);
    const priced = { requestedQuantity: 1, unitPrice: 1 };
    const missing = { productVariantSku: 'NO-SUCH-SKU', ...priced };
    const unknown = await refused(400, 'variant_not_found', () =>
      create({ ...body, lineItems: [missing, lineItems[0], missing] }),
    );
    assert.deepEqual(Object.keys(issuesIn(unknown)), ['/lineItems/0', '/lineItems/2']);
    const archived = { productVariantId: gone.id, ...priced };
    await refused(400, 'variant_archived', () => create({ ...body, lineItems: [archived] }));
  });

  it('400 for negative prices and rates, for no lines, for no units, and for more than an amount can be', async () => {
    const { lineItems, ...body } = await purchaseOrderBody(request);
    const line = { ...lineItems[0], taxRate: 0 };
    const sent = (changed: object) =>
      refused(400, 'invalid_parameters', () => create({ ...body, ...changed }));
    const first = (field: string, value: unknown) => sent({ lineItems: [{ ...line, [field]: value }] });
    for (const [field, value] of [
      ['unitPrice', -0.01],
      ['taxRate', -0.1],
      ['taxRate', 10.1],
      ['requestedQuantity', 0],
      ['requestedQuantity', -1],
      ['requestedQuantity', 1.5],
    ] as const) {
      assert.deepEqual(
        Object.keys(issuesIn(await first(field, value))),
        [`/lineItems/0/${field}`],
        `${field} ${value}`,
      );
    }
    assert.deepEqual(issuesIn(await sent({ lineItems: [] })), { '/lineItems': 'too_few' });
    const dear = { ...line, requestedQuantity: 1, unitPrice: limits.moneyMax };
    assert.deepEqual(issuesIn(await sent({ lineItems: [dear, line] })), { '/lineItems': 'out_of_range' });
    assert.equal((await create({ ...body, lineItems: [dear] })).body.data.grandTotal, limits.moneyMax);
  });

  it('400 for a note that is neither a text nor one with a type', async () => {
    const body = await purchaseOrderBody(request);
    for (const note of [
      5,
      '',
      {},
      { content: '' },
      { content: 'a', type: '' },
      { content: 'a', kind: 'b' },
    ]) {
      const answer = await create({ ...body, notes: [note] });
      assert.equal(answer.status, 400, JSON.stringify(note));
    }
    const long = await create({ ...body, notes: [{ content: 'a', type: 't'.repeat(101) }] });
    assert.equal(long.status, 400);
  });

  it('lines of many cost as many statements as one', async () => {
    const body = await purchaseOrderBody(request);
    const count = async (lines: number) => {
      const lineItems = Array.from({ length: lines }, () => body.lineItems[0]);
      return (await test.statements(() => create({ ...body, lineItems }))).length;
    };
    assert.equal(await count(limits.orderLineItemsMax), await count(1));
  });
});
