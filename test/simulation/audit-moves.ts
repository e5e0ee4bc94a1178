// The auditor on the moves of purchase orders: each event tells of one that the description allows, and by its name.
import type { TellingEvent } from './audit-events.ts';

/** From the description: what may follow each state; a correction leads back. */
const moves: Record<string, readonly string[]> = {
  draft: ['open', 'cancelled'],
  open: ['confirmed', 'cancelled'],
  confirmed: ['partially-received', 'received', 'cancelled'],
  'partially-received': ['received', 'confirmed'],
  received: ['partially-received', 'confirmed'],
  cancelled: [],
};

/** Undefined where nothing is wrong, and of other records. */
export function purchaseMoveProblem({ type, data }: TellingEvent): string | undefined {
  if (!type.startsWith('purchase_order.')) return undefined;
  const { object, previous } = data;
  const wrong = (what: string) => `purchase order ${object.name}: ${type} ${what}`;
  if (previous === null) return object.status === 'draft' ? undefined : wrong(`begins as ${object.status}`);
  const [from, to] = [previous.status, object.status];
  if (from !== to && !moves[from]!.includes(to)) return wrong(`leads from ${from} to ${to}`);
  const receipts = object.purchaseOrderReceipts.length - previous.purchaseOrderReceipts.length;
  const closes = previous.closedAt === null && object.closedAt !== null;
  const should = receipts === 1 ? 'received' : from === to || to === 'open' || closes ? 'updated' : to;
  const untrue = receipts !== 0 && receipts !== 1;
  return untrue || type !== `purchase_order.${should}`
    ? wrong(`is a change from ${from} to ${to}`)
    : undefined;
}
