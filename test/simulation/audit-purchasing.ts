// The auditor on purchasing: what is on its way, what has come, the state that follows from it, and the sums of money.
import { sides } from './audit-stock.ts';
import { type Facts, levelKey, Sums } from './facts.ts';
import {
  type Arrival,
  isOnItsWay,
  type Parts,
  type PurchaseLine,
  type PurchaseOrder,
  placedParts,
  receivedByLine,
} from './facts-purchasing.ts';

/** `overReceived` are the purchase orders of which more was let in than was ordered. */
export function auditPurchasing(facts: Facts, overReceived: ReadonlySet<string>): string[] {
  const received = receivedByLine(facts.arrivals);
  return [
    ...facts.purchaseOrders.flatMap((order) => [
      ...order.lines.flatMap((line) => lineProblems(order, line, received.get(line.id), overReceived)),
      ...statusProblems(order, facts.arrivals),
      ...moneyProblems(order),
    ]),
    ...incomingByOrders(facts, received),
    ...incomingByHistory(facts),
    ...ledgerByArrivals(facts),
  ];
}

const nothing: Parts = { quantity: 0, damaged: 0, qualityControl: 0 };

function lineProblems(
  order: PurchaseOrder,
  line: PurchaseLine,
  { quantity, damaged, qualityControl }: Parts = nothing,
  overReceived: ReadonlySet<string>,
): string[] {
  const wrong = (what: string) => [
    `purchase order ${order.name} (${order.status}), line ${line.position} of ${line.requested}: ${what}`,
  ];
  if (line.received !== quantity) return wrong(`says ${line.received} came, its receipts say ${quantity}`);
  if (Math.min(damaged, qualityControl, quantity - damaged - qualityControl) < 0) {
    return wrong('more units were taken back than came');
  }
  if (quantity > line.requested && !overReceived.has(order.id)) {
    return wrong(`${quantity} came, and nobody allowed that`);
  }
  return [];
}

/** A purchase order is what was done with it, and what has come of it. */
function statusProblems(order: PurchaseOrder, arrivals: readonly Arrival[]): string[] {
  const { name, status, cancelled, closed, lines } = order;
  const wrong = (what: string) => [`purchase order ${name} is ${status}, ${what}`];
  if (lines.length === 0) return wrong('and has no lines');
  if (cancelled !== (status === 'cancelled')) return wrong(`and was ${cancelled ? '' : 'not '}cancelled`);
  const left = lines.some((line) => line.received !== 0);
  if (cancelled) return left ? wrong('and something has come of it') : [];
  if (status === 'draft' || status === 'open') {
    const early = arrivals.some(({ purchaseOrderId }) => purchaseOrderId === order.id);
    return early || closed ? wrong('and something was received for it, or it was closed') : [];
  }
  const complete = lines.every((line) => line.received >= line.requested);
  const should = closed || complete ? 'received' : left ? 'partially-received' : 'confirmed';
  return status === should ? [] : wrong(`and should be ${should} by its lines`);
}

/** Prices have two decimals and rates are whole per cent here, so that nothing is rounded: counted in ten-thousandths. */
function moneyProblems({ name, lines, subtotal, totalTax, grandTotal }: PurchaseOrder): string[] {
  const whole = (amount: number) => Math.round(amount * 10_000);
  const sums = { subtotal: 0, totalTax: 0 };
  const problems: string[] = [];
  for (const line of lines) {
    const cents = line.requested * Math.round(line.unitPrice * 100);
    sums.subtotal += cents * 100;
    sums.totalTax += cents * Math.round(line.taxRate * 100);
    if (whole(line.subtotal) !== cents * 100) {
      problems.push(`purchase order ${name}, line ${line.position} comes to ${line.subtotal}`);
    }
  }
  const shown = [subtotal, totalTax, grandTotal].map(whole).join();
  const should = [sums.subtotal, sums.totalTax, sums.subtotal + sums.totalTax].join();
  if (shown !== should) problems.push(`purchase order ${name} comes to ${shown}, by its lines to ${should}`);
  return problems;
}

/** "Ordered minus received on purchase orders `confirmed` or `partially-received`." */
function incomingByOrders({ purchaseOrders, levels }: Facts, received: ReadonlyMap<string, Parts>): string[] {
  const owed = new Sums();
  for (const order of purchaseOrders.filter(isOnItsWay)) {
    for (const line of order.lines.filter(({ holdsStock }) => holdsStock)) {
      const units = line.requested - (received.get(line.id)?.quantity ?? 0);
      owed.add(levelKey({ ...line, warehouseId: order.warehouseId }), Math.max(0, units));
    }
  }
  return incomingProblems(levels, owed, 'purchase orders owe it');
}

function incomingByHistory({ levels, hidden }: Facts): string[] {
  if (hidden === undefined) return [];
  const history = new Sums();
  for (const change of hidden.incomingChanges) history.add(levelKey(change), change.quantity);
  return incomingProblems(levels, history, 'the history of that comes to');
}

function incomingProblems(levels: Facts['levels'], expected: Sums, basis: string): string[] {
  const shown = new Map(levels.map((level) => [levelKey(level), level.incoming]));
  return [...new Set([...shown.keys(), ...expected.keys()])]
    .filter((key) => (shown.get(key) ?? 0) !== expected.get(key))
    .map((key) => `${key} waits for ${shown.get(key)} units; ${basis} ${expected.get(key)}`);
}

/**
 * What came is in the ledger, where it was put and under its lot; what was taken back left from there, of whatever
 * lot where none was named.
 */
function ledgerByArrivals({ purchaseOrders, arrivals, movements }: Facts): string[] {
  const lines = new Map(purchaseOrders.flatMap((order) => order.lines).map((line) => [line.id, line]));
  const lotOf = ({ lotNumber, expirationDate }: Pick<Arrival, 'lotNumber' | 'expirationDate'>) =>
    `lot ${lotNumber}, expiry ${expirationDate?.toISOString() ?? 'none'}`;
  const ledger = new Sums();
  for (const movement of movements) {
    if (movement.referenceType !== 'purchase-order-receipt') continue;
    for (const { locationId, units } of sides(movement)) {
      const key = `receipt ${movement.referenceId}: variant ${movement.productVariantId} at ${locationId}`;
      ledger.add(`${key}, ${units > 0 ? lotOf(movement) : 'taken back'}`, units);
    }
  }
  const papers = new Sums();
  for (const arrival of arrivals) {
    const line = lines.get(arrival.lineId);
    if (line?.holdsStock !== true) continue;
    for (const { units, locationId } of placedParts(arrival)) {
      const key = `receipt ${arrival.receiptId}: variant ${line.productVariantId} at ${locationId}`;
      papers.add(`${key}, ${units > 0 ? lotOf(arrival) : 'taken back'}`, units);
    }
  }
  return [...new Set([...ledger.keys(), ...papers.keys()])]
    .filter((key) => ledger.get(key) !== papers.get(key))
    .map((key) => `the ledger has ${ledger.get(key)} units, the receipt says ${papers.get(key)}: ${key}`);
}
