// Takes an order out of the lists; nothing else about it changes.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { openOrder } from './open-order.ts';
import { storeOrder } from './store-order.ts';

/** A repeat answers the same. @throws 404, 412 */
export async function archiveOrder(write: Write, id: string): Promise<Found> {
  return setArchived(write, id, write.now);
}

export async function setArchived(write: Write, id: string, archivedAt: Date | null): Promise<Found> {
  const order = await openOrder(write, id);
  if (archivedAt !== null && order.archivedAt !== null) archivedAt = order.archivedAt;
  order.archivedAt = archivedAt;
  return storeOrder(write, order, {
    event: archivedAt === null ? 'order.updated' : 'order.archived',
    reason: 'released',
  });
}
