// Sets what the service holds beside what the file says: totals first, then every figure of every stock code.
import type { StockFigures, Sums } from './expected.ts';
import { expectedStock } from './expected.ts';
import type { FoundOrders } from './found.ts';
import type { Retail } from './read-invoices.ts';

export interface Total {
  name: string;
  file: string;
  service: string;
}

export interface SkuDifference {
  sku: string;
  figure: string;
  file: string;
  service: string;
}

export interface Comparison {
  totals: Total[];
  skusCompared: number;
  skuDifferences: SkuDifference[];
  same: boolean;
}

export interface Found {
  orders: FoundOrders;
  stock: Map<string, StockFigures>;
  movedUnits: Record<string, number>;
}

const NO_STOCK: StockFigures = { onHand: 0, committed: 0, available: 0 };

export function compare(retail: Retail, opening: Map<string, number>, found: Found): Comparison {
  const stock = expectedStock(retail.sums, opening);
  const totals = compareTotals(retail.sums, opening, stock, found);
  const skus = new Set([...retail.sums.skus.keys(), ...found.orders.sums.skus.keys(), ...found.stock.keys()]);
  const skuDifferences = [...skus].flatMap((sku) => {
    return [...compareSales(sku, retail.sums, found.orders.sums), ...compareStock(sku, stock, found.stock)];
  });
  const same = skuDifferences.length === 0 && totals.every((total) => total.file === total.service);
  return { totals, skusCompared: skus.size, skuDifferences, same };
}

function compareTotals(
  sums: Sums,
  opening: Map<string, number>,
  stock: Map<string, StockFigures>,
  found: Found,
): Total[] {
  const { orders } = found;
  const openingUnits = total(opening.values());
  const wanted = [...stock.values()];
  const held = [...found.stock.values()];
  const row = (name: string, file: number | string, service: number | string): Total => {
    return { name, file: String(file), service: String(service) };
  };
  const onHand = (figures: StockFigures[]) => total(figures.map((figure) => figure.onHand));
  const committed = (figures: StockFigures[]) => total(figures.map((figure) => figure.committed));
  const available = (figures: StockFigures[]) => total(figures.map((figure) => figure.available));
  return [
    row('orders', sums.orders.size, orders.records),
    row('orders by totalCount', sums.orders.size, orders.totalCount - orders.others),
    row('order lines', sums.orderLines, orders.sums.orderLines),
    row('units ordered', sums.units, orders.sums.units),
    row('revenue, order totals', sums.revenue.toFixed(), orders.priceSum.toFixed()),
    row('revenue, order lines', sums.revenue.toFixed(), orders.sums.revenue.toFixed()),
    row('units opened', openingUnits, found.movedUnits['opening'] ?? 0),
    row('units returned', sums.returnedUnits, found.movedUnits['return'] ?? 0),
    row('units written off', -sums.writtenOffUnits, found.movedUnits['write-off'] ?? 0),
    row('units on hand', onHand(wanted), onHand(held)),
    row('units committed', committed(wanted), committed(held)),
    row('units available', available(wanted), available(held)),
  ];
}

function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function compareSales(sku: string, file: Sums, service: Sums): SkuDifference[] {
  const wanted = file.skus.get(sku);
  const held = service.skus.get(sku);
  return differences(sku, [
    ['order lines', wanted?.orderLines ?? 0, held?.orderLines ?? 0],
    ['units ordered', wanted?.units ?? 0, held?.units ?? 0],
    ['revenue', wanted?.revenue.toFixed() ?? '0', held?.revenue.toFixed() ?? '0'],
  ]);
}

function compareStock(
  sku: string,
  file: Map<string, StockFigures>,
  service: Map<string, StockFigures>,
): SkuDifference[] {
  const wanted = file.get(sku) ?? NO_STOCK;
  const held = service.get(sku) ?? NO_STOCK;
  return differences(sku, [
    ['on hand', wanted.onHand, held.onHand],
    ['committed', wanted.committed, held.committed],
    ['available', wanted.available, held.available],
  ]);
}

function differences(sku: string, figures: [string, number | string, number | string][]): SkuDifference[] {
  return figures
    .filter(([, file, service]) => file !== service)
    .map(([figure, file, service]) => ({ sku, figure, file: String(file), service: String(service) }));
}
