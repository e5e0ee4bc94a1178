// Fills every list of the document with rows that tie in what they are sorted by, and that leave out what they may.
import type { Request } from './app.ts';
import { makeVans, quoteBody, rateCard } from './carriers.ts';
import type { Operation } from './contract.ts';
import {
  addStock,
  make,
  makeCarrierAccount,
  makeCustomer,
  makeLocation,
  makeOrder,
  makePlace,
  makeProduct,
  makeVariant,
  makeWarehouse,
  makeWebhookEndpoint,
} from './factories.ts';
import { makeSupplier, purchaseOrderBody } from './purchasing.ts';
import { shipmentBody } from './samples-shipments.ts';

export interface Filled {
  /** Where the list is. */
  path: string;
  /** The table that its rows are of, whose times are made to tie. */
  table: string;
  /** Adds row number `index` to the list. */
  add(index: number): Promise<unknown>;
  /** `sortBy` name -> the field of a row, where that is another. */
  fields?: Record<string, string>;
}

export type Filler = (request: Request) => Promise<Filled>;

let words = 0;

/** Lower-case letters only, so that every collation orders them alike. */
export function word(): string {
  words += 1;
  return [words / 676, words / 26, words].map((n) => String.fromCharCode(97 + (Math.floor(n) % 26))).join('');
}

/** One of few values, and often none. */
const few = (index: number, name: string) => (index % 3 === 0 ? null : `${name}${'abc'[index % 2]}`);

const levels =
  (path: (place: { warehouseId: string; productId: string }) => string, oneProduct: boolean): Filler =>
  async (request) => {
    const place = await makePlace(request);
    const product = await makeProduct(request, {}, [{ sku: `sku${word()}` }]);
    return {
      path: path({ warehouseId: place.warehouseId, productId: product.id }),
      table: 'inventory_levels',
      fields: { sku: 'productVariant.sku' },
      async add(index) {
        const fields = { title: 'Default', sku: `sku${word()}` };
        const variant = oneProduct
          ? await make(request, `/products/${product.id}/variants`, fields)
          : await makeVariant(request, fields);
        await addStock(request, place, variant.id, 1 + (index % 3));
      },
    };
  };

