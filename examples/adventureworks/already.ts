// What an earlier run has done: idempotency keys are kept for a day, records tell for ever.
import type { Client } from '../support/client.ts';
import type { Named } from '../support/records.ts';

/** Ids by name. */
export async function idsByName(client: Client, path: string, query: Record<string, string> = {}) {
  const ids = new Map<string, string>();
  for await (const { id, name } of client.list<Named>(path, query)) if (name !== null) ids.set(name, id);
  return ids;
}

export interface KnownVariant {
  id: string;
  /** The suppliers that sell it. */
  supplierIds: Set<string>;
}

/** Variants by sku. */
export async function variantsAlready(client: Client): Promise<Map<string, KnownVariant>> {
  const variants = new Map<string, KnownVariant>();
  const products = client.list<{
    variants: { id: string; sku: string; supplierProducts: { supplierId: string }[] }[];
  }>('/products');
  for await (const product of products) {
    for (const { id, sku, supplierProducts } of product.variants) {
      variants.set(sku, { id, supplierIds: new Set(supplierProducts.map(({ supplierId }) => supplierId)) });
    }
  }
  return variants;
}

export interface KnownOrder {
  id: string;
  status: string;
  referenceNumber: string | null;
  lineItems: { id: string; receivedQuantity: number }[];
}

/** The purchase orders of a warehouse, by the number that the file gives them. */
export async function ordersAlready(client: Client, warehouseId: string): Promise<Map<string, KnownOrder>> {
  const orders = new Map<string, KnownOrder>();
  const query = { warehouseId, includeArchived: 'true' };
  for await (const order of client.list<KnownOrder>('/purchase-orders', query)) {
    if (order.referenceNumber !== null) orders.set(order.referenceNumber, order);
  }
  return orders;
}

export async function isOpened(client: Client, warehouseId: string, reason: string): Promise<boolean> {
  const query = new URLSearchParams({ warehouseId, reason, limit: '1' });
  return (await client.get<{ totalCount: number }>(`/inventory/movements?${query}`)).totalCount > 0;
}
