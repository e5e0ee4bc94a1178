// Sets what the service holds beside what the tables say: totals first, then every order, product, bin and offer.
import Big from 'big.js';
import { endingOf, expectedProducts, noFigures, type ProductFigures } from './expected.ts';
import { type FoundCatalogue, type FoundLine, type FoundOrder, offerKey } from './found.ts';
import type { Order, OrderLine, Works } from './read-works.ts';

export interface Total {
  name: string;
  file: string;
  service: string;
}

export interface Difference {
  /** `order 17`, `product BB-9108`, ... */
  of: string;
  figure: string;
  file: string;
  service: string;
}

export interface Comparison {
  totals: Total[];
  compared: { orders: number; lines: number; products: number; bins: number; offers: number };
  differences: Difference[];
  same: boolean;
}

export interface Found {
  orders: ReadonlyMap<string, FoundOrder>;
  catalogue: FoundCatalogue;
}

export function compare(works: Works, { orders, catalogue }: Found): Comparison {
  const products = expectedProducts(works);
  const differences = [
    ...works.orders.flatMap((order) => compareOrder(works, order, orders.get(order.id))),
    ...[...orders.keys()]
      .filter((id) => !works.orders.some((order) => order.id === id))
      .flatMap((id) => differ(`order ${id}`, { 'is there': ['no', 'yes'] })),
    ...[...products].flatMap(([sku, figures]) =>
      compareProduct(sku, figures, catalogue.products.get(sku) ?? noFigures()),
    ),
    ...compareOffers(works, catalogue),
  ];
  const totals = compareTotals(works, products, { orders, catalogue });
  const compared = {
    orders: works.orders.length,
    lines: works.orders.reduce((sum, { lines }) => sum + lines.length, 0),
    products: works.products.length,
    bins: works.bins.length,
    offers: works.offers.length,
  };
  const same = differences.length === 0 && totals.every(({ file, service }) => file === service);
  return { totals, compared, differences, same };
}

type Figures = Record<string, [file: string | number | Big, service: string | number | Big]>;

const plain = (value: string | number | Big) => (value instanceof Big ? value.toFixed() : String(value));

function differ(of: string, figures: Figures): Difference[] {
  return Object.entries(figures)
    .map(([figure, [file, service]]) => ({ of, figure, file: plain(file), service: plain(service) }))
    .filter(({ file, service }) => file !== service);
}

function compareOrder(works: Works, order: Order, found: FoundOrder | undefined): Difference[] {
  const name = `order ${order.id}`;
  if (found === undefined) return differ(name, { 'is there': ['yes', 'no'] });
  const ending = endingOf(order);
  const vendor = works.vendors.find(({ id }) => id === order.vendorId)!;
  return [
    ...differ(name, {
      vendor: [vendor.name, found.vendor],
      status: [ending === 'closed' ? 'received' : ending, found.status],
      closed: [String(ending === 'closed'), String(found.closed)],
      subtotal: [order.subtotal, found.subtotal],
      tax: [order.tax, found.tax],
      // The service's grand total is subtotal and tax; the file's total holds the freight too.
      total: [order.total, found.grandTotal.plus(found.freight)],
      lines: [order.lines.length, found.lines.length],
    }),
    ...order.lines.flatMap((line, place) =>
      compareLine(`${name}, line ${place + 1}`, line, found.lines[place]),
    ),
  ];
}

function compareLine(name: string, line: OrderLine, found: FoundLine | undefined): Difference[] {
  if (found === undefined) return [];
  return differ(name, {
    product: [line.sku, found.sku],
    ordered: [line.ordered, found.ordered],
    received: [line.received, found.received],
    rejected: [line.rejected, found.rejected],
    price: [new Big(line.unitPrice), found.unitPrice],
    total: [line.lineTotal, found.lineTotal],
    'of an offer': ['true', String(found.ofOffer)],
  });
}

const figureNames = ['ordered', 'received', 'damaged', 'incoming', 'onHand', 'available'] as const;

function compareProduct(sku: string, file: ProductFigures, service: ProductFigures): Difference[] {
  const figures = figureNames.map((name) => [name, [file[name], service[name]]] as const);
  const bins = [...new Set([...file.bins.keys(), ...service.bins.keys()])].map(
    (bin) => [`units in ${bin}`, [file.bins.get(bin) ?? 0, service.bins.get(bin) ?? 0]] as const,
  );
  return differ(`product ${sku}`, Object.fromEntries([...figures, ...bins]) as unknown as Figures);
}

function compareOffers(works: Works, { offers }: FoundCatalogue): Difference[] {
  const vendors = new Map(works.vendors.map(({ id, name }) => [id, name]));
  return works.offers.flatMap(({ vendorId, sku, price, leadTimeDays }) => {
    const key = offerKey(vendors.get(vendorId)!, sku, new Big(price), leadTimeDays);
    return offers.has(key) ? [] : differ(`offer ${key}`, { 'is there': ['yes', 'no'] });
  });
}

function compareTotals(
  works: Works,
  expected: ReadonlyMap<string, ProductFigures>,
  { orders, catalogue }: Found,
): Total[] {
  const found = [...orders.values()];
  const lines = works.orders.flatMap((order) => order.lines);
  const foundLines = found.flatMap((order) => order.lines);
  const held = works.products.map(({ sku }) => catalogue.products.get(sku) ?? noFigures());
  const row = (name: string, file: number | Big, service: number | Big): Total => {
    return { name, file: plain(file), service: plain(service) };
  };
  const units = (name: (typeof figureNames)[number]) =>
    row(figureTexts[name], total([...expected.values()], name), total(held, name));
  const stocked = (products: readonly ProductFigures[]) =>
    products.reduce((sum, { bins }) => sum + [...bins.keys()].filter(isOfFile).length, 0);
  const money = (pick: (order: Order) => Big, of: (order: FoundOrder) => Big) =>
    [add(works.orders.map(pick)), add(found.map(of))] as const;
  return [
    row(
      'vendors',
      works.vendors.length,
      works.vendors.filter(({ name }) => catalogue.vendors.has(name)).length,
    ),
    row(
      'products',
      works.products.length,
      works.products.filter(({ sku }) => catalogue.products.has(sku)).length,
    ),
    row('bins with units', works.bins.filter(({ quantity }) => quantity > 0).length, stocked(held)),
    row('purchase orders', works.orders.length, found.length),
    row('order lines', lines.length, foundLines.length),
    ...figureNames.map(units),
    row('units rejected, of lines', total(lines, 'rejected'), total(foundLines, 'rejected')),
    row(
      'subtotals',
      ...money(
        (order) => order.subtotal,
        (order) => order.subtotal,
      ),
    ),
    row(
      'tax',
      ...money(
        (order) => order.tax,
        (order) => order.tax,
      ),
    ),
    row(
      'totals without freight',
      ...money(
        (order) => order.total.minus(order.freight),
        (order) => order.grandTotal,
      ),
    ),
  ];
}

const figureTexts = {
  ordered: 'units ordered',
  received: 'units received',
  damaged: 'units damaged',
  incoming: 'units still incoming',
  onHand: 'units on hand',
  available: 'units available',
} as const;

/** The service's own locations are no bins of the file. */
const isOfFile = (bin: string) => bin !== 'RECEIVING' && bin !== 'DAMAGED';

function total<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((sum, item) => sum + item[name], 0);
}

function add(amounts: readonly Big[]): Big {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));
}
