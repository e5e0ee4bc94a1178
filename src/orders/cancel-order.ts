// Cancels an order that has not left, or what has not left of one that has in part.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { cancelRemaining, openQuantity } from './line-stock.ts';
import { openOrder } from './open-order.ts';
import { applyProgress } from './progress.ts';
import type { CancelOrderBody } from './schema-actions.ts';
import { invalidTransition, isShipped } from './states.ts';
import { storeOrder } from './store-order.ts';

/** @throws 404, 412, 409 invalid_transition for a second cancel, and once anything has left without `remaining` */
export async function cancelOrder(write: Write, id: string, body: CancelOrderBody): Promise<Found> {
  const order = await openOrder(write, id);
  const { fulfillmentStatus: from } = order;
  if (order.cancelledAt !== null) {
    throw invalidTransition('cancelled', 'cancelled', [], 'The order is cancelled already');
  }
  const shipped = isShipped(order);
  if (shipped && body.remaining !== true) {
    throw invalidTransition(
      from,
      'cancelled',
      [],
      'Something has left already; `remaining` cancels the rest',
    );
  }
  if (shipped && order.lines.every((line) => openQuantity(line) === 0)) {
    throw invalidTransition(from, 'cancelled', [], 'Nothing is left to cancel');
  }
  for (const line of order.lines) cancelRemaining(line, order.levels);
  order.cancelReason = body.reason ?? null;
  if (shipped) applyProgress(order, write.now);
  else order.cancelledAt = write.now;
  return storeOrder(write, order, { event: 'order.cancelled', reason: 'released' });
}
