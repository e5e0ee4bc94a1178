// Ends a hold: the order goes on where it was, and takes what stock it still needs.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { releaseHold, requireNotCancelled } from './change-status.ts';
import { openOrder } from './open-order.ts';
import { allowedMoves, invalidTransition, takesStock } from './states.ts';
import { storeOrder } from './store-order.ts';
import { takeMissing } from './take-missing.ts';

/** @throws 404, 412, 409 invalid_transition when the order is not on hold */
export async function releaseOrder(write: Write, id: string): Promise<Found> {
  const order = await openOrder(write, id);
  requireNotCancelled(order, 'released');
  if (order.fulfillmentStatus !== 'on-hold') {
    throw invalidTransition(
      order.fulfillmentStatus,
      'released',
      allowedMoves(order),
      'The order is not on hold',
    );
  }
  releaseHold(order);
  if (takesStock(order)) await takeMissing(write, order);
  return storeOrder(write, order, { event: 'order.released', reason: 'released' });
}
