// SQL of purchase orders: lists and reads, the locked row, inserts and updates.
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import { inFromTo } from '../http/date-range.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import type { Note } from '../notes.ts';
import { countOf } from './count-queries.ts';
import { partsOf } from './list-parts.ts';
import { purchaseOrderJson, purchaseOrderSummaryJson } from './present.ts';
import type { ListPurchaseOrdersQuery, PurchaseOrderStatus, purchaseOrderSorts } from './schema.ts';

const sorts: Record<(typeof purchaseOrderSorts)[number], Sort> = {
  createdAt: { column: column('p.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('p.updated_at'), type: 'timestamptz' },
  name: { column: column('p.name'), type: 'text' },
  status: { column: column('p.status'), type: 'text', part: column('state.status') },
  expectedDate: { column: column('p.expected_date'), type: 'timestamptz', nullable: true },
  grandTotal: { column: column('p.grand_total'), type: 'numeric' },
  'supplier.name': { column: column('s.name'), type: 'text', part: column('part.supplier_name') },
  'warehouse.name': { column: column('w.name'), type: 'text', part: column('part.name') },
};

export function listPurchaseOrders(
  database: Executor,
  organizations: Organizations,
  query: ListPurchaseOrdersQuery,
): Promise<Page> {
  const where = [owned('p', organizations), ...inFromTo(column('p.created_at'), query)];
  if (!query.includeArchived) where.push(sql`p.archived_at is null`);
  if (query.status !== undefined) where.push(sql`p.status = ${query.status}`);
  if (query.supplierId !== undefined) where.push(sql`p.supplier_id = ${query.supplierId}`);
  if (query.warehouseId !== undefined) where.push(sql`p.warehouse_id = ${query.warehouseId}`);
  if (query.search !== undefined) {
    const pattern = searchPattern(query.search);
    // The index is of the whole search text, of which the name is a part.
    where.push(sql`(p.search_text like ${pattern} or p.supplier_id = any(array(
      select f.id from suppliers f
      where ${owned('f', organizations)} and f.search_text like ${pattern} and lower(f.name) like ${pattern})))`);
  }
  const count = countOf(organizations, query);
  const parts = partsOf(organizations, query);
  return listPage(database, [organizations].flat().join(' '), query, {
    name: 'listPurchaseOrders',
    alias: 'p',
    from: sql`purchase_orders p${parts === undefined ? sortedBeside(organizations, query) : sql``}`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: purchaseOrderSummaryJson(organizations),
    parts,
    ...(count === undefined ? {} : { count }),
  });
}

/** The table that another record's name is sorted by. */
function sortedBeside(organizations: Organizations, { sortBy }: ListPurchaseOrdersQuery): Sql<unknown> {
  if (sortBy === 'supplier.name') {
    return sql` join suppliers s on ${owned('s', organizations, 'p')} and s.id = p.supplier_id`;
  }
  if (sortBy !== 'warehouse.name') return sql``;
  return sql` join warehouses w on ${owned('w', organizations, 'p')} and w.id = p.warehouse_id`;
}

export async function findPurchaseOrder(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${purchaseOrderJson(organizationId)}::text as json, p.version from purchase_orders p
    where p.organization_id = ${organizationId} and p.id = ${id}`);
  return found;
}

export interface PurchaseOrderRow {
  id: string;
  name: string;
  status: PurchaseOrderStatus;
  supplierId: string;
  warehouseId: string;
  subtotal: string;
  totalTax: string;
  grandTotal: string;
  currency: string;
  paymentTerms: string | null;
  trackingNumber: string | null;
  referenceNumber: string | null;
  shippingCarrier: string | null;
  expectedDate: Date | null;
  tags: object[];
  notes: Note[];
  metadata: Record<string, string>;
  searchText: string;
  cancelledAt: Date | null;
  closedAt: Date | null;
  archivedAt: Date | null;
  createdAt: Date;
}

/** The row, locked until the transaction ends. Nobody who holds levels waits for it. */
export async function lockPurchaseOrder(
  write: Write,
  id: string,
): Promise<(PurchaseOrderRow & { version: number }) | undefined> {
  const [row] = await write.transaction.query<PurchaseOrderRow & { version: number }>(sql`
    select id, name, status, supplier_id as "supplierId", warehouse_id as "warehouseId", subtotal,
      total_tax as "totalTax", grand_total as "grandTotal", currency, payment_terms as "paymentTerms",
      tracking_number as "trackingNumber", reference_number as "referenceNumber",
      shipping_carrier as "shippingCarrier", expected_date as "expectedDate", tags, notes, metadata,
      search_text as "searchText", cancelled_at as "cancelledAt", closed_at as "closedAt",
      archived_at as "archivedAt", created_at as "createdAt", version
    from purchase_orders where organization_id = ${write.scope.organizationId} and id = ${id} for update`);
  return row;
}

const json = (value: unknown) => JSON.stringify(value);

export function insertPurchaseOrder(write: Write, row: PurchaseOrderRow): void {
  write.transaction.send(sql`
    insert into purchase_orders (organization_id, id, name, status, supplier_id, warehouse_id, subtotal,
      total_tax, grand_total, currency, payment_terms, tracking_number, reference_number, shipping_carrier,
      expected_date, tags, notes, metadata, search_text, created_at, updated_at)
    values (${write.scope.organizationId}, ${row.id}, ${row.name}, ${row.status}, ${row.supplierId},
      ${row.warehouseId}, ${row.subtotal}, ${row.totalTax}, ${row.grandTotal}, ${row.currency},
      ${row.paymentTerms}, ${row.trackingNumber}, ${row.referenceNumber}, ${row.shippingCarrier},
      ${row.expectedDate}, ${json(row.tags)}, ${json(row.notes)}, ${json(row.metadata)}, ${row.searchText},
      ${row.createdAt}, ${row.createdAt})`);
}

export function storePurchaseOrder(write: Write, row: PurchaseOrderRow): void {
  write.transaction.send(sql`
    update purchase_orders set status = ${row.status}, supplier_id = ${row.supplierId},
      warehouse_id = ${row.warehouseId}, subtotal = ${row.subtotal}, total_tax = ${row.totalTax},
      grand_total = ${row.grandTotal}, currency = ${row.currency}, payment_terms = ${row.paymentTerms},
      tracking_number = ${row.trackingNumber}, reference_number = ${row.referenceNumber},
      shipping_carrier = ${row.shippingCarrier}, expected_date = ${row.expectedDate}, tags = ${json(row.tags)},
      notes = ${json(row.notes)}, metadata = ${json(row.metadata)}, search_text = ${row.searchText},
      cancelled_at = ${row.cancelledAt}, closed_at = ${row.closedAt}, archived_at = ${row.archivedAt},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${row.id}`);
}
