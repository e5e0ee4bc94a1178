// The auditor on promises: no more than there is, nothing left lying while an order waits, and in the right order.
import {
  type Facts,
  type Held,
  type Level,
  type Line,
  levelKey,
  type Order,
  Sums,
  takesStock,
  type Warehouse,
} from './facts.ts';

/** Under `deny` no more is promised than can be picked; `exempt` are variants that ever had another policy. */
export function auditPromises({ levels, variants }: Facts, exempt: ReadonlySet<string>): string[] {
  const denying = new Set(variants.filter(({ policy }) => policy === 'deny').map(({ id }) => id));
  return levels
    .filter(({ productVariantId: id }) => denying.has(id) && !exempt.has(id))
    .filter((level) => level.committed > level.pickable)
    .map(
      (level) => `${levelKey(level)}: ${level.committed} units are promised, ${level.pickable} can be picked`,
    );
}

/** Once background work is done, nobody waits for what somebody could give. */
export function auditWaiting(facts: Facts): string[] {
  const levels = new Map(facts.levels.map((level) => [levelKey(level), level]));
  return facts.orders.filter(takesStock).flatMap((order) =>
    order.lines
      .filter((line) => line.backordered > 0)
      .flatMap((line) =>
        servingWarehouses(facts, order)
          .filter(({ id }) => unitsThere(line, id, levels) >= 1)
          .map(
            ({ id }) =>
              `order ${order.name}, line ${line.position} waits for ${line.backordered} units, ` +
              `and ${unitsThere(line, id, levels)} are available in warehouse ${id}`,
          ),
      ),
  );
}

function servingWarehouses({ warehouses }: Facts, order: Order): Warehouse[] {
  return warehouses.filter(
    ({ organizationId, id, archived }) =>
      organizationId === order.organizationId &&
      !archived &&
      (order.warehouseId === null || order.warehouseId === id),
  );
}

/** Whole units of a line that a warehouse could give. */
function unitsThere(line: Line, warehouseId: string, levels: ReadonlyMap<string, Level>): number {
  const units = line.needs.map(({ productVariantId, perUnit }) => {
    const available = levels.get(levelKey({ productVariantId, warehouseId }))?.available ?? 0;
    return Math.floor(available / perUnit);
  });
  return Math.min(...units);
}

/** Nobody loses or gains a promise out of turn, between two moments at which one change of stock alone was made. */
export function auditTurns(before: Facts, after: Facts): string[] {
  return [...filledInTurn(before, after), ...givenBackInTurn(before, after)];
}

interface Place {
  order: Order;
  line: Line;
}

/** The order in which lines are filled: by order date. */
function compareTurns(a: Place, b: Place): number {
  const byDate = a.order.orderDate.getTime() - b.order.orderDate.getTime();
  if (byDate !== 0) return byDate;
  if (a.order.id !== b.order.id) return a.order.id < b.order.id ? -1 : 1;
  return a.line.position - b.line.position;
}

function unitsByLine(held: readonly Held[]): Sums {
  const units = new Sums();
  for (const one of held) units.add(`${one.lineId} ${levelKey(one)}`, one.units);
  return units;
}

/** Lines for a variant itself, unpinned, that gained: all of those before them must have got what they waited for. */
function filledInTurn(before: Facts, after: Facts): string[] {
  const waited = new Map(
    before.orders.flatMap((order) => order.lines).map((line) => [line.id, line.backordered]),
  );
  const plain = after.orders
    .filter((order) => takesStock(order) && order.warehouseId === null)
    .flatMap((order) => order.lines.filter(isPlain).map((line) => ({ order, line })));
  const problems: string[] = [];
  for (const lines of Map.groupBy(plain, ({ line }) => line.productVariantId).values()) {
    const inTurn = lines.toSorted(compareTurns);
    const first = inTurn.findIndex(({ line }) => line.backordered > 0);
    if (first < 0) continue;
    const early = inTurn.slice(first + 1).filter(({ line }) => line.backordered < (waited.get(line.id) ?? 0));
    for (const { order, line } of early) {
      problems.push(
        `order ${order.name}, line ${line.position} was served before order ${inTurn[first]!.order.name}, which still waits`,
      );
    }
  }
  return problems;
}

function isPlain(line: Line): boolean {
  return line.needs.length === 1 && line.needs[0]!.productVariantId === line.productVariantId;
}

/** Of the lines that hold units of a level, those that lost some must be the last ones. */
function givenBackInTurn(before: Facts, after: Facts): string[] {
  const [then, now] = [unitsByLine(before.held), unitsByLine(after.held)];
  const places = new Map(
    after.orders.flatMap((order) =>
      order.lines.filter(isPlain).map((line) => [line.id, { order, line }] as const),
    ),
  );
  const problems: string[] = [];
  for (const [key, holding] of Map.groupBy(before.held, levelKey)) {
    const inTurn = holding
      .flatMap(({ lineId }) => places.get(lineId) ?? [])
      .toSorted((a, b) => compareTurns(b, a));
    const kept = inTurn.findIndex(
      ({ line }) => now.get(`${line.id} ${key}`) >= then.get(`${line.id} ${key}`),
    );
    if (kept < 0) continue;
    for (const { order, line } of inTurn.slice(kept + 1)) {
      if (now.get(`${line.id} ${key}`) >= then.get(`${line.id} ${key}`)) continue;
      problems.push(
        `order ${order.name}, line ${line.position} lost units of ${key}, and the later order ${inTurn[kept]!.order.name} kept its own`,
      );
    }
  }
  return problems;
}
