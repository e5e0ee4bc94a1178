// A fulfilment is taken back: units return to the bins they left, and the order holds them again.
import { commit } from '../allocation/allocate.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { returnUnits } from '../inventory/pick-units.ts';
import { findFulfillment, markFulfillmentCancelled, readFulfillment } from './fulfillment-queries.ts';
import { releaseAll } from './line-stock.ts';
import { openOrder } from './open-order.ts';
import { applyProgress } from './progress.ts';
import { invalidTransition, releasesStock } from './states.ts';
import { storeOrder } from './store-order.ts';

/** @throws 404, 409 invalid_transition for a second cancel, 409 in_use for what a shipment's label was bought for */
export async function cancelFulfillment(write: Write, orderId: string, id: string): Promise<Found> {
  if (!(await undoFulfillment(write, orderId, id, null))) {
    throw invalidTransition('cancelled', 'cancelled', [], 'The fulfillment is cancelled already');
  }
  return (await findFulfillment(write.transaction, write.scope.organizationId, orderId, id))!;
}

/** The same for a shipment that comes to nothing: `shipmentId` is its own. False where it is cancelled already. */
export async function undoFulfillment(
  write: Write,
  orderId: string,
  id: string,
  shipmentId: string | null,
): Promise<boolean> {
  const order = await openOrder(write, orderId);
  const fulfillment = await readFulfillment(write, orderId, id);
  if (fulfillment === undefined) throw notFound('fulfillment');
  if (fulfillment.cancelledAt !== null) return false;
  if (fulfillment.shipmentId !== shipmentId) {
    throw new ApiError('in_use', {
      message: 'A label was bought for it: void the shipment',
      details: { shipmentId: fulfillment.shipmentId },
    });
  }
  const movements = await returnUnits(write, order.levels, fulfillment.picks, {
    reason: 'fulfillment-cancelled',
    type: 'fulfillment',
    id,
  });
  for (const { lineItemId, warehouseId, quantity } of fulfillment.lineItems) {
    const line = order.lines.find((one) => one.id === lineItemId)!;
    line.quantityFulfilled -= quantity;
    line.quantityAllocated += quantity;
    if (warehouseId === null) continue;
    line.allocations.set(warehouseId, (line.allocations.get(warehouseId) ?? 0) + quantity);
    commit(line, order.levels, warehouseId, quantity);
  }
  // "`voided` and `expired` release it": what comes back then is nobody's.
  if (releasesStock(order.financialStatus)) releaseAll(order);
  markFulfillmentCancelled(write, id);
  applyProgress(order, write.now);
  await storeOrder(write, order, { event: 'order.updated', reason: 'released', movements });
  return true;
}
