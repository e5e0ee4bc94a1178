// The auditor on paper: every row of the ledger has its document, every document its rows, and nothing is ever rewritten.
import { isDeepStrictEqual } from 'node:util';
import { lotKey, sides } from './audit-stock.ts';
import { type Facts, type Need, Sums } from './facts.ts';

export function auditPapers(facts: Facts): string[] {
  if (facts.hidden === undefined) return [];
  return [
    ...movementsByPicks(facts, facts.hidden),
    ...picksByLines(facts, facts.hidden),
    ...returnsByReceipts(facts, facts.hidden),
  ];
}

type Hidden = NonNullable<Facts['hidden']>;

/** What was picked went out of those bins, and came back into them where the fulfilment was cancelled. */
function movementsByPicks({ movements }: Facts, { fulfillments }: Hidden): string[] {
  const ledger = new Sums();
  for (const movement of movements) {
    if (movement.referenceType !== 'fulfillment') continue;
    for (const { locationId, units } of sides(movement)) {
      ledger.add(
        `fulfillment ${movement.referenceId}: ${movement.reason} ${lotKey(movement, locationId)}`,
        units,
      );
    }
  }
  const papers = new Sums();
  for (const { id, organizationId, cancelled, picks } of fulfillments) {
    for (const pick of picks) {
      const key = (reason: string) =>
        `fulfillment ${id}: ${reason} ${lotKey({ ...pick, organizationId }, pick.warehouseLocationId)}`;
      papers.add(key('fulfillment'), -pick.quantity);
      if (cancelled) papers.add(key('fulfillment-cancelled'), pick.quantity);
    }
  }
  return differences(ledger, papers, 'the ledger moved', 'its picks say');
}

/** Picks are what the fulfilled lines take: the variant itself or a bundle's components. */
function picksByLines({ orders }: Facts, { fulfillments }: Hidden): string[] {
  const needs = new Map<string, Need[]>(
    orders.flatMap((order) => order.lines).map((line) => [line.id, line.needs]),
  );
  const picked = new Sums();
  const wanted = new Sums();
  for (const { id, lines, picks } of fulfillments) {
    const key = (lineId: string, variantId: string) =>
      `fulfillment ${id}, line ${lineId}, variant ${variantId}`;
    for (const pick of picks) picked.add(key(pick.lineId, pick.productVariantId), pick.quantity);
    for (const { lineId, quantity } of lines) {
      for (const { productVariantId, perUnit } of needs.get(lineId) ?? []) {
        wanted.add(key(lineId, productVariantId), quantity * perUnit);
      }
    }
  }
  return differences(picked, wanted, 'picked', 'the lines take');
}

/** What came back and was kept is in the ledger; what was discarded is not. */
function returnsByReceipts({ orders, variants, movements }: Facts, { returnOrders }: Hidden): string[] {
  const ledger = new Sums();
  for (const movement of movements) {
    if (movement.referenceType !== 'return-order') continue;
    for (const { locationId, units } of sides(movement)) {
      ledger.add(
        `return ${movement.referenceId}: variant ${movement.productVariantId} at ${locationId}`,
        units,
      );
    }
  }
  const needsOfLine = new Map(orders.flatMap((order) => order.lines).map((line) => [line.id, line.needs]));
  const needsOfVariant = new Map(variants.map((variant) => [variant.id, variant.needs]));
  const papers = new Sums();
  const problems: string[] = [];
  for (const { id, lines } of returnOrders) {
    for (const line of lines) {
      const needs =
        needsOfLine.get(line.orderLineId ?? '') ?? needsOfVariant.get(line.productVariantId) ?? [];
      let received = 0;
      for (const { quantity, disposition, warehouseLocationId } of line.receipts) {
        received += quantity;
        for (const { productVariantId, perUnit } of disposition === 'discard' ? [] : needs) {
          papers.add(
            `return ${id}: variant ${productVariantId} at ${warehouseLocationId}`,
            quantity * perUnit,
          );
        }
      }
      if (received !== line.received || received > line.quantity) {
        problems.push(
          `return ${id}: of ${line.quantity} units ${line.received} came back, its receipts say ${received}`,
        );
      }
    }
  }
  return [...problems, ...differences(ledger, papers, 'the ledger brought', 'its receipts say')];
}

function differences(a: Sums, b: Sums, nameA: string, nameB: string): string[] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((key) => a.get(key) !== b.get(key))
    .map((key) => `${nameA} ${a.get(key)}, ${nameB} ${b.get(key)}: ${key}`);
}

/** The ledger, the receipts and the histories only grow. */
export function auditAppending(before: Facts, after: Facts): string[] {
  return [
    ...lost('movement', before.movements, after.movements),
    ...lost('allocation change', before.hidden?.allocationChanges, after.hidden?.allocationChanges),
    ...lost('line of a receipt', before.arrivals, after.arrivals),
    ...lost('incoming change', before.hidden?.incomingChanges, after.hidden?.incomingChanges),
  ];
}

function lost(
  kind: string,
  before: readonly { id: string }[] = [],
  after: readonly { id: string }[] = [],
): string[] {
  const byId = new Map(after.map((row) => [row.id, row]));
  return before
    .filter((row) => !isDeepStrictEqual(byId.get(row.id), row))
    .map(({ id }) => `${kind} ${id} was ${byId.has(id) ? 'rewritten' : 'removed'}`);
}
