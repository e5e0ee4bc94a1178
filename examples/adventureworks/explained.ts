// Where the service says something else than the tables on purpose: how often, and why.
import Big from 'big.js';
import { deliveriesOf, endingOf } from './expected.ts';
import type { Works } from './read-works.ts';

export interface Explained {
  count: string;
  what: string;
}

export function explain(works: Works): Explained[] {
  const { orders } = works;
  const lines = orders.flatMap((order) => order.lines);
  const freight = orders.reduce((sum, order) => sum.plus(order.freight), new Big(0));
  const short = orders.filter((order) => endingOf(order) === 'closed');
  const missing = short
    .flatMap((order) => order.lines)
    .reduce((sum, line) => sum + line.ordered - line.received, 0);
  const count = <T>(items: readonly T[], test: (item: T) => boolean) => items.filter(test).length;
  const inStatus = (...statuses: string[]) =>
    count(orders, (order) => statuses.includes(order.status) && endingOf(order) === 'received');
  const rows: [number | string, string][] = [
    [
      freight.toFixed(),
      'of freight: a purchase order has no field for it, so it is metadata, and part of no total',
    ],
    [
      count(lines, ({ rejected }) => rejected > 0),
      'lines with rejected units: these came and are damaged, so they are on hand, not available',
    ],
    [
      count(lines, ({ received, ordered }) => received > ordered),
      'lines of which more came than was ordered: received with allowOverReceipt',
    ],
    [
      short.length,
      `complete or rejected orders with ${missing} units missing: closed, the rest is not incoming`,
    ],
    [
      inStatus('pending', 'approved'),
      'pending or approved orders of which all has come: received, by the facts',
    ],
    [
      inStatus('rejected'),
      'rejected orders of which all has come: received; what was rejected of them is damaged',
    ],
    [
      count(orders, (order) => deliveriesOf(order).length > 1),
      'orders with lines due on several days: one receipt a day, expected on the first',
    ],
    [
      count(works.bins, ({ quantity }) => quantity === 0),
      'empty bins: a location holds no record of no units',
    ],
    [count(works.vendors, ({ active }) => !active), 'inactive vendors: archived once their orders are in'],
  ];
  return rows.map(([number, what]) => ({ count: String(number), what }));
}
