// Takes stock for one order under lock.
import { Retry } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import { type AllocationPlan, allocate, commit, type Demand, type Sources } from './allocate.ts';
import { expireLots } from './expire-lots.ts';
import { Levels, lockLevels, lockVariantLevels, makeLevels } from './levels.ts';
import { type Settlement, settle } from './settle.ts';
import { holdUnarchived, readSources } from './sources.ts';

/** The plan, and the levels it changed; the caller stores both (storeAllocations, storeLevels). */
export async function allocateOrder(
  write: Write,
  demands: readonly Demand[],
  pinnedWarehouseId: string | null,
): Promise<{ plan: AllocationPlan; levels: Levels; settlement: Settlement }> {
  const variantIds = [
    ...new Set(demands.flatMap(({ requirements }) => requirements.map((r) => r.productVariantId))),
  ].sort();
  const levels = new Levels();
  const [, held, sources] = await Promise.all([
    lockVariantLevels(write, levels, variantIds),
    pinnedWarehouseId === null ? true : holdUnarchived(write, pinnedWarehouseId),
    readSources(write, pinnedWarehouseId),
  ]);
  // Archived since the request's references were checked: run again, the check says so.
  if (!held) throw new Retry();
  await expireLots(write, levels);
  const settlement = await settle(write, levels);
  const plan = await allocateHeld(write, demands, levels, { sources, pinnedWarehouseId });
  return { plan, levels, settlement };
}

/** Allocates from levels that are held; where they do not suffice, also from those that did not exist yet. */
export async function allocateHeld(
  write: Write,
  demands: readonly Demand[],
  levels: Levels,
  { sources, pinnedWarehouseId }: { sources: Sources; pinnedWarehouseId: string | null },
): Promise<AllocationPlan> {
  const plan = allocate(demands, levels, sources);
  const missing = [...shortVariants(demands, plan)].flatMap((productVariantId) =>
    sources.warehouseIds
      .filter((warehouseId) => levels.get(productVariantId, warehouseId) === undefined)
      .map((warehouseId) => ({ productVariantId, warehouseId })),
  );
  if (missing.length === 0) return plan;
  // A level that does not exist cannot be held. Made and held, it lets no stock arrive unseen while this order
  // becomes a backorder; and stock that came just before is found.
  undo(demands, levels, plan);
  await makeLevels(write, missing);
  await lockLevels(write, levels, missing);
  // Only now is it sure that none of these warehouses is being archived.
  return allocate(demands, levels, await readSources(write, pinnedWarehouseId));
}

function shortVariants(demands: readonly Demand[], plan: AllocationPlan): Set<string> {
  const short = demands.filter(({ orderLineItemId }) => plan.short.has(orderLineItemId));
  return new Set(short.flatMap(({ requirements }) => requirements.map((r) => r.productVariantId)));
}

function undo(demands: readonly Demand[], levels: Levels, plan: AllocationPlan): void {
  const byLine = new Map(demands.map((demand) => [demand.orderLineItemId, demand]));
  for (const { orderLineItemId, warehouseId, quantity } of plan.allocations) {
    commit(byLine.get(orderLineItemId)!, levels, warehouseId, -quantity);
  }
}
