// What an earlier run has done: idempotency keys are kept for a day, records tell for ever.
import type { Client } from '../support/client.ts';
import type { Retail } from './read-invoices.ts';

export async function skusAlready(client: Client): Promise<Set<string>> {
  const skus = new Set<string>();
  for await (const product of client.list<{ variants: { sku: string }[] }>('/products')) {
    for (const { sku } of product.variants) skus.add(sku);
  }
  return skus;
}

/** The ids of the customers this example makes, by number. */
export async function customersAlready(client: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for await (const { id, name } of client.list<{ id: string; name: string | null }>('/customers')) {
    const number = /^Customer (\S+)$/.exec(name ?? '')?.[1];
    if (number !== undefined) ids.set(number, id);
  }
  return ids;
}

export async function ordersAlready(client: Client, retail: Retail): Promise<Set<string>> {
  const numbers = new Set(retail.invoices.map((invoice) => invoice.number));
  const aliases = new Set<string>();
  for await (const order of client.list<{ alias: string | null }>('/orders', { includeArchived: 'true' })) {
    if (order.alias !== null && numbers.has(order.alias)) aliases.add(order.alias);
  }
  return aliases;
}

/** The ledger says which changes are in it, however long ago they were made: a change's reason names its invoice. */
export async function stockChangesAlready(client: Client, warehouseId: string): Promise<Set<string>> {
  const reasons = new Set<string>();
  const query = { warehouseId };
  for await (const movement of client.list<{ reason: string }>('/inventory/movements', query)) {
    reasons.add(movement.reason);
  }
  return reasons;
}
