// Reads what is stored of purchasing with plain SQL.
import { type Database, sql } from '../../src/database/connect.ts';
import type { Arrival, IncomingChange, PurchaseLine, PurchaseOrder, Supplier } from './facts-purchasing.ts';

type Ids = readonly string[];

export interface Purchasing {
  suppliers: Supplier[];
  purchaseOrders: PurchaseOrder[];
  arrivals: Arrival[];
  incomingChanges: IncomingChange[];
}

export async function readPurchasing(database: Database, ids: Ids): Promise<Purchasing> {
  const [suppliers, purchaseOrders, lines, arrivals, incomingChanges] = await Promise.all([
    database.query<Supplier>(supplierRows(ids)),
    database.query<Omit<PurchaseOrder, 'lines'>>(orderRows(ids)),
    database.query<PurchaseLine & { orderId: string }>(lineRows(ids)),
    database.query<Arrival>(arrivalRows(ids)),
    database.query<IncomingChange>(incomingChangeRows(ids)),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.orderId);
  return {
    suppliers,
    purchaseOrders: purchaseOrders.map((order) => ({ ...order, lines: linesOf.get(order.id) ?? [] })),
    arrivals,
    incomingChanges,
  };
}

const supplierRows = (ids: Ids) => sql<Supplier>`
  select organization_id as "organizationId", id, archived_at is not null as archived
  from suppliers where organization_id = any(${ids}::uuid[]) order by created_at, id`;

const orderRows = (ids: Ids) => sql<Omit<PurchaseOrder, 'lines'>>`
  select organization_id as "organizationId", id, name, version, status, supplier_id as "supplierId",
    warehouse_id as "warehouseId", subtotal::float8 as subtotal, total_tax::float8 as "totalTax",
    grand_total::float8 as "grandTotal", cancelled_at is not null as cancelled,
    closed_at is not null as closed, archived_at is not null as archived, created_at as "createdAt"
  from purchase_orders where organization_id = any(${ids}::uuid[]) order by created_at, id`;

const lineRows = (ids: Ids) => sql<PurchaseLine & { orderId: string }>`
  select l.purchase_order_id as "orderId", l.id, l.position, l.product_variant_id as "productVariantId",
    v.tracks_inventory and not v.is_bundle as "holdsStock", l.requested_quantity as requested,
    l.received_quantity as received, l.unit_price::float8 as "unitPrice", l.tax_rate::float8 as "taxRate",
    l.subtotal::float8 as subtotal
  from purchase_order_line_items l
  join product_variants v on v.organization_id = any(${ids}::uuid[]) and v.id = l.product_variant_id
  where l.organization_id = any(${ids}::uuid[]) order by l.purchase_order_id, l.position`;

const arrivalRows = (ids: Ids) => sql<Arrival>`
  select r.organization_id as "organizationId", r.id, h.purchase_order_id as "purchaseOrderId",
    h.id as "receiptId", h.reference, r.purchase_order_line_item_id as "lineId", r.quantity,
    r.damaged_quantity as damaged, r.quality_control_quantity as "qualityControl",
    r.warehouse_location_id as "locationId", r.damaged_location_id as "damagedLocationId",
    r.quality_control_location_id as "qualityControlLocationId", r.lot_number as "lotNumber",
    r.expiration_date as "expirationDate"
  from purchase_order_line_item_receipts r
  join purchase_order_receipts h on h.organization_id = any(${ids}::uuid[]) and h.id = r.purchase_order_receipt_id
  where r.organization_id = any(${ids}::uuid[]) order by r.created_at, r.id`;

const incomingChangeRows = (ids: Ids) => sql<IncomingChange>`
  select organization_id as "organizationId", id, warehouse_id as "warehouseId",
    product_variant_id as "productVariantId", purchase_order_line_item_id as "lineId", quantity
  from incoming_changes where organization_id = any(${ids}::uuid[]) order by created_at, id`;
