// Lists are put together from parts: what comes out is what one plain statement finds, in its order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestOrganization } from '../support/app.ts';
import { type Filter, requireWalks, type Walked } from '../support/walks.ts';
import { type Filled, fillLists } from './fill.ts';

const service = await startTestApp();
after(service.close);
const { database } = service;
let parent: TestOrganization;
let child: TestOrganization;
let filled: Filled;

before(async () => {
  parent = await service.makeOrganization();
  child = await service.makeOrganization({ parentId: parent.id });
  const stranger = await service.makeOrganization();
  filled = await fillLists(database.pool, parent);
  await fillLists(database.pool, child);
  await fillLists(database.pool, stranger);
});

const every: Filter = ['', ''];
const columns = (alias: string, names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([field, name]) => [field, `${alias}.${name}`]));
const made = { createdAt: 'created_at', updatedAt: 'updated_at' };
const days = (alias: string, from = 'dateRange[from]', to = 'dateRange[to]'): Filter => [
  `${from}=2026-03-02&${to}=2026-03-04`,
  `${alias}.created_at >= '2026-03-02Z' and ${alias}.created_at < '2026-03-05Z'`,
];
const hours = (alias: string, from = 'dateRange[from]', to = 'dateRange[to]'): Filter => [
  `${from}=2026-03-03&${to}=2026-03-03&timezone=America/New_York`,
  `${alias}.created_at >= '2026-03-03 05:00Z' and ${alias}.created_at < '2026-03-04 05:00Z'`,
];

const walk = (list: Omit<Walked, 'organizationIds'>, each: number) =>
  requireWalks(parent.request, database, { ...list, organizationIds: [parent.id] }, each);
/** `widening` asks for the clients' records too. */
const walkFamily = ({ filters, ...list }: Omit<Walked, 'organizationIds'>, widening: string, each: number) =>
  requireWalks(
    parent.request,
    database,
    { ...list, filters: [...filters, [[widening, '']]], organizationIds: [parent.id, child.id] },
    each,
  );

test('levels, of a warehouse or of all, by every figure', async () => {
  const figures = [
    'available',
    'onHand',
    'committed',
    'reserved',
    'incoming',
    'damaged',
    'qualityControl',
    'safetyStock',
  ];
  const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const levels = {
    path: '/inventory/levels',
    from: 'inventory_levels l join product_variants v on v.organization_id = l.organization_id and v.id = l.product_variant_id',
    alias: 'l',
    filters: [
      [every, [`warehouseId=${filled.warehouseIds[0]}`, `l.warehouse_id = '${filled.warehouseIds[0]}'`]],
    ] as Filter[][],
    sorts: {
      ...columns('l', {
        ...Object.fromEntries(figures.map((name) => [`${name}Quantity`, `${words(name)}_quantity`])),
        ...made,
      }),
      sku: 'v.sku',
    },
  };
  await walk(levels, 2);
  await walkFamily(levels, 'childInventory=true', 1);
});

test('shipments, by carrier and states', async () => {
  const shipments = {
    path: '/shipments',
    from: 'shipments s',
    alias: 's',
    filters: [
      [every, ['carrierCode=vans', "s.carrier_code = 'vans'"], ['carrierCode=nobody', 'false']],
      [every, ['trackingStatus=delivered', "s.tracker_status = 'delivered'"]],
      [every, ['purchaseStatus=failed', "s.purchase_status = 'failed'"]],
      [every, days('s'), hours('s'), ['search=t-1', "s.search_text like '%t-1%'"]],
    ] as Filter[][],
    sorts: columns('s', made),
  };
  await walk(shipments, 9);
  await walkFamily(shipments, 'childOrders=true', 3);
});

