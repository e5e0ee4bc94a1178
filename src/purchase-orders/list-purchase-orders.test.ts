// GET /purchase-orders: what it finds, and that its counts are those of its rows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp, type TestOrganization } from '../../test/support/app.ts';
import { make, makeProduct, makeVariant, makeWarehouse } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSupplier, moveOn, purchaseOrderBody, purchasingOf } from '../../test/support/purchasing.ts';
import { sql } from '../database/connect.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, ordered, receive } = purchasingOf(() => test);

async function list(query: Record<string, string>, ask = request): Promise<Json> {
  const answer = await ask('GET', `/purchase-orders?${new URLSearchParams({ limit: '100', ...query })}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const ids = async (query: Record<string, string>, ask = request): Promise<string[]> =>
  (await list(query, ask)).data.map(({ id }: Json) => id);

describe('listPurchaseOrders', () => {
  it('search matches name, supplier, tracking, reference and product details in any case, and % as it stands', async () => {
    const supplier = await makeSupplier(request, { name: 'Zebra & Söhne', email: 'nobody@quagga.example' });
    const product = await makeProduct(request, { name: 'Gnu Kettle' }, [
      { title: 'Okapi', sku: 'IBEX-1', barcode: '4006381333931' },
    ]);
    const { id } = await make(request, '/purchase-orders', {
      supplierId: supplier.id,
      warehouseId: (await makeWarehouse(request)).id,
      name: 'LYNX-',
      trackingNumber: '1Z-PUMA',
      referenceNumber: '50%_REF',
      lineItems: [{ productVariantId: product.variants[0].id, requestedQuantity: 1, unitPrice: 1 }],
    });
    for (const search of [
      'lynx-10',
      'zebra',
      'SÖHNE',
      '1z-pu',
      '0%_r',
      'ibex',
      'okap',
      '4006381',
      'gnu ket',
      'k',
    ]) {
      assert.ok((await ids({ search })).includes(id), search);
    }
    for (const search of ['quagga', 'z%b', 'lynx_10', 'puma\nib']) {
      assert.deepEqual(await ids({ search }), [], search);
    }
    await make(request, `/suppliers/${supplier.id}`, { name: 'Renamed' });
    assert.deepEqual([await ids({ search: 'zebra' }), await ids({ search: 'renamed' })], [[], [id]]);
  });

  it('sorts by the names of suppliers and warehouses', async () => {
    const { request: own } = await test.makeOrganization();
    const made: Record<string, string> = {};
    for (const [supplier, warehouse] of ['ba', 'ab', 'cc'].map((pair) => [...pair] as [string, string])) {
      const { id } = await make(own, '/purchase-orders', {
        ...(await purchaseOrderBody(own)),
        supplierId: (await makeSupplier(own, { name: `S ${supplier}` })).id,
        warehouseId: (await makeWarehouse(own, { name: `W ${warehouse}` })).id,
      });
      made[id] = supplier + warehouse;
    }
    const order = async (sortBy: string, sortOrder: string) =>
      (await ids({ sortBy, sortOrder }, own)).map((id) => made[id]);
    assert.deepEqual(await order('supplier.name', 'asc'), ['ab', 'ba', 'cc']);
    assert.deepEqual(await order('supplier.name', 'desc'), ['cc', 'ba', 'ab']);
    assert.deepEqual(await order('warehouse.name', 'asc'), ['ba', 'ab', 'cc']);
    const unknown = await own('GET', '/purchase-orders?sortBy=supplier');
    assert.deepEqual(issuesOf(unknown), { '/sortBy': 'not_allowed' });
  });

  it('filters by status, supplier, warehouse and days of creation, and counts what it finds', async () => {
    const { id: organizationId, request: own } = await test.makeOrganization();
    const at = (day: string) => new Date(`${day}T23:30:00Z`);
    const made: Json[] = [];
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) {
      const order = await make(own, '/purchase-orders', await purchaseOrderBody(own));
      await test.database.query(sql`
        update purchase_orders set created_at = ${at(day)}
        where organization_id = ${organizationId} and id = ${order.id}`);
      await test.database.query(sql`
        update record_totals set day = ${day}
        where organization_id = ${organizationId} and kind = 'purchase-order'
          and day > '2026-01-03'`);
      made.push(order);
    }
    await moveOn(own, made[1], 'open');
    const of = async (query: Record<string, string>) => {
      const page = await list(query, own);
      assert.equal(page.totalCount, page.data.length);
      return page.data.map(({ id }: Json) => made.findIndex((order) => order.id === id)).sort();
    };
    assert.deepEqual(await of({}), [0, 1, 2]);
    assert.deepEqual(await of({ status: 'open' }), [1]);
    assert.deepEqual(await of({ supplierId: made[2].supplierId }), [2]);
    assert.deepEqual(await of({ warehouseId: made[0].warehouseId }), [0]);
    assert.deepEqual(await of({ from: '2026-01-02', to: '2026-01-02' }), [1]);
    assert.deepEqual(await of({ from: '2026-01-02', status: 'draft' }), [2]);
    assert.deepEqual(await of({ to: '2026-01-01', supplierId: made[0].supplierId }), [0]);
    // 23:30 in UTC is the next day in Berlin.
    assert.deepEqual(await of({ from: '2026-01-03', to: '2026-01-03', timezone: 'Europe/Berlin' }), [1]);
    for (const query of ['from=2026-02-30', 'status=lost', 'supplierId=x', 'from=2026-01-02&to=2026-01-01']) {
      assert.equal((await own('GET', `/purchase-orders?${query}`)).status, 400, query);
    }
  });

  it('childOrders adds those of the children, and of nobody else', async () => {
    const parent = await test.makeOrganization();
    const child = await test.makeOrganization({ parentId: parent.id });
    const stranger = await test.makeOrganization();
    const make1 = async ({ request: own }: TestOrganization) =>
      (await make(own, '/purchase-orders', await purchaseOrderBody(own))).id;
    const [ofParent, ofChild] = [await make1(parent), await make1(child)];
    await make1(stranger);
    const seen = (organization: TestOrganization, childOrders: string) =>
      ids({ childOrders, sortOrder: 'asc' }, organization.request);
    assert.deepEqual(await seen(parent, 'false'), [ofParent]);
    assert.deepEqual(await seen(parent, 'true'), [ofParent, ofChild]);
    assert.deepEqual(await seen(child, 'true'), [ofChild]);
    const page = await list(
      { childOrders: 'true', sortBy: 'supplier.name', search: 'supplier' },
      parent.request,
    );
    assert.equal(page.totalCount, 2);
    assert.equal(page.data.find(({ id }: Json) => id === ofChild).lineItems.length, 1);
  });

  it('totals are those of the rows after everything that can happen to orders', async () => {
    const { id: organizationId, request: own } = await test.makeOrganization();
    const ours = purchasingOf(() => ({ ...test, request: own }));
    await ours.ordered([1], ['cancel']);
    await ours.ordered([1], ['open', 'archive']);
    const { id, lines } = await ours.ordered([10]);
    await ours.receive(id, { [lines[0]!]: 4 });
    await ours.receive(id, { [lines[0]!]: -4 });
    await moveOn(own, { id }, 'archive', 'archive', 'restore', 'cancel');
    const draft = await ours.ordered([1], []);
    await make(own, `/purchase-orders/${draft.id}`, await purchaseOrderBody(own));
    const [row] = await test.database.query<{ wrong: number; counted: number }>(sql`
      select count(*) filter (where k.n is distinct from t.n) as wrong, sum(k.n)::int as counted
      from (
        select supplier_id, warehouse_id, status, archived, purchase_orders as n from purchase_order_totals
        where organization_id = ${organizationId} and purchase_orders <> 0) k
      full join (
        select supplier_id, warehouse_id, status, archived_at is not null as archived, count(*) as n
        from purchase_orders where organization_id = ${organizationId} group by 1, 2, 3, 4) t
      using (supplier_id, warehouse_id, status, archived)`);
    assert.deepEqual(row, { wrong: 0, counted: 4 });
    assert.equal((await list({ includeArchived: 'true' }, own)).totalCount, 4);
    assert.equal((await list({}, own)).totalCount, 3);
  });

  it('a line shows what has been received of it', async () => {
    const { id, lines } = await ordered([10]);
    await receive(id, { [lines[0]!]: 4 });
    const order = (await list({})).data.find((one: Json) => one.id === id);
    assert.deepEqual([order.status, order.lineItems[0].receivedQuantity], ['partially-received', 4]);
    assert.ok(!('purchaseOrderReceipts' in order));
  });

  it('a product that is archived since still shows in its lines', async () => {
    const variant = await makeVariant(request);
    const body = await purchaseOrderBody(request);
    const lineItems = [{ productVariantId: variant.id, requestedQuantity: 1, unitPrice: 1 }];
    const { id } = await make(request, '/purchase-orders', { ...body, lineItems });
    await request('DELETE', `/products/${variant.productId}`);
    const order = (await list({ supplierId: body.supplierId })).data.find((one: Json) => one.id === id);
    assert.equal(order.lineItems[0].productVariant.sku, variant.sku);
  });
});
