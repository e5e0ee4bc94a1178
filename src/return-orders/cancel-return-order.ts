// Cancels a return order of which nothing has come back.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { invalidTransition } from '../orders/states.ts';
import { changeOfOrder } from './announce.ts';
import { findReturnOrder, lockReturnOrder, updateReturnOrder } from './queries.ts';
import { readReturnLines } from './queries-lines.ts';

/**
 * Its order, if it has one, tells of it as order.updated; the types of event have none for the return itself.
 * @throws 404, 412, 409 invalid_transition once anything came back, and for a second cancel
 */
export async function cancelReturnOrder(write: Write, id: string): Promise<Found> {
  const row = await lockReturnOrder(write, id);
  if (row === undefined) throw notFound('return order');
  requireVersion(write, row.version);
  const { status: from, orderId } = row;
  if (from !== 'requested' && from !== 'in-transit') {
    const allowed = from === 'received' ? ['closed'] : [];
    throw invalidTransition(from, 'cancelled', allowed, `The return order is ${from}`);
  }
  const lines = await readReturnLines(write, id);
  if (lines.some(({ received }) => received > 0)) {
    throw invalidTransition(from, 'cancelled', ['received', 'closed'], 'Something has come back already');
  }
  await changeOfOrder(write, orderId, () => updateReturnOrder(write, id, 'cancelled'));
  return (await findReturnOrder(write.transaction, write.scope.organizationId, id))!;
}
