// A draft is opened: it goes to the supplier, and may still be changed.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { moveStatus, requireMove } from './change-status.ts';

/** @throws 404, 412, 409 invalid_transition */
export function submitPurchaseOrder(write: Write, id: string): Promise<Found> {
  return moveStatus(
    write,
    id,
    (row) => {
      requireMove(row.status, 'open');
      return { ...row, status: 'open' };
    },
    'purchase_order.updated',
  );
}
