// What an open order's lines hold, changed in memory: pure rules over lines and levels under lock.
import { commit } from '../allocation/allocate.ts';
import type { Levels } from '../allocation/levels.ts';
import type { OpenOrder, OrderLine } from './open-order.ts';

/** Units that have not left and were not cancelled. */
export function openQuantity(line: OrderLine): number {
  return line.quantity - line.quantityFulfilled - line.quantityCancelled;
}

/** Gives back units of a line's allocations, the last warehouse first. */
export function release(line: OrderLine, levels: Levels, quantity: number): void {
  let missing = Math.min(quantity, line.quantityAllocated);
  line.quantityAllocated -= missing;
  for (const [warehouseId, held] of [...line.allocations].reverse()) {
    const units = Math.min(missing, held);
    if (units === 0) continue;
    commit(line, levels, warehouseId, -units);
    line.allocations.set(warehouseId, held - units);
    missing -= units;
  }
}

export function releaseAll(order: OpenOrder): void {
  for (const line of order.lines) {
    release(line, order.levels, line.quantityAllocated);
    line.quantityBackordered = 0;
  }
}

/** Gives back what a pinned order's lines hold in other warehouses. */
export function releaseElsewhere(order: OpenOrder): void {
  if (order.warehouseId === null) return;
  for (const line of order.lines) {
    for (const [warehouseId, held] of line.allocations) {
      if (held === 0 || warehouseId === order.warehouseId) continue;
      commit(line, order.levels, warehouseId, -held);
      line.allocations.set(warehouseId, 0);
      line.quantityAllocated -= held;
    }
  }
}

/** Sets a line's quantity; what is too many goes from its backorder first, then from its allocations. */
export function resize(line: OrderLine, levels: Levels, quantity: number): void {
  line.quantity = quantity;
  const excess = line.quantityAllocated + line.quantityBackordered - openQuantity(line);
  if (excess <= 0) return;
  const fromBackorder = Math.min(excess, line.quantityBackordered);
  line.quantityBackordered -= fromBackorder;
  release(line, levels, excess - fromBackorder);
}

/** Cancels what has not left. */
export function cancelRemaining(line: OrderLine, levels: Levels): void {
  release(line, levels, line.quantityAllocated);
  line.quantityBackordered = 0;
  line.quantityCancelled = line.quantity - line.quantityFulfilled;
}
