// Puts an archived purchase order back into the lists.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { setArchived } from './archive-purchase-order.ts';

/** A repeat answers the same. @throws 404, 412 */
export function restorePurchaseOrder(write: Write, id: string): Promise<Found> {
  return setArchived(write, id, null);
}