test('quotes, bought or not', async () => {
  const quotes = {
    path: '/shipping-quotes',
    from: 'shipping_quotes q',
    alias: 'q',
    filters: [
      [
        every,
        ['hasShipment=true', 'q.shipment_id is not null'],
        ['hasShipment=false', 'q.shipment_id is null'],
      ],
      [every, days('q'), hours('q'), ['search=quote 1', "q.search_text like '%quote 1%'"]],
    ] as Filter[][],
    sorts: columns('q', { ...made, shippingDate: 'shipping_date' }),
  };
  await walk(quotes, 4);
});

test('purchase orders, by status, supplier and warehouse', async () => {
  const [warehouseId] = filled.warehouseIds;
  const [supplierId] = filled.supplierIds;
  const purchaseOrders = {
    path: '/purchase-orders',
    from: `purchase_orders p join suppliers s on s.organization_id = p.organization_id and s.id = p.supplier_id
      join warehouses w on w.organization_id = p.organization_id and w.id = p.warehouse_id`,
    alias: 'p',
    filters: [
      [every, ['status=received', "p.status = 'received'"]],
      [every, [`supplierId=${supplierId}`, `p.supplier_id = '${supplierId}'`]],
      [every, [`warehouseId=${warehouseId}`, `p.warehouse_id = '${warehouseId}'`]],
      [
        ['', 'p.archived_at is null'],
        ['includeArchived=true', ''],
      ],
      [
        every,
        every,
        days('p', 'from', 'to'),
        hours('p', 'from', 'to'),
        ['search=po-1', "p.search_text like '%po-1%'"],
      ],
    ] as Filter[][],
    sorts: {
      ...columns('p', {
        ...made,
        name: 'name',
        status: 'status',
        expectedDate: 'expected_date',
        grandTotal: 'grand_total',
      }),
      'supplier.name': 's.name',
      'warehouse.name': 'w.name',
    },
  };
  await walk(purchaseOrders, 5);
  await walkFamily(purchaseOrders, 'childOrders=true', 2);
});

test('products, archived or not', async () => {
  const products = {
    path: '/products',
    from: 'products p',
    alias: 'p',
    filters: [
      [
        ['', 'p.archived_at is null'],
        ['includeArchived=true', ''],
      ],
      [every, every, ['search=product 1', "p.search_text like '%product 1%'"]],
    ] as Filter[][],
    sorts: columns('p', {
      ...made,
      name: 'name',
      slug: 'slug',
      brand: 'brand',
      vendor: 'vendor',
      manufacturer: 'manufacturer',
    }),
  };
  await walk(products, 2);
});

test('return orders, by status', async () => {
  const returns = {
    path: '/return-orders',
    from: 'return_orders r',
    alias: 'r',
    filters: [
      [every, ['status=received', "r.status = 'received'"]],
      [every, every, days('r'), ['search=ro-1', "r.search_text like '%ro-1%'"]],
    ] as Filter[][],
    sorts: columns('r', { ...made, name: 'name', status: 'status' }),
  };
  await walk(returns, 2);
  await walkFamily(returns, 'childOrders=true', 1);
});

test('a page costs two statements, however many parts it is put together from', async () => {
  const paths = [
    '/inventory/levels?sortBy=availableQuantity',
    '/shipments?sortBy=updatedAt',
    '/shipping-quotes?sortBy=shippingDate',
    '/purchase-orders?sortBy=warehouse.name',
    '/products?sortBy=brand&includeArchived=true',
    '/return-orders?sortBy=status',
  ];
  for (const path of paths) {
    for (const limit of [1, 100]) {
      const statements = await service.statements(() => parent.request('GET', `${path}&limit=${limit}`));
      assert.equal(statements.length, 2, path);
    }
  }
});

test('an account keeps its carrier, by which its shipments are listed', async () => {
  const { body } = await parent.request('GET', '/carrier-accounts?limit=1');
  const [account] = body.data;
  const refused = await parent.request('POST', `/carrier-accounts/${account.id}`, { carrierCode: 'other' });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error.details.issues[0].path, '/carrierCode');
});
