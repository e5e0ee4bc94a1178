// The supplier has confirmed: from now on the ordered units are incoming.
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { moveStatus, requireMove } from './change-status.ts';
import { takesStock } from './warehouse-queries.ts';

/** @throws 404, 412, 409 invalid_transition, archived when the warehouse takes no stock any more */
export async function confirmPurchaseOrder(write: Write, id: string): Promise<Found> {
  const found = await moveStatus(
    write,
    id,
    (row) => {
      requireMove(row.status, 'confirmed');
      return { ...row, status: 'confirmed' };
    },
    'purchase_order.confirmed',
  );
  // Archiving looks at incoming units under the levels' locks, which this transaction has taken by now.
  if (await takesStock(write, id)) return found;
  throw new ApiError('archived', { message: 'The warehouse is archived' });
}
