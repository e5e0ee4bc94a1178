// What the service must hold after the replay: sums taken line by line from the file, and the opening stock they need.
import Big from 'big.js';
import type { Invoice } from './read-invoices.ts';
import { isGoods, type Line } from './read-lines.ts';

export interface SkuSums {
  orderLines: number;
  units: number;
  revenue: Big;
  returned: number;
  writtenOff: number;
}

export interface Sums {
  orders: Set<string>;
  orderLines: number;
  units: number;
  revenue: Big;
  returnedUnits: number;
  writtenOffUnits: number;
  /** Money of cancellations: the service takes the goods back; refunds are the sales channel's. */
  refunds: Big;
  skus: Map<string, SkuSums>;
}

export interface StockFigures {
  onHand: number;
  committed: number;
  available: number;
}

export function emptySums(): Sums {
  return {
    orders: new Set(),
    orderLines: 0,
    units: 0,
    revenue: new Big(0),
    returnedUnits: 0,
    writtenOffUnits: 0,
    refunds: new Big(0),
    skus: new Map(),
  };
}

export function skuSums(sums: Sums, sku: string): SkuSums {
  let found = sums.skus.get(sku);
  if (!found) {
    found = { orderLines: 0, units: 0, revenue: new Big(0), returned: 0, writtenOff: 0 };
    sums.skus.set(sku, found);
  }
  return found;
}

export function addLine(sums: Sums, line: Line): void {
  const sku = skuSums(sums, line.sku);
  const amount = new Big(line.price).times(line.quantity);
  if (line.kind === 'sale') {
    addSale(sums, line.invoice, line.sku, line.quantity, amount);
    return;
  }
  sums.refunds = sums.refunds.plus(amount);
  if (line.kind === 'return') {
    sku.returned += line.quantity;
    sums.returnedUnits += line.quantity;
  } else if (line.kind === 'writeOff') {
    sku.writtenOff += line.quantity;
    sums.writtenOffUnits += line.quantity;
  }
}

export function addSale(sums: Sums, order: string, sku: string, quantity: number, amount: Big): void {
  const found = skuSums(sums, sku);
  sums.orders.add(order);
  sums.orderLines += 1;
  sums.units += quantity;
  sums.revenue = sums.revenue.plus(amount);
  found.orderLines += 1;
  found.units += quantity;
  found.revenue = found.revenue.plus(amount);
}

/**
 * The least opening stock per sku with which nothing is ever short: its largest running deficit in the file's order.
 * A sku that is only ever returned opens with nothing and has no entry.
 */
export function openingStock(invoices: readonly Invoice[]): Map<string, number> {
  const running = new Map<string, number>();
  const opening = new Map<string, number>();
  for (const invoice of invoices) {
    const change = stockChange(invoice);
    for (const line of invoice.sales) {
      if (isGoods(line.sku)) change.set(line.sku, (change.get(line.sku) ?? 0) - line.quantity);
    }
    for (const [sku, quantity] of change) {
      const now = (running.get(sku) ?? 0) + quantity;
      running.set(sku, now);
      if (-now > (opening.get(sku) ?? 0)) opening.set(sku, -now);
    }
  }
  return opening;
}

/** What an invoice's returns and write-offs do to the shelves, per sku. */
export function stockChange(invoice: Invoice): Map<string, number> {
  const change = new Map<string, number>();
  for (const line of invoice.returns) change.set(line.sku, (change.get(line.sku) ?? 0) + line.quantity);
  for (const line of invoice.writeOffs) change.set(line.sku, (change.get(line.sku) ?? 0) - line.quantity);
  return change;
}

/** Orders stay open with their goods allocated, so what was sold is committed, not gone. */
export function expectedStock(sums: Sums, opening: Map<string, number>): Map<string, StockFigures> {
  const stock = new Map<string, StockFigures>();
  for (const [sku, { units, returned, writtenOff }] of sums.skus) {
    if (!isGoods(sku)) continue;
    const onHand = (opening.get(sku) ?? 0) + returned - writtenOff;
    stock.set(sku, { onHand, committed: units, available: onHand - units });
  }
  return stock;
}
