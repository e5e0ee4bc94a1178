// Tells of return orders, and of the orders that show them.
import { announceOrders, readOrders } from '../allocation/announce.ts';
import { lockOrders, touchOrders } from '../allocation/queries.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findReturnOrder } from './queries.ts';

/** Reads back a return order that has just been made, and tells of it. */
export async function announceReturnOrder(write: Write, id: string): Promise<Found> {
  const found = (await findReturnOrder(write.transaction, write.scope.organizationId, id))!;
  appendEvent(write, { type: 'return_order.created', objectId: id, object: found.json });
  return found;
}

/**
 * Makes a change to a return order of this order, which shows it: the order is locked, gets a new version and its
 * event. Call it after stock has changed: orders are the last that anybody locks.
 */
export async function changeOfOrder(
  write: Write,
  orderId: string | null,
  change: () => void | Promise<void>,
): Promise<void> {
  if (orderId === null) return change();
  const [, previous] = await Promise.all([lockOrders(write, [orderId]), readOrders(write, [orderId])]);
  await change();
  touchOrders(write, [orderId]);
  await announceOrders(write, 'order.updated', [orderId], previous);
}
