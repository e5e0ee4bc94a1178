// Which warehouse's stock an order's lines take: pure rules over levels that are under lock.
import { available, type Level, type Levels } from './levels.ts';

/** Stock that one unit of a line takes: the variant itself, or a bundle's components. */
export interface Requirement {
  productVariantId: string;
  quantityPerUnit: number;
}

export interface Demand {
  orderLineItemId: string;
  /** Units still to be found. */
  quantity: number;
  /** Empty: the line takes no stock and is always allocated. */
  requirements: readonly Requirement[];
}

export interface Allocation {
  orderLineItemId: string;
  warehouseId: string;
  quantity: number;
}

export interface AllocationPlan {
  allocations: Allocation[];
  /** Units per line that were not found. */
  short: Map<string, number>;
  /** The one warehouse that serves the order, where the sources ask for one. */
  warehouseId: string | null;
}

/** Warehouse ids in the order in which they are asked, and whether one of them must serve the whole order. */
export interface Sources {
  warehouseIds: readonly string[];
  whole: boolean;
}

/**
 * Takes stock for the demands and changes `levels` accordingly: the first warehouse that covers all of it,
 * else line by line through the warehouses (or, with `whole`, what the best one has).
 */
export function allocate(demands: readonly Demand[], levels: Levels, sources: Sources): AllocationPlan {
  const { warehouseIds } = sources;
  const covering = warehouseIds.find((id) => coversAll(demands, levels, id));
  let asked: readonly string[] = covering === undefined ? warehouseIds : [covering];
  if (covering === undefined && sources.whole) asked = bestOf(demands, levels, warehouseIds);

  // What takes no stock from anywhere has no one warehouse.
  const takes = demands.some(({ requirements }) => requirements.length > 0);
  const warehouseId = sources.whole && takes ? (asked[0] ?? null) : null;
  const plan: AllocationPlan = { allocations: [], short: new Map(), warehouseId };
  for (const demand of demands) {
    const missing = demand.requirements.length === 0 ? 0 : takeFor(demand, levels, asked, plan.allocations);
    if (missing > 0) plan.short.set(demand.orderLineItemId, missing);
  }
  return plan;
}

/** Takes what the warehouses have, then, where a policy allows it, what the first one has not. */
function takeFor(
  demand: Demand,
  levels: Levels,
  warehouseIds: readonly string[],
  allocations: Allocation[],
): number {
  const taken = new Map<string, number>();
  let missing = demand.quantity;
  const take = (warehouseId: string, oversell: boolean) => {
    const quantity = Math.min(missing, unitsAt(demand, levels, warehouseId, oversell));
    if (quantity === 0) return;
    commit(demand, levels, warehouseId, quantity);
    taken.set(warehouseId, (taken.get(warehouseId) ?? 0) + quantity);
    missing -= quantity;
  };
  for (const id of warehouseIds) take(id, false);
  if (missing > 0 && warehouseIds[0] !== undefined) take(warehouseIds[0], true);
  for (const [warehouseId, quantity] of taken) {
    allocations.push({ orderLineItemId: demand.orderLineItemId, warehouseId, quantity });
  }
  return missing;
}

/** Units of a demand that a warehouse can give; with `oversell`, variants with policy `continue` are without end. */
function unitsAt(demand: Demand, levels: Levels, warehouseId: string, oversell: boolean): number {
  let units = Number.POSITIVE_INFINITY;
  for (const { productVariantId, quantityPerUnit } of demand.requirements) {
    const level = levels.get(productVariantId, warehouseId);
    if (oversell && level?.policy === 'continue') continue;
    units = Math.min(units, level === undefined ? 0 : Math.floor(available(level) / quantityPerUnit));
  }
  return Math.max(units, 0);
}

function coversAll(demands: readonly Demand[], levels: Levels, warehouseId: string): boolean {
  return [...unitsByVariant(demands)].every(([variantId, units]) => {
    const level = levels.get(variantId, warehouseId);
    return level !== undefined && available(level) >= units;
  });
}

function unitsByVariant(demands: readonly Demand[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { quantity, requirements } of demands) {
    for (const { productVariantId, quantityPerUnit } of requirements) {
      units.set(productVariantId, (units.get(productVariantId) ?? 0) + quantity * quantityPerUnit);
    }
  }
  return units;
}

/** The warehouse that can give the most units; the earlier one where two give the same. */
function bestOf(demands: readonly Demand[], levels: Levels, warehouseIds: readonly string[]): string[] {
  let best: string | undefined;
  let most = -1;
  for (const id of warehouseIds) {
    let units = 0;
    for (const [variantId, wanted] of unitsByVariant(demands)) {
      const level = levels.get(variantId, id);
      units += level === undefined ? 0 : Math.max(0, Math.min(wanted, available(level)));
    }
    if (units > most) [best, most] = [id, units];
  }
  return best === undefined ? [] : [best];
}

/** Adds units of a line (negative: gives them back) to what its warehouse's levels are committed to. */
export function commit(
  demand: Pick<Demand, 'requirements'>,
  levels: Levels,
  warehouseId: string,
  quantity: number,
): void {
  for (const { productVariantId, quantityPerUnit } of demand.requirements) {
    const level = levels.get(productVariantId, warehouseId) as Level;
    level.committed += quantity * quantityPerUnit;
  }
}
