// Reads back through the list endpoints what the service holds, into the same shape as the sums from the file.
import Big from 'big.js';
import type { Client } from '../support/client.ts';
import { addSale, emptySums, type StockFigures, type Sums } from './expected.ts';

interface ListedOrder {
  alias: string | null;
  price: number;
  lineItems: { price: number; quantity: number; productVariant: { sku: string } }[];
}

interface ListedLevel {
  onHandQuantity: number;
  committedQuantity: number;
  availableQuantity: number;
  productVariant: { sku: string };
}

export interface FoundOrders {
  sums: Sums;
  /** Order records of the file's invoices: more than `sums.orders` holds if an invoice became two orders. */
  records: number;
  /** The sum of the orders' own prices; `sums.revenue` is that of their lines. */
  priceSum: Big;
  /** Orders of the organization that are not of this file. */
  others: number;
  /** What the list itself says it has. */
  totalCount: number;
}

export async function findOrders(client: Client, invoices: ReadonlySet<string>): Promise<FoundOrders> {
  const found: FoundOrders = {
    sums: emptySums(),
    records: 0,
    priceSum: new Big(0),
    others: 0,
    totalCount: 0,
  };
  const query = { sortBy: 'orderDate', sortOrder: 'asc', includeArchived: 'true' };
  for await (const order of client.list<ListedOrder>('/orders', query)) {
    if (order.alias === null || !invoices.has(order.alias)) {
      found.others += 1;
      continue;
    }
    found.records += 1;
    found.priceSum = found.priceSum.plus(order.price);
    for (const { productVariant, quantity, price } of order.lineItems) {
      addSale(found.sums, order.alias, productVariant.sku, quantity, new Big(price).times(quantity));
    }
  }
  const first = await client.get<{ totalCount: number }>('/orders?limit=1&includeArchived=true');
  found.totalCount = first.totalCount;
  return found;
}

export async function findStock(client: Client, warehouseId: string): Promise<Map<string, StockFigures>> {
  const stock = new Map<string, StockFigures>();
  for await (const level of client.list<ListedLevel>('/inventory/levels', { warehouseId })) {
    stock.set(level.productVariant.sku, {
      onHand: level.onHandQuantity,
      committed: level.committedQuantity,
      available: level.availableQuantity,
    });
  }
  return stock;
}

/** Units per direction as the ledger of the warehouse has them. */
export async function findMovedUnits(client: Client, warehouseId: string): Promise<Record<string, number>> {
  const units: Record<string, number> = { opening: 0, return: 0, 'write-off': 0 };
  const movements = client.list<{ reason: string; quantity: number }>('/inventory/movements', {
    warehouseId,
  });
  for await (const { reason, quantity } of movements) {
    const word = reason.split(' ')[0] ?? '';
    units[word] = (units[word] ?? 0) + quantity;
  }
  return units;
}