/** By operationId. A list that is missing here fails test/platform/lists.test.ts with a sentence. */
export const fillers: Record<string, Filler> = {
  listCustomers: async (request) => ({
    path: '/customers',
    table: 'customers',
    add: (index) =>
      makeCustomer(request, {
        name: `name${'ab'[index % 2]}`,
        email: few(index, 'mail'),
        company: few(index + 1, 'co'),
      }),
  }),
  listProducts: async (request) => ({
    path: '/products',
    table: 'products',
    add: (index) =>
      makeProduct(
        request,
        {
          name: `name${'ab'[index % 2]}`,
          slug: `slug${word()}`,
          brand: few(index, 'brand'),
          vendor: few(index + 1, 'vendor'),
          manufacturer: few(index + 2, 'maker'),
        },
        [{}, {}].slice(0, 1 + (index % 2)),
      ),
  }),
  listVariants: async (request) => {
    const product = await makeProduct(request);
    return {
      path: `/products/${product.id}/variants`,
      table: 'product_variants',
      add: (index) =>
        make(request, `/products/${product.id}/variants`, {
          title: `title${'ab'[index % 2]}`,
          sku: `sku${word()}`,
          price: index % 3,
        }),
    };
  },
  listWarehouses: async (request) => ({
    path: '/warehouses',
    table: 'warehouses',
    add: (index) => makeWarehouse(request, { name: `name${'ab'[index % 2]}`, priority: index % 3 }),
  }),
  listWarehouseLocations: async (request) => {
    const { id } = await makeWarehouse(request);
    return {
      path: `/warehouses/${id}/locations`,
      table: 'warehouse_locations',
      add: (index) => makeLocation(request, id, { name: `BIN${word()}`, sequence: index % 3 }),
    };
  },
  listProductInventoryLevels: levels(({ productId }) => `/products/${productId}/inventory-level`, true),
  listInventoryLevels: levels(({ warehouseId }) => `/inventory/levels?warehouseId=${warehouseId}`, false),
  listInventoryMovements: async (request) => {
    const place = await makePlace(request);
    const variant = await makeVariant(request);
    return {
      path: `/inventory/movements?warehouseId=${place.warehouseId}`,
      table: 'inventory_movements',
      add: (index) => addStock(request, place, variant.id, 1 + (index % 3)),
    };
  },
  listOrders: async (request) => {
    const variant = await makeVariant(request);
    const { id: customerId } = await makeCustomer(request);
    return {
      path: '/orders',
      table: 'orders',
      add: (index) =>
        makeOrder(
          request,
          {
            alias: few(index, 'alias'),
            price: index % 3,
            orderDate: `2026-01-0${1 + (index % 2)}T00:00:00Z`,
            targetDeliveryDate: index % 3 === 0 ? null : '2026-02-01T00:00:00Z',
            financialStatus: index % 2 === 0 ? 'paid' : 'pending',
            customerId: index % 2 === 0 ? customerId : null,
            tags: ['a'],
          },
          index % 2 === 0 ? [] : [[variant.id, 1]],
        ),
    };
  },
  listCarrierAccounts: async (request) => ({
    path: '/carrier-accounts',
    table: 'carrier_accounts',
    add: (index) =>
      makeCarrierAccount(request, {
        carrierCode: `code${'ab'[index % 2]}`,
        description: `account ${'ab'[index % 2]}`,
      }),
  }),
  listRateCards: async (request) => {
    const { id } = await makeCarrierAccount(request);
    let added = 0;
    return {
      path: `/carrier-accounts/${id}/rate-cards`,
      table: 'rate_cards',
      add(index) {
        added += 1;
        const effectiveFrom = new Date(Date.UTC(2026, 0, added)).toISOString().slice(0, 10);
        const card = rateCard({ name: `name${'ab'[index % 2]}`, effectiveFrom });
        return make(request, `/carrier-accounts/${id}/rate-cards`, card);
      },
    };
  },
  listShippingQuotes: async (request) => ({
    path: '/shipping-quotes',
    table: 'shipping_quotes',
    add: (index) =>
      make(
        request,
        '/shipping-quotes',
        quoteBody({
          shippingDate: `2026-01-0${1 + (index % 3)}T00:00:00Z`,
          metadata: { index: String(index) },
        }),
      ),
  }),
  listShipments: async (request) => {
    await makeVans(request, { carrierCode: 'filling' });
    return {
      path: '/shipments',
      table: 'shipments',
      add: () => make(request, '/shipments', shipmentBody('filling')),
    };
  },
  listManifests: async (request) => {
    const carrierCode = `vans${word()}`;
    const { id: carrierAccountId } = await makeVans(request, { carrierCode });
    return {
      path: '/manifests',
      table: 'manifests',
      async add() {
        const { id } = await make(request, '/shipments', shipmentBody(carrierCode));
        await make(request, '/manifests', { carrierAccountId, shipmentIds: [id] });
      },
    };
  },
  listReturnOrders: async (request) => {
    const variant = await makeVariant(request);
    return {
      path: '/return-orders',
      table: 'return_orders',
      add: () =>
        make(request, '/return-orders', { lineItems: [{ productVariantSku: variant.sku, quantity: 1 }] }),
    };
  },
  listSuppliers: async (request) => ({
    path: '/suppliers',
    table: 'suppliers',
    add: (index) => makeSupplier(request, { name: `name${'ab'[index % 2]}`, email: few(index, 'mail') }),
  }),
  listSupplierProducts: async (request) => {
    const { id } = await makeSupplier(request);
    return {
      path: `/suppliers/${id}/products`,
      table: 'supplier_products',
      add: async (index) =>
        make(request, `/suppliers/${id}/products`, {
          productVariantId: (await makeVariant(request)).id,
          supplierSku: few(index, 'sku'),
          price: index % 3 === 0 ? null : index % 2,
        }),
    };
  },
  listPurchaseOrders: async (request) => {
    const body = await purchaseOrderBody(request);
    return {
      path: '/purchase-orders',
      table: 'purchase_orders',
      add: (index) =>
        make(request, '/purchase-orders', {
          ...body,
          expectedDate: index % 3 === 0 ? null : `2026-03-0${1 + (index % 2)}T00:00:00Z`,
          lineItems: body.lineItems.map((line) => ({ ...line, unitPrice: index % 3 })),
          tags: ['a'],
        }),
    };
  },
  listWebhookEndpoints: async (request) => ({
    path: '/webhook-endpoints',
    table: 'webhook_endpoints',
    add: (index) => makeWebhookEndpoint(request, { description: few(index, 'description') }),
  }),
  listWebhookDeliveries: async (request) => {
    const { id } = await makeWebhookEndpoint(request);
    return {
      path: `/webhook-endpoints/${id}/deliveries`,
      table: 'webhook_deliveries',
      add: () => make(request, `/webhook-endpoints/${id}/test`),
    };
  },
  listClients: async (request) => ({
    path: '/clients',
    table: 'organizations',
    add: (index) => make(request, '/clients', { name: `name${'ab'[index % 2]}`, slug: `slug${word()}` }),
  }),
  listApiKeys: async (request) => ({
    path: '/api-keys',
    table: 'api_keys',
    add: (index) =>
      make(request, '/api-keys', {
        name: `name${'ab'[index % 2]}`,
        permissions: ['orders:read'],
        expiresAt: index % 3 === 0 ? null : '2099-01-01T00:00:00Z',
      }),
  }),
};

/** The filler of a list. */
export function fillerOf({ method, path, operationId }: Operation): Filler {
  const filler = fillers[operationId];
  if (filler !== undefined) return filler;
  throw new Error(
    `${method} ${path}: add ${operationId} to test/support/fillers.ts, what makes rows for it; ` +
      'that is all it needs for its pages, its sorts and its number of statements to be tested',
  );
}
