// SQL of a purchase order's lines, and of what lines refer to.
import { sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';

/** A line as it is written. */
export interface LineRow {
  id: string;
  position: number;
  productVariantId: string;
  supplierProductId: string | null;
  requestedQuantity: number;
  /** Decimal texts. */
  unitPrice: string;
  taxRate: string;
  subtotal: string;
  /** Null for one that is new. */
  createdAt: Date | null;
}

export interface StoredLine extends LineRow {
  receivedQuantity: number;
  /** The variant has stock of its own. */
  holdsStock: boolean;
}

export interface References {
  supplier: { currency: string } | null;
  warehouse: boolean;
  /** Variant -> what this supplier sells it as. */
  supplierProducts: Record<string, string>;
  /** Variant -> its sku, title, barcode and product name, one a line. */
  texts: Record<string, string>;
}

/** What a purchase order refers to, and the texts it is searched by. */
export async function findReferences(
  write: Write,
  references: { supplierId: string; warehouseId: string; variantIds: readonly string[] },
): Promise<References> {
  const { organizationId } = write.scope;
  const { supplierId, warehouseId, variantIds } = references;
  const [row] = await write.transaction.query<References>(sql`
    select
      (select json_build_object('currency', s.currency) from suppliers s
        where s.organization_id = ${organizationId} and s.id = ${supplierId} and s.archived_at is null) as supplier,
      exists (select 1 from warehouses w
        where w.organization_id = ${organizationId} and w.id = ${warehouseId} and w.archived_at is null) as warehouse,
      coalesce((select json_object_agg(x.product_variant_id, x.id) from supplier_products x
        where x.organization_id = ${organizationId} and x.supplier_id = ${supplierId}
          and x.product_variant_id = any(${variantIds}::uuid[])), '{}') as "supplierProducts",
      coalesce((select json_object_agg(v.id, v.search_text) from product_variants v
        where v.organization_id = ${organizationId} and v.id = any(${variantIds}::uuid[])), '{}') as texts`);
  return row!;
}

/** Takes away the lines of an order that nothing was received for. */
export function deleteLines(write: Write, purchaseOrderId: string): void {
  write.transaction.send(sql`
    delete from purchase_order_line_items
    where organization_id = ${write.scope.organizationId} and purchase_order_id = ${purchaseOrderId}`);
}

export function insertLines(write: Write, purchaseOrderId: string, lines: readonly LineRow[]): void {
  const all = <T>(pick: (line: LineRow) => T): T[] => lines.map(pick);
  write.transaction.send(sql`
    insert into purchase_order_line_items (organization_id, purchase_order_id, updated_at, id, position,
      product_variant_id, supplier_product_id, requested_quantity, unit_price, tax_rate, subtotal, created_at)
    select ${write.scope.organizationId}, ${purchaseOrderId}, ${write.now}, l.*
    from unnest(${all((l) => l.id)}::uuid[], ${all((l) => l.position)}::int[],
      ${all((l) => l.productVariantId)}::uuid[], ${all((l) => l.supplierProductId)}::uuid[],
      ${all((l) => l.requestedQuantity)}::int[], ${all((l) => l.unitPrice)}::numeric[],
      ${all((l) => l.taxRate)}::numeric[], ${all((l) => l.subtotal)}::numeric[],
      ${all((l) => l.createdAt ?? write.now)}::timestamptz[]) l`);
}

/**
 * The lines under their order's lock. Their variants are held too: none begins or ceases to hold stock until the
 * transaction ends, so that what is incoming cannot change its meaning meanwhile.
 */
export async function readLines(write: Write, purchaseOrderId: string): Promise<StoredLine[]> {
  const { organizationId } = write.scope;
  return write.transaction.query<StoredLine>(sql`
    select l.id, l.position, l.product_variant_id as "productVariantId",
      l.supplier_product_id as "supplierProductId", l.requested_quantity as "requestedQuantity",
      l.unit_price as "unitPrice", l.tax_rate as "taxRate", l.subtotal, l.created_at as "createdAt",
      l.received_quantity as "receivedQuantity", v.tracks_inventory and not v.is_bundle as "holdsStock"
    from purchase_order_line_items l
    join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
    where l.organization_id = ${organizationId} and l.purchase_order_id = ${purchaseOrderId}
    order by l.position
    for key share of v`);
}
