// Takes a purchase order out of the lists; nothing else about it changes.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { openPurchaseOrder, storeAndAnnounce } from './change-status.ts';

/** A repeat answers the same. @throws 404, 412 */
export function archivePurchaseOrder(write: Write, id: string): Promise<Found> {
  return setArchived(write, id, write.now);
}

export async function setArchived(write: Write, id: string, archivedAt: Date | null): Promise<Found> {
  const opened = await openPurchaseOrder(write, id);
  const { row } = opened;
  const kept = archivedAt !== null && row.archivedAt !== null ? row.archivedAt : archivedAt;
  return storeAndAnnounce(write, opened, { ...row, archivedAt: kept }, 'purchase_order.updated');
}
