// Puts an archived order back into the lists.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { setArchived } from './archive-order.ts';

/** A repeat answers the same. @throws 404, 412 */
export function restoreOrder(write: Write, id: string): Promise<Found> {
  return setArchived(write, id, null);
}
