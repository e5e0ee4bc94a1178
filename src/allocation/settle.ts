// After stock has changed under lock: gives back what is no longer there, and fills what has been waited for.

import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import { type AllocationPlan, allocate, commit, type Sources } from './allocate.ts';
import { announceOrders, readOrders } from './announce.ts';
import { available, type Level, type Levels, lockLevels } from './levels.ts';
import {
  type AllocationChange,
  findFillableLines,
  findHoldingLines,
  lockOrders,
  type OpenLine,
  readOpenLines,
  requestFills,
  storeAllocations,
  storeLineQuantities,
  touchOrders,
} from './queries.ts';
import { readSources } from './sources.ts';

/** What settling did; `oversold` says which levels had promised more than they hold, and by how much. */
export interface Settlement {
  oversold: { level: Level; quantity: number; orderIds: string[] }[];
}

/**
 * Call it once, after `levels` were changed in memory and before storeLevels. Orders that gained or lost stock
 * get their event here.
 */
export async function settle(write: Write, levels: Levels): Promise<Settlement> {
  const oversold: Settlement['oversold'] = [];
  for (const level of levels.all().filter(isOversold)) {
    const quantity = level.committed - level.pickable;
    oversold.push({ level, quantity, orderIds: await giveBackNewest(write, levels, level) });
  }
  const risen = levels.all().filter((level) => available(level) > Math.max(0, available(level.before)));
  if (risen.length > 0) await fillBackorders(write, levels, risen);
  return { oversold };
}

/** Fewer units than before, or units given back to an order whose lot has expired meanwhile. */
function isOversold(level: Level): boolean {
  const { policy, committed, pickable, before } = level;
  const changed = pickable < before.pickable || committed > before.committed;
  return policy === 'deny' && committed > pickable && changed;
}

/** The newest allocations of a level become backorders until what it is committed to is there again. */
async function giveBackNewest(write: Write, levels: Levels, level: Level): Promise<string[]> {
  const holding = await findHoldingLines(write, level, level.committed - level.pickable);
  const lines = new Map(
    (
      await readOpenLines(
        write,
        holding.map(({ orderLineItemId }) => orderLineItemId),
      )
    ).map((line) => [line.orderLineItemId, line]),
  );
  await lockMissingLevels(write, levels, [...lines.values()], [level.warehouseId]);
  const changes: AllocationChange[] = [];
  for (const { orderLineItemId, quantity: held } of holding) {
    const excess = level.committed - level.pickable;
    if (excess <= 0) break;
    const line = lines.get(orderLineItemId)!;
    const perUnit = line.requirements.find(
      (r) => r.productVariantId === level.productVariantId,
    )!.quantityPerUnit;
    const quantity = -Math.min(held, Math.ceil(excess / perUnit));
    commit(line, levels, level.warehouseId, quantity);
    changes.push(changeOf(line, level.warehouseId, quantity, 'oversold'));
  }
  // Another warehouse may have what this one has lost.
  requestFills(write, [level.productVariantId]);
  return storeChanges(write, changes);
}

/**
 * Fills up to a hundred waiting lines, earliest order first; leaves a mark for a job where more may follow.
 * `filled` is how many lines gained units.
 */
export async function fillBackorders(
  write: Write,
  levels: Levels,
  risen: readonly Level[],
): Promise<{ more: boolean; filled: number }> {
  const waiting = await findFillableLines(
    write,
    risen.map(asSupply),
    levels.all().map(asSupply),
    limits.backorderFillsInline + 1,
  );
  if (waiting.length === 0) return { more: false, filled: 0 };
  const more = waiting.length > limits.backorderFillsInline;
  if (more) requestFills(write, [...new Set(risen.map((level) => level.productVariantId))]);
  const now = waiting.slice(0, limits.backorderFillsInline);

  const sources = await readSources(write, null);
  await lockOrders(write, [...new Set(now.map(({ orderId }) => orderId))]);
  // Between the search and the lock an order may have changed: what counts is read again.
  const lines = await readOpenLines(
    write,
    now.map(({ orderLineItemId }) => orderLineItemId),
  );
  const fillable = lines.filter((line) => line.takesStock && line.quantityBackordered > 0);
  const asked = sources.warehouseIds.filter((id) => risen.some((level) => level.warehouseId === id));
  await lockMissingLevels(write, levels, fillable, asked);
  const changes = fillable.flatMap((line) => fill(line, levels, asked));
  await storeChanges(write, changes);
  return { more, filled: changes.length };
}

function asSupply(level: Level) {
  const { productVariantId, warehouseId } = level;
  return { productVariantId, warehouseId, available: available(level) };
}

function fill(line: OpenLine, levels: Levels, asked: readonly string[]): AllocationChange[] {
  const sources: Sources = {
    warehouseIds:
      line.pinnedWarehouseId === null ? asked : asked.filter((id) => id === line.pinnedWarehouseId),
    whole: false,
  };
  const demand = { ...line, quantity: line.quantityBackordered };
  const plan: AllocationPlan = allocate([demand], levels, sources);
  return plan.allocations.map(({ warehouseId, quantity }) =>
    changeOf(line, warehouseId, quantity, 'allocated'),
  );
}

function changeOf(
  line: OpenLine,
  warehouseId: string,
  quantity: number,
  reason: AllocationChange['reason'],
): AllocationChange {
  const { orderId, orderLineItemId, requirements } = line;
  return { orderId, orderLineItemId, requirements, warehouseId, quantity, reason };
}

/** Stores what lines gained or lost and tells of their orders. */
async function storeChanges(write: Write, changes: readonly AllocationChange[]): Promise<string[]> {
  const orderIds = [...new Set(changes.map(({ orderId }) => orderId))].sort();
  if (orderIds.length === 0) return orderIds;
  await lockOrders(write, orderIds);
  const previous = await readOrders(write, orderIds);
  const byLine = new Map<string, number>();
  for (const { orderLineItemId, quantity } of changes) {
    byLine.set(orderLineItemId, (byLine.get(orderLineItemId) ?? 0) + quantity);
  }
  storeLineQuantities(
    write,
    [...byLine].map(([orderLineItemId, gained]) => ({
      orderLineItemId,
      allocated: gained,
      backordered: -gained,
    })),
  );
  storeAllocations(write, changes);
  touchOrders(write, orderIds);
  await announceOrders(write, 'order.updated', orderIds, previous);
  return orderIds;
}

/** A bundle's other components are seldom among the levels that are locked already. */
async function lockMissingLevels(
  write: Write,
  levels: Levels,
  lines: readonly OpenLine[],
  warehouseIds: readonly string[],
): Promise<void> {
  const missing = new Map<string, { productVariantId: string; warehouseId: string }>();
  for (const { productVariantId } of lines.flatMap((line) => line.requirements)) {
    for (const warehouseId of warehouseIds) {
      if (levels.get(productVariantId, warehouseId) === undefined) {
        missing.set(`${productVariantId} ${warehouseId}`, { productVariantId, warehouseId });
      }
    }
  }
  await lockLevels(write, levels, [...missing.values()]);
}
