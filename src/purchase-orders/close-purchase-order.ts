// Ends a part-received purchase order: what is missing will not come.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { moveStatus, requireMove } from './change-status.ts';

/** @throws 404, 412, 409 invalid_transition unless it is partially-received */
export function closePurchaseOrder(write: Write, id: string): Promise<Found> {
  return moveStatus(
    write,
    id,
    (row) => {
      requireMove(row.status, 'received');
      return { ...row, status: 'received', closedAt: write.now };
    },
    'purchase_order.updated',
  );
}
