// What the service must hold after the replay, from the tables alone.
import type { Order, OrderLine, Works } from './read-works.ts';

/** What a purchase order has become when the file's receipts are in. */
export type Ending = 'received' | 'closed' | 'partially-received' | 'confirmed' | 'cancelled';

/**
 * The file's status is the buyers'; its received quantities are facts, and the service goes by facts: an order of which
 * all has arrived is received, whatever the buyers call it. Of a complete or rejected order nothing more will come.
 */
export function endingOf({ status, lines }: Order): Ending {
  if (lines.every((line) => line.received >= line.ordered)) return 'received';
  const ended = status === 'complete' || status === 'rejected';
  if (lines.some((line) => line.received > 0)) return ended ? 'closed' : 'partially-received';
  return ended ? 'cancelled' : 'confirmed';
}

/** The deliveries of an order: what is due on one day arrives together. Places of lines, in the file's order. */
export function deliveriesOf({ lines }: Order): number[][] {
  const arriving = lines.map((_, place) => place).filter((place) => lines[place]!.received > 0);
  const byDay = Map.groupBy(arriving, (place) => lines[place]!.dueDay);
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, places]) => places);
}

/** The fraction that the order was taxed at: the file has amounts only. */
export function taxRateOf({ subtotal, tax }: Order): number {
  return subtotal.eq(0) ? 0 : Number(tax.div(subtotal).toFixed(6));
}

export function incomingOf(order: Order, line: OrderLine): number {
  const waits = ['partially-received', 'confirmed'].includes(endingOf(order));
  return waits ? Math.max(0, line.ordered - line.received) : 0;
}

/** Figures of one product; `bins` are those of the file with units, RECEIVING and DAMAGED are the service's. */
export interface ProductFigures {
  ordered: number;
  received: number;
  damaged: number;
  incoming: number;
  onHand: number;
  available: number;
  /** Location -> units. */
  bins: Map<string, number>;
}

export function noFigures(): ProductFigures {
  return { ordered: 0, received: 0, damaged: 0, incoming: 0, onHand: 0, available: 0, bins: new Map() };
}

/** By sku. What was in the bins stays there; what arrives is sound in RECEIVING, and can be sold, or in DAMAGED. */
export function expectedProducts(works: Works): Map<string, ProductFigures> {
  const products = new Map(works.products.map(({ sku }) => [sku, noFigures()]));
  const put = (figures: ProductFigures, bin: string, units: number) => {
    if (units > 0) figures.bins.set(bin, (figures.bins.get(bin) ?? 0) + units);
  };
  for (const { sku, bin, quantity } of works.bins) {
    const figures = products.get(sku)!;
    figures.onHand += quantity;
    figures.available += quantity;
    put(figures, bin, quantity);
  }
  for (const order of works.orders) {
    for (const line of order.lines) {
      const figures = products.get(line.sku)!;
      figures.ordered += line.ordered;
      figures.received += line.received;
      figures.damaged += line.rejected;
      figures.incoming += incomingOf(order, line);
      figures.onHand += line.received;
      figures.available += line.stocked;
      put(figures, 'RECEIVING', line.stocked);
      put(figures, 'DAMAGED', line.rejected);
    }
  }
  return products;
}
