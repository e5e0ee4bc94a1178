// Takes stock for what an open order still needs.
import { allocateHeld } from '../allocation/allocate-order.ts';
import { readSources } from '../allocation/sources.ts';
import type { Write } from '../http/api.ts';
import { openQuantity, releaseElsewhere } from './line-stock.ts';
import type { OpenOrder } from './open-order.ts';

/** Everything open that has no stock yet takes it, at the order's pin if it has one; the rest is backordered. */
export async function takeMissing(write: Write, order: OpenOrder): Promise<void> {
  if (arrivedFulfilledInPart(order)) return;
  releaseElsewhere(order);
  const lines = order.lines.filter((line) => openQuantity(line) > line.quantityAllocated);
  const demands = lines.map((line) => ({
    orderLineItemId: line.id,
    quantity: openQuantity(line) - line.quantityAllocated,
    requirements: line.requirements,
  }));
  const { warehouseId: pinnedWarehouseId } = order;
  const sources = await readSources(write, pinnedWarehouseId);
  const plan = await allocateHeld(write, demands, order.levels, { sources, pinnedWarehouseId });
  const byId = new Map(lines.map((line) => [line.id, line]));
  for (const { orderLineItemId, warehouseId, quantity } of plan.allocations) {
    const { allocations } = byId.get(orderLineItemId)!;
    allocations.set(warehouseId, (allocations.get(warehouseId) ?? 0) + quantity);
  }
  for (const line of lines) {
    line.quantityBackordered = plan.short.get(line.id) ?? 0;
    line.quantityAllocated = openQuantity(line) - line.quantityBackordered;
  }
  if (!holdsElsewhere(order, plan.warehouseId)) order.warehouseId ??= plan.warehouseId;
}

/** Such an order is history and takes no stock. One that we fulfilled in part has lines of which units have left. */
function arrivedFulfilledInPart(order: OpenOrder): boolean {
  return (
    order.fulfillmentStatus === 'partially-fulfilled' &&
    order.lines.every((line) => line.quantityFulfilled === 0)
  );
}

/** It was allocated before the organisation wanted one warehouse per order. */
function holdsElsewhere(order: OpenOrder, warehouseId: string | null): boolean {
  return order.lines.some((line) =>
    [...line.allocations].some(([id, held]) => held > 0 && id !== warehouseId),
  );
}
