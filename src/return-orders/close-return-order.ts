// Ends a return order: what has not come back will not come.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { invalidTransition } from '../orders/states.ts';
import { changeOfOrder } from './announce.ts';
import { findReturnOrder, lockReturnOrder, updateReturnOrder } from './queries.ts';

/**
 * Its order, if it has one, tells of it as order.updated, as of a cancellation. Units that did not come back may be
 * asked back anew.
 * @throws 404, 412, 409 invalid_transition when it is closed or cancelled
 */
export async function closeReturnOrder(write: Write, id: string): Promise<Found> {
  const row = await lockReturnOrder(write, id);
  if (row === undefined) throw notFound('return order');
  requireVersion(write, row.version);
  const { status: from, orderId } = row;
  if (from === 'closed' || from === 'cancelled') {
    throw invalidTransition(from, 'closed', [], `The return order is ${from}`);
  }
  await changeOfOrder(write, orderId, () => updateReturnOrder(write, id, 'closed'));
  return (await findReturnOrder(write.transaction, write.scope.organizationId, id))!;
}
