// Stops an order where it is: it keeps the stock it has and takes no more.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { hold, requireNotCancelled } from './change-status.ts';
import { openOrder } from './open-order.ts';
import type { HoldOrderBody } from './schema-actions.ts';
import { storeOrder } from './store-order.ts';

/** @throws 404, 412, 409 invalid_transition */
export async function holdOrder(write: Write, id: string, body: HoldOrderBody): Promise<Found> {
  const order = await openOrder(write, id);
  requireNotCancelled(order, 'on-hold');
  hold(order, body.reason ?? null, body.note ?? null);
  return storeOrder(write, order, { event: 'order.held', reason: 'released' });
}
