// Creates a purchase order as a draft: nothing is incoming before it is confirmed.
import type { Database } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { takeName } from '../document-name.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { newTag } from '../notes.ts';
import { recount } from './count-queries.ts';
import { insertLines } from './line-queries.ts';
import { resolveOrder } from './new-lines.ts';
import { newNotes } from './notes.ts';
import { findPurchaseOrder, insertPurchaseOrder, type PurchaseOrderRow } from './queries.ts';
import type { CreatePurchaseOrderBody } from './schema.ts';
import { searchText } from './search-text.ts';
import { totalsOf } from './totals.ts';

export function takePurchaseOrderName(
  database: Database,
  organizationId: string,
  body: CreatePurchaseOrderBody,
): Promise<string> {
  return takeName(database, organizationId, 'purchase-order', body.name);
}

/** @throws 400 naming every unknown record and every line without a usable variant */
export async function createPurchaseOrder(
  write: Write,
  body: CreatePurchaseOrderBody,
  name: string,
): Promise<Found> {
  const { organizationId } = write.scope;
  const { lines, references } = await resolveOrder(write, body);
  const numbers = {
    name,
    trackingNumber: body.trackingNumber ?? null,
    referenceNumber: body.referenceNumber ?? null,
  };
  const id = newId();
  const row: PurchaseOrderRow = {
    id,
    ...numbers,
    status: 'draft',
    supplierId: body.supplierId.toLowerCase(),
    warehouseId: body.warehouseId.toLowerCase(),
    ...totalsOf(lines),
    currency: body.currency ?? references.supplier!.currency,
    paymentTerms: body.paymentTerms ?? null,
    shippingCarrier: body.shippingCarrier ?? null,
    expectedDate: body.expectedDate == null ? null : new Date(body.expectedDate),
    tags: (body.tags ?? []).map((tag) => newTag(organizationId, tag)),
    notes: newNotes(write, body.notes ?? []),
    metadata: body.metadata ?? {},
    searchText: searchText(numbers, Object.values(references.texts)),
    cancelledAt: null,
    closedAt: null,
    archivedAt: null,
    createdAt: write.now,
  };
  insertPurchaseOrder(write, row);
  insertLines(write, id, lines);
  const found = (await findPurchaseOrder(write.transaction, organizationId, id))!;
  appendEvent(write, { type: 'purchase_order.created', objectId: id, object: found.json });
  recount(write, undefined, row);
  return found;
}
