// Cancels a purchase order that nothing was received for.
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { moveStatus, requireMove } from './change-status.ts';

/** @throws 404, 412, 409 has_receipts, invalid_transition */
export function cancelPurchaseOrder(write: Write, id: string): Promise<Found> {
  return moveStatus(
    write,
    id,
    (row) => {
      if (row.status === 'partially-received' || row.status === 'received')
        throw new ApiError('has_receipts');
      requireMove(row.status, 'cancelled');
      return { ...row, status: 'cancelled', cancelledAt: write.now };
    },
    'purchase_order.cancelled',
  );
}
