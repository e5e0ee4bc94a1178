// One valid request for every operation, so that whatever holds for all operations is tested on all of them.
import type { Request } from './app.ts';
import type { Operation } from './contract.ts';
import {
  make,
  makeCustomer,
  makeLocation,
  makePlace,
  makeProduct,
  makeVariant,
  makeWarehouse,
  unique,
} from './factories.ts';
import { nothing, orderOf, type Sample, type SampleMaker, stocked } from './sample.ts';
import { carrierSamples } from './samples-carriers.ts';
import { purchasingSamples } from './samples-purchasing.ts';
import { returnSamples } from './samples-returns.ts';
import { shipmentSamples } from './samples-shipments.ts';
import { webhookSamples } from './samples-webhooks.ts';

export type { Sample } from './sample.ts';

async function variantIds(request: Request) {
  const product = await makeProduct(request);
  return { productId: product.id, productVariantId: product.variants[0].id };
}

/** By operationId. An operation that is missing here fails test/isolation with a sentence. */
export const samples: Record<string, SampleMaker> = {
  // Customers
  listCustomers: nothing,
  createCustomer: async () => ({ body: { name: 'Ada Byron', email: 'ada@example.com' } }),
  getCustomer: async (request) => ({ ids: { customerId: (await makeCustomer(request)).id } }),
  updateCustomer: async (request) => ({
    ids: { customerId: (await makeCustomer(request)).id },
    body: { phone: '+1 555 0100' },
  }),

  // Products
  listProducts: nothing,
  createProduct: async () => ({
    body: { name: unique('Kettle '), variants: [{ title: 'Steel', sku: unique('KETTLE-') }] },
  }),
  getProduct: async (request) => ({ ids: { productId: (await makeProduct(request)).id } }),
  updateProduct: async (request) => ({
    ids: { productId: (await makeProduct(request)).id },
    body: { brand: 'Acme' },
  }),
  archiveProduct: async (request) => ({ ids: { productId: (await makeProduct(request)).id } }),
  restoreProduct: async (request) => {
    const product = await makeProduct(request);
    await request('DELETE', `/products/${product.id}`);
    return { ids: { productId: product.id } };
  },
  listVariants: async (request) => ({ ids: { productId: (await makeProduct(request)).id } }),
  createVariant: async (request) => ({
    ids: { productId: (await makeProduct(request)).id },
    body: { title: 'Copper', sku: unique('COPPER-') },
  }),
  getVariant: async (request) => ({ ids: await variantIds(request) }),
  updateVariant: async (request) => ({ ids: await variantIds(request), body: { price: 12.5 } }),
  archiveVariant: async (request) => {
    const product = await makeProduct(request, {}, [{}, {}]);
    return { ids: { productId: product.id, productVariantId: product.variants[1].id } };
  },

  // Warehouses
  listWarehouses: nothing,
  createWarehouse: async () => ({ body: { name: unique('North ') } }),
  getWarehouse: async (request) => ({ ids: { warehouseId: (await makeWarehouse(request)).id } }),
  updateWarehouse: async (request) => ({
    ids: { warehouseId: (await makeWarehouse(request)).id },
    body: { priority: 5 },
  }),
  listWarehouseLocations: async (request) => ({ ids: { warehouseId: (await makeWarehouse(request)).id } }),
  createWarehouseLocation: async (request) => ({
    ids: { warehouseId: (await makeWarehouse(request)).id },
    body: { name: unique('A-') },
  }),
  updateWarehouseLocation: async (request) => {
    const { id } = await makeWarehouse(request);
    const location = await makeLocation(request, id);
    return { ids: { warehouseId: id, locationId: location.id }, body: { sequence: 7 } };
  },

  // Inventory
  listProductInventoryLevels: async (request) => {
    const { variant } = await stocked(request);
    return { ids: { productId: variant.productId } };
  },
  listInventoryLevels: async (request) => {
    const { place } = await stocked(request);
    return { query: { warehouseId: place.warehouseId } };
  },
  setInventoryLevel: async (request) => {
    const { place, variant } = await stocked(request);
    const { warehouseId } = place;
    return { body: { productVariantIdentifier: variant.id, warehouseId, safetyStockQuantity: 3 } };
  },
  listInventoryLocations: async (request) => {
    const { place, variant } = await stocked(request);
    return { query: { productVariantIdentifier: variant.id, warehouseId: place.warehouseId } };
  },
  changeInventory: async (request) => {
    const place = await makePlace(request);
    const variant = await makeVariant(request);
    return { body: { productVariantIdentifier: variant.id, ...place, changeQuantity: 5 } };
  },
  changeInventoryBulk: async (request) => {
    const place = await makePlace(request);
    const variant = await makeVariant(request);
    const change = { productVariantIdentifier: variant.id, ...place, changeQuantity: 5 };
    return { body: { changes: [change, { ...change, changeQuantity: -2 }] } };
  },
  listInventoryMovements: async (request) => {
    const { place } = await stocked(request);
    return { query: { warehouseId: place.warehouseId } };
  },
  verifyInventory: nothing,

  // Orders
  listOrders: nothing,
  createOrder: async (request) => {
    const { variant } = await stocked(request);
    const { id: customerId } = await makeCustomer(request);
    const lineItems = [{ productVariantId: variant.id, quantity: 2 }];
    return { body: { name: 'SO-', price: 20, orderDate: '2026-01-02T03:04:05Z', customerId, lineItems } };
  },
  createOrdersBulk: async (request) => {
    const { variant } = await stocked(request);
    const lineItems = [{ productVariantId: variant.id, quantity: 2 }];
    // Else the answer is 200 whatever becomes of the orders in it.
    const order = { name: 'SO-', price: 20, orderDate: '2026-01-02T03:04:05Z', lineItems };
    return { body: { orders: [order], atomic: true } };
  },
  getOrder: async (request) => ({ ids: { orderId: (await orderOf(request)).order.id } }),
  updateOrder: async (request) => ({
    ids: { orderId: (await orderOf(request)).order.id },
    body: { targetDeliveryDate: '2026-02-03T00:00:00Z' },
  }),
  cancelOrder: async (request) => ({ ids: { orderId: (await orderOf(request)).order.id } }),
  holdOrder: async (request) => ({
    ids: { orderId: (await orderOf(request)).order.id },
    body: { reason: 'fraud-risk', note: 'Looks odd' },
  }),
  releaseOrder: async (request) => {
    const { order } = await orderOf(request);
    await make(request, `/orders/${order.id}/hold`, { reason: 'other' });
    return { ids: { orderId: order.id } };
  },
  archiveOrder: async (request) => ({ ids: { orderId: (await orderOf(request)).order.id } }),
  restoreOrder: async (request) => {
    const { order } = await orderOf(request);
    await make(request, `/orders/${order.id}/archive`);
    return { ids: { orderId: order.id } };
  },
  getOrderAllocations: async (request) => ({ ids: { orderId: (await orderOf(request)).order.id } }),
  createFulfillment: async (request) => ({
    ids: { orderId: (await orderOf(request)).order.id },
    body: { trackingCode: '1Z999' },
  }),
  cancelFulfillment: async (request) => {
    const { order } = await orderOf(request);
    const fulfillment = await make(request, `/orders/${order.id}/fulfillments`, {});
    return { ids: { orderId: order.id, fulfillmentId: fulfillment.id } };
  },

  ...returnSamples,
  ...purchasingSamples,
  ...carrierSamples,
  ...shipmentSamples,
  ...webhookSamples,

  // Organization
  getOrganization: nothing,
  updateOrganization: async () => ({ body: { name: 'Renamed' } }),
  listClients: nothing,
  createClient: async () => ({ body: { name: 'Client', slug: unique('client-') } }),
  listApiKeys: nothing,
  createApiKey: async () => ({ body: { name: 'Till', permissions: ['orders:write'] } }),
  revokeApiKey: async (request) => {
    const key = await make(request, '/api-keys', { name: 'Gone soon', permissions: ['orders:read'] });
    return { ids: { apiKeyId: key.id } };
  },
};

/** The address of a call, parameters put in. */
export function addressOf(operation: Operation, sample: Sample): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = sample.ids?.[name];
    if (id === undefined) throw new Error(`samples.ts: ${operation.operationId} needs ids.${name}`);
    return id;
  });
  return sample.query === undefined ? path : `${path}?${new URLSearchParams(sample.query)}`;
}

/** The maker of an operation's sample. */
export function sampleOf(operation: Operation): SampleMaker {
  const sample = samples[operation.operationId];
  if (sample !== undefined) return sample;
  const { method, path, operationId } = operation;
  throw new Error(
    `${method} ${path}: add ${operationId} to test/support/samples.ts, a valid request for it; ` +
      'that is all it needs to be tested for isolation, permissions, events and bad input',
  );
}
