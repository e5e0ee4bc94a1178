// Reads: lists as they are first shown, filtered, searched, sorted and deep within; one order.
import assert from 'node:assert/strict';
import { levelSorts } from '../../src/inventory/schema.ts';
import { orderSorts } from '../../src/orders/schema.ts';
import { type Catalogue, deepestRow, deepRow, rowWithin } from '../catalogue.ts';
import { randoms, type Scenario } from '../scenario.ts';

type Own = NonNullable<Catalogue['own']>;

interface Listing {
  name: string;
  title: string;
  /** Below the base address; `limit=20` is added. */
  path: (own: Own, n: number) => string;
  /** The fewest records that the page may have; a full page unless it is said. */
  atLeast?: number;
  /** What it grows with, where that is more than the page. */
  cost?: string;
}

const limit = 20;
const matching = 'the records that match';

function listing({ name, title, path, atLeast = limit, cost }: Listing): Scenario {
  return {
    name,
    title,
    ...(cost === undefined ? {} : { cost }),
    floor: 'Reads the page as JSON; counts the records.',
    request: (n, { own }) => {
      const wanted = path(own!, n);
      return { method: 'GET', path: `${wanted}${wanted.includes('?') ? '&' : '?'}limit=${limit}` };
    },
    check({ object, data, totalCount }) {
      assert.equal(object, 'list');
      assert.ok(data.length >= atLeast && data.length <= limit, `${name}: ${data.length} records`);
      assert.ok(totalCount >= data.length);
    },
  };
}

const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const lastMonth = () => `dateRange[from]=${dayAgo(60)}&dateRange[to]=${dayAgo(30)}`;

/** Those that the data set has. */
const statuses = {
  fulfillmentStatus: ['fulfilled', 'open', 'confirmed', 'on-hold', 'scheduled'],
  financialStatus: ['paid', 'pending', 'refunded'],
};

const first: Scenario = {
  ...listing({ name: 'list-orders', title: `List ${limit} orders, 3 lines each`, path: () => '/orders' }),
  anywhere: true,
};

const byStatus = Object.entries(statuses).flatMap(([filter, values]) =>
  values.map((value) => ({
    name: `list-orders-${value}`,
    title: `Orders, ${filter} ${value}`,
    path: () => `/orders?${filter}=${value}`,
    atLeast: 0,
  })),
);

const sorted = orderSorts.flatMap((sortBy) =>
  ['asc', 'desc'].map((sortOrder) => ({
    name: `list-orders-by-${words(sortBy)}-${sortOrder}`,
    title: `Orders, by ${sortBy}, ${sortOrder}`,
    path: () => `/orders?sortBy=${sortBy}&sortOrder=${sortOrder}`,
  })),
);

const deep = [
  { name: 'deep', row: deepRow },
  { name: 'deepest', row: deepestRow },
].flatMap(({ name, row }) => [
  {
    name: `list-orders-${name}-cursor`,
    title: `Orders, cursor behind row ${row}`,
    path: (own: Own) => `/orders?cursor=${own.cursors[row]}`,
  },
  {
    name: `list-orders-${name}-page`,
    title: `Orders, page behind row ${row}`,
    path: (own: Own) => `/orders?page=${rowWithin(own.orders, row) / limit + 1}`,
    cost: 'the rows before the page',
  },
]);

const orders: Listing[] = [
  ...byStatus,
  {
    name: 'list-orders-dates',
    title: 'Orders, of 30 days',
    path: () => `/orders?${lastMonth()}`,
    atLeast: 1,
  },
  {
    name: 'list-orders-dates-paid',
    title: 'Orders, of 30 days, paid',
    path: () => `/orders?${lastMonth()}&financialStatus=paid`,
    atLeast: 1,
  },
  {
    name: 'search-orders-name',
    title: 'Orders, search by name',
    path: ({ orderName }) => `/orders?search=${orderName}`,
    cost: matching,
    atLeast: 1,
  },
  {
    name: 'search-orders-sku',
    title: 'Orders, search by sku',
    path: ({ rareSku }) => `/orders?search=${rareSku}`,
    cost: matching,
    atLeast: 1,
  },
  {
    name: 'search-orders-tracking',
    title: 'Orders, search by tracking code',
    path: ({ trackingCode }) => `/orders?search=${trackingCode}`,
    cost: matching,
    atLeast: 1,
  },
  ...sorted,
  ...deep,
];

const levels: Listing[] = [
  {
    name: 'list-levels-warehouse',
    title: 'Levels of a warehouse',
    path: ({ warehouseId }) => `/inventory/levels?warehouseId=${warehouseId}`,
  },
  ...levelSorts.map((sortBy) => ({
    name: `list-levels-by-${words(sortBy)}`,
    title: `Levels, by ${sortBy}`,
    path: () => `/inventory/levels?sortBy=${sortBy}`,
  })),
  {
    name: 'list-product-levels',
    title: "A product's levels",
    path: ({ productIds }, n) => `/products/${productIds[n % productIds.length]}/inventory-level`,
    atLeast: 2,
  },
  {
    name: 'list-warehouse-locations',
    title: 'Locations of a warehouse',
    path: ({ warehouseId }) => `/warehouses/${warehouseId}/locations`,
    atLeast: 2,
    cost: 'the locations of the warehouse, which are counted',
  },
];

const others: Listing[] = [
  { name: 'list-shipments', title: 'Shipments', path: () => '/shipments' },
  { name: 'list-quotes', title: 'Quotes', path: () => '/shipping-quotes' },
  { name: 'list-purchase-orders', title: 'Purchase orders', path: () => '/purchase-orders', atLeast: 10 },
  { name: 'list-products', title: 'Products', path: () => '/products' },
  { name: 'list-events', title: 'Events', path: () => '/events' },
];

const getOrder: Scenario = {
  name: 'get-order',
  title: 'Get an order',
  floor: 'Reads the order as JSON.',
  request: (n, { own }) => {
    const { orderIds } = own!;
    return { method: 'GET', path: `/orders/${orderIds[Math.floor(orderIds.length * randoms(n)())]}` };
  },
  check: ({ data }) => assert.equal(data.lineItems.length, 3),
};

const stockByLocation: Scenario = {
  name: 'list-locations',
  title: 'Where the units of a variant are',
  floor: 'Finds the variant; reads its locations as JSON.',
  request: (n, { own, skus }) => ({
    method: 'GET',
    path: `/inventory/locations?productVariantIdentifier=${skus[n % skus.length]}&warehouseId=${own!.warehouseId}`,
  }),
  check: ({ data }) => assert.equal(data.length, 1),
};

export const readScenarios: readonly Scenario[] = [
  first,
  ...orders.map(listing),
  getOrder,
  stockByLocation,
  ...[...levels, ...others].map(listing),
];
