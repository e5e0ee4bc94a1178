// Every filter of the lists that know their totals, with every sort that they take: what must not read more than its page.
import { ListInventoryLevelsQuery, levelSorts } from '../../src/inventory/schema.ts';
import { ListOrdersQuery, orderSorts } from '../../src/orders/schema.ts';
import { ListProductsQuery, productSorts } from '../../src/products/schema.ts';
import { ListPurchaseOrdersQuery, purchaseOrderSorts } from '../../src/purchase-orders/schema.ts';
import { ListShipmentsQuery, shipmentSorts } from '../../src/shipments/schema.ts';
import { ListShippingQuotesQuery, quoteSorts } from '../../src/shipping-quotes/schema.ts';
import { type Catalogue, carrierCode } from '../catalogue.ts';

export type Own = NonNullable<Catalogue['own']> & { supplierId: string };

type Filter = (own: Own) => string;

interface List {
  path: string;
  /** Its parameters, of which each has to be known here. */
  parameters: Record<string, unknown>;
  sorts: readonly string[];
  defaultSort: string;
  /** What is asked of each filter: frequent values, seldom ones, and several filters at once. */
  filters: Record<string, Filter>;
}

const common = ['limit', 'page', 'cursor', 'search', 'sortBy', 'sortOrder'];
/** Not an equality: in the order of its date, and for what else it costs see `costs`. */
const ranges = ['dateRange[from]', 'dateRange[to]', 'timezone', 'from', 'to', 'asOf'];

const lists: Record<string, List> = {
  orders: {
    path: '/orders',
    parameters: ListOrdersQuery.properties,
    sorts: orderSorts,
    defaultSort: 'orderDate',
    filters: {
      'financialStatus=paid': () => 'financialStatus=paid',
      'financialStatus=refunded': () => 'financialStatus=refunded',
      'fulfillmentStatus=fulfilled': () => 'fulfillmentStatus=fulfilled',
      'fulfillmentStatus=on-hold': () => 'fulfillmentStatus=on-hold',
      'readyToShip=true': () => 'readyToShip=true',
      'readyToShip=false': () => 'readyToShip=false',
      'includeArchived=true': () => 'includeArchived=true',
      name: ({ orderName }) => `name=${orderName}`,
      alias: () => 'alias=shop-7',
      all: () => 'financialStatus=paid&fulfillmentStatus=fulfilled&readyToShip=false&includeArchived=true',
      'childOrders=true': () => 'childOrders=true',
    },
  },
  levels: {
    path: '/inventory/levels',
    parameters: ListInventoryLevelsQuery.properties,
    sorts: levelSorts,
    defaultSort: 'sku',
    filters: {
      warehouseId: ({ warehouseId }) => `warehouseId=${warehouseId}`,
      'childInventory=true': () => 'childInventory=true',
    },
  },
  shipments: {
    path: '/shipments',
    parameters: ListShipmentsQuery.properties,
    sorts: shipmentSorts,
    defaultSort: 'createdAt',
    filters: {
      carrierCode: () => `carrierCode=${carrierCode}`,
      'trackingStatus=delivered': () => 'trackingStatus=delivered',
      'trackingStatus=failure': () => 'trackingStatus=failure',
      'purchaseStatus=purchased': () => 'purchaseStatus=purchased',
      'purchaseStatus=failed': () => 'purchaseStatus=failed',
      all: () => `carrierCode=${carrierCode}&trackingStatus=in-transit&purchaseStatus=purchased`,
      'childOrders=true': () => 'childOrders=true',
    },
  },
  quotes: {
    path: '/shipping-quotes',
    parameters: ListShippingQuotesQuery.properties,
    sorts: quoteSorts,
    defaultSort: 'createdAt',
    filters: {
      'hasShipment=true': () => 'hasShipment=true',
      'hasShipment=false': () => 'hasShipment=false',
    },
  },
  'purchase-orders': {
    path: '/purchase-orders',
    parameters: ListPurchaseOrdersQuery.properties,
    sorts: purchaseOrderSorts,
    defaultSort: 'createdAt',
    filters: {
      'status=received': () => 'status=received',
      'status=draft': () => 'status=draft',
      supplierId: ({ supplierId }) => `supplierId=${supplierId}`,
      warehouseId: ({ warehouseId }) => `warehouseId=${warehouseId}`,
      'includeArchived=true': () => 'includeArchived=true',
      all: ({ supplierId, warehouseId }) =>
        `status=received&supplierId=${supplierId}&warehouseId=${warehouseId}&includeArchived=true`,
      'childOrders=true': () => 'childOrders=true',
    },
  },
  products: {
    path: '/products',
    parameters: ListProductsQuery.properties,
    sorts: productSorts,
    defaultSort: 'createdAt',
    filters: { 'includeArchived=true': () => 'includeArchived=true' },
  },
};

/** What grows with more than the page, and with what: by list, filter and sort. */
const costs: { of: RegExp; cost: string }[] = [
  { of: /^orders readyToShip=/, cost: 'the orders that are ready, which are counted' },
  { of: /^purchase-orders (.* )?supplier\.name/, cost: 'the suppliers: of each the first page' },
];

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const lastMonth = (from: string, to: string) => `${from}=${daysAgo(60)}&${to}=${daysAgo(30)}`;

/** One list under one filter in one order. */
export interface Pair {
  name: string;
  cost?: string;
  path(own: Own): string;
}

export const listPairs: readonly Pair[] = Object.entries(lists).flatMap(([name, list]) => [
  ...Object.entries<Filter>({ '': () => '', ...list.filters }).flatMap(([filter, query]) =>
    list.sorts.flatMap((sortBy) =>
      ['asc', 'desc'].map((sortOrder) =>
        pair(name, list, [filter, sortBy, sortOrder], (own) =>
          [query(own), `sortBy=${sortBy}`, `sortOrder=${sortOrder}`].filter((text) => text !== '').join('&'),
        ),
      ),
    ),
  ),
  ...dated(name, list),
]);

/** A range of dates in the order of the date, under each filter. */
function dated(name: string, list: List): Pair[] {
  const names = Object.keys(list.parameters);
  const [from, to] = names.filter((parameter) => /^(dateRange\[)?(from|to)\]?$/.test(parameter));
  if (from === undefined || to === undefined) return [];
  return Object.entries<Filter>({ '': () => '', ...list.filters }).flatMap(([filter, query]) =>
    ['asc', 'desc'].map((sortOrder) =>
      pair(name, list, [filter, 'of 30 days', list.defaultSort, sortOrder], (own) =>
        [query(own), lastMonth(from, to), `sortBy=${list.defaultSort}`, `sortOrder=${sortOrder}`]
          .filter((text) => text !== '')
          .join('&'),
      ),
    ),
  );
}

function pair(list: string, { path }: List, of: string[], query: (own: Own) => string): Pair {
  const name = [list, ...of].filter((text) => text !== '').join(' ');
  const cost = costs.find(({ of: some }) => some.test(name))?.cost;
  return { name, ...(cost === undefined ? {} : { cost }), path: (own) => `${path}?limit=20&${query(own)}` };
}

/** Parameters of these lists that no pair here names. */
export function unnamedParameters(): string[] {
  return Object.entries(lists).flatMap(([name, { parameters, filters }]) => {
    const named = Object.keys(filters).map((filter) => filter.split('=')[0]!);
    return Object.keys(parameters)
      .filter((parameter) => ![...common, ...ranges, ...named].includes(parameter))
      .map((parameter) => `${name}: ${parameter}`);
  });
}
