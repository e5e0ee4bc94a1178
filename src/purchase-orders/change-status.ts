// The states of a purchase order and the moves between them.
import { ApiError, notFound } from '../errors.ts';
import { appendEvent, type EventType } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { recount } from './count-queries.ts';
import { storeIncoming } from './incoming.ts';
import { readLines } from './line-queries.ts';
import {
  findPurchaseOrder,
  lockPurchaseOrder,
  type PurchaseOrderRow,
  storePurchaseOrder,
} from './queries.ts';
import type { PurchaseOrderStatus } from './schema.ts';

/** The moves that are asked for; receipts make an order partially-received and received, and lead back when corrected. */
const moves: Record<PurchaseOrderStatus, readonly PurchaseOrderStatus[]> = {
  draft: ['open', 'cancelled'],
  open: ['confirmed', 'cancelled'],
  confirmed: ['cancelled'],
  'partially-received': ['received'],
  received: [],
  cancelled: [],
};

export function allowedMoves(from: PurchaseOrderStatus): readonly PurchaseOrderStatus[] {
  return moves[from];
}

/** @throws 409 invalid_transition */
export function requireMove(from: PurchaseOrderStatus, to: PurchaseOrderStatus): void {
  if (moves[from].includes(to)) return;
  throw new ApiError('invalid_transition', {
    message: `A purchase order that is ${from} cannot become ${to}`,
    details: { from, to, allowed: moves[from] },
  });
}

/** An order under its lock, with what the API shows of it. */
export interface OpenPurchaseOrder {
  row: PurchaseOrderRow;
  previous: string;
}

/** @throws 404, 412 */
export async function openPurchaseOrder(write: Write, id: string): Promise<OpenPurchaseOrder> {
  const { organizationId } = write.scope;
  const row = await lockPurchaseOrder(write, id);
  if (row === undefined) throw notFound('purchase order');
  requireVersion(write, row.version);
  // A statement of its own: it must see what was committed while the lock was waited for.
  const found = await findPurchaseOrder(write.transaction, organizationId, id);
  return { row, previous: found!.json };
}

/** Stores what an order has become and tells of it. */
export async function storeAndAnnounce(
  write: Write,
  { row, previous }: OpenPurchaseOrder,
  changed: PurchaseOrderRow,
  type: EventType,
): Promise<Found> {
  storePurchaseOrder(write, changed);
  const found = (await findPurchaseOrder(write.transaction, write.scope.organizationId, row.id))!;
  appendEvent(write, { type, objectId: row.id, object: found.json, previous });
  recount(write, row, changed);
  return found;
}

/** One move of the table, with what it means for incoming units. */
export async function moveStatus(
  write: Write,
  id: string,
  move: (row: PurchaseOrderRow) => PurchaseOrderRow,
  type: EventType,
): Promise<Found> {
  const opened = await openPurchaseOrder(write, id);
  const moved = move(opened.row);
  const lines = await readLines(write, id);
  await storeIncoming(write, { order: opened.row, lines }, { order: moved, lines });
  return storeAndAnnounce(write, opened, moved, type);
}
