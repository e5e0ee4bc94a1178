// Changes what the body names of a purchase order: all of it before it is confirmed, what accompanies it until received.
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import { newTag } from '../notes.ts';
import { openPurchaseOrder, storeAndAnnounce } from './change-status.ts';
import { deleteLines, findReferences, insertLines, type LineRow, readLines } from './line-queries.ts';
import { type KeptReferences, referenceIssues, resolveOrder } from './new-lines.ts';
import { newNotes } from './notes.ts';
import type { PurchaseOrderRow } from './queries.ts';
import type { UpdatePurchaseOrderBody } from './schema.ts';
import { searchText } from './search-text.ts';
import { totalsOf } from './totals.ts';

/** Fields that are settled once the supplier has confirmed. */
const settled = ['supplierId', 'warehouseId', 'lineItems', 'currency', 'paymentTerms'] as const;

/** @throws 400, 404, 412, 409 invalid_transition */
export async function updatePurchaseOrder(
  write: Write,
  id: string,
  body: UpdatePurchaseOrderBody,
): Promise<Found> {
  const opened = await openPurchaseOrder(write, id);
  const { row } = opened;
  requireChangeable(row, body);
  const changed = changeFields(write, row, body);
  changeNotes(write, changed, body);
  await changeLines(write, row, changed, body);
  return storeAndAnnounce(write, opened, changed, 'purchase_order.updated');
}

function requireChangeable(row: PurchaseOrderRow, body: UpdatePurchaseOrderBody): void {
  const { status } = row;
  const fields = settled.filter((field) => body[field] !== undefined);
  const ended = status === 'received' || status === 'cancelled';
  if (!ended && (fields.length === 0 || status === 'draft' || status === 'open')) return;
  throw new ApiError('invalid_transition', {
    message: ended
      ? `A purchase order that is ${status} is not changed any more`
      : `${fields.join(', ')} cannot change once the order is ${status}`,
    details: { from: status, to: status, allowed: [] },
  });
}

function changeFields(write: Write, row: PurchaseOrderRow, body: UpdatePurchaseOrderBody): PurchaseOrderRow {
  const { expectedDate, tags, lineItems: _lines, notes: _notes, removedNoteIds: _removed, ...named } = body;
  const changed = { ...row, ...named };
  if (named.supplierId !== undefined) changed.supplierId = named.supplierId.toLowerCase();
  if (named.warehouseId !== undefined) changed.warehouseId = named.warehouseId.toLowerCase();
  if (expectedDate !== undefined) {
    changed.expectedDate = expectedDate === null ? null : new Date(expectedDate);
  }
  if (tags !== undefined) changed.tags = tags.map((tag) => newTag(write.scope.organizationId, tag));
  return changed;
}

/** @throws 400 naming every id that is no note of the order, or when it would have too many notes */
function changeNotes(write: Write, row: PurchaseOrderRow, body: UpdatePurchaseOrderBody): void {
  const removed = (body.removedNoteIds ?? []).map((noteId) => noteId.toLowerCase());
  const issues = removed.flatMap((noteId, index): Issue[] => {
    if (row.notes.some((note) => note.id === noteId)) return [];
    const message = 'is no note of this order';
    return [{ path: `/removedNoteIds/${index}`, code: 'not_found', message }];
  });
  row.notes = [
    ...row.notes.filter((note) => !removed.includes(note.id)),
    ...newNotes(write, body.notes ?? []),
  ];
  if (row.notes.length > limits.notesMax) {
    const message = `would make more than ${limits.notesMax} notes`;
    issues.push({ path: '/notes', code: 'too_many', message });
  }
  if (issues.length > 0) throw invalid(issues);
}

/** Brings lines, totals and search text along with what they are made of. */
async function changeLines(
  write: Write,
  before: PurchaseOrderRow,
  row: PurchaseOrderRow,
  body: UpdatePurchaseOrderBody,
): Promise<void> {
  const moved = row.supplierId !== before.supplierId || row.warehouseId !== before.warehouseId;
  const renumbered =
    row.trackingNumber !== before.trackingNumber || row.referenceNumber !== before.referenceNumber;
  if (body.lineItems === undefined && !moved && !renumbered) return;
  const { lines, texts } = await linesOf(write, before, row, body);
  row.searchText = searchText(row, Object.values(texts));
  if (lines === undefined) return;
  deleteLines(write, row.id);
  insertLines(write, row.id, lines);
  Object.assign(row, totalsOf(lines));
}

/** The lines that are written anew, if any, and the texts of all. @throws 400 */
async function linesOf(
  write: Write,
  before: PurchaseOrderRow,
  row: PurchaseOrderRow,
  { lineItems }: UpdatePurchaseOrderBody,
): Promise<{ lines: LineRow[] | undefined; texts: Record<string, string> }> {
  const stored = await readLines(write, row.id);
  const kept: KeptReferences = [
    ...(row.supplierId === before.supplierId ? (['/supplierId'] as const) : []),
    ...(row.warehouseId === before.warehouseId ? (['/warehouseId'] as const) : []),
  ];
  if (lineItems !== undefined) {
    const known = new Map(stored.map((line) => [line.id, line]));
    const { lines, references } = await resolveOrder(write, { ...row, lineItems }, known, kept);
    return { lines, texts: references.texts };
  }
  const variantIds = stored.map(({ productVariantId }) => productVariantId);
  const references = await findReferences(write, { ...row, variantIds });
  const { texts, supplierProducts } = references;
  const issues = referenceIssues(references, kept);
  if (issues.length > 0) throw invalid(issues);
  if (row.supplierId === before.supplierId) return { lines: undefined, texts };
  const lines = stored.map((line) => {
    return { ...line, supplierProductId: supplierProducts[line.productVariantId] ?? null };
  });
  return { lines, texts };
}
