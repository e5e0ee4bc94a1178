// Row -> wire object of purchase orders and receipts, as PostgreSQL builds it.
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, number, time } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';

type Fields = Record<string, Sql<unknown>>;

const summaryFields: Fields = {
  id: column('p.id'),
  organizationId: column('p.organization_id'),
  name: column('p.name'),
  status: column('p.status'),
  supplierId: column('p.supplier_id'),
  warehouseId: column('p.warehouse_id'),
  subtotal: number('p.subtotal'),
  totalTax: number('p.total_tax'),
  grandTotal: number('p.grand_total'),
  currency: column('p.currency'),
  trackingNumber: column('p.tracking_number'),
  referenceNumber: column('p.reference_number'),
  shippingCarrier: column('p.shipping_carrier'),
  expectedDate: time('p.expected_date'),
  createdAt: time('p.created_at'),
  updatedAt: time('p.updated_at'),
  cancelledAt: time('p.cancelled_at'),
  closedAt: time('p.closed_at'),
  archivedAt: time('p.archived_at'),
  tags: column('p.tags'),
  notes: column('p.notes'),
};

const lineFields: Fields = {
  id: column('l.id'),
  productVariantId: column('l.product_variant_id'),
  requestedQuantity: column('l.requested_quantity'),
  receivedQuantity: column('l.received_quantity'),
  unitPrice: number('l.unit_price'),
  subtotal: number('l.subtotal'),
};

function supplierOf(organizations: Organizations, fields: Fields): Sql<unknown> {
  return sql`(select ${jsonObject(fields)} from suppliers s
    where ${owned('s', organizations, 'p')} and s.id = p.supplier_id)`;
}

function warehouseOf(organizations: Organizations, fields: Fields): Sql<unknown> {
  return sql`(select ${jsonObject(fields)} from warehouses w
    where ${owned('w', organizations, 'p')} and w.id = p.warehouse_id)`;
}

function linesOf(organizations: Organizations, fields: Fields): Sql<unknown> {
  return sql`coalesce((
    select json_agg(${jsonObject(fields)} order by l.position)
    from purchase_order_line_items l
    join product_variants v on ${owned('v', organizations, 'p')} and v.id = l.product_variant_id
    where ${owned('l', organizations, 'p')} and l.purchase_order_id = p.id), '[]')`;
}

/** The list's form, over an alias `p`. */
export function purchaseOrderSummaryJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    ...summaryFields,
    supplier: supplierOf(organizations, { id: column('s.id'), name: column('s.name') }),
    warehouse: warehouseOf(organizations, { id: column('w.id'), name: column('w.name') }),
    lineItems: linesOf(organizations, {
      ...lineFields,
      productVariant: jsonObject({ title: column('v.title'), sku: column('v.sku') }),
    }),
  });
}

const lineReceiptFields: Fields = {
  id: column('r.id'),
  purchaseOrderReceiptId: column('r.purchase_order_receipt_id'),
  quantity: column('r.quantity'),
  damagedQuantity: column('r.damaged_quantity'),
  qualityControlQuantity: column('r.quality_control_quantity'),
  warehouseLocationId: column('r.warehouse_location_id'),
  damagedLocationId: column('r.damaged_location_id'),
  qualityControlLocationId: column('r.quality_control_location_id'),
  lotNumber: column('r.lot_number'),
  expirationDate: time('r.expiration_date'),
  createdAt: time('r.created_at'),
};

function receiptFields(organizationId: string): Fields {
  const lineItem = jsonObject({ lineItemId: column('r.purchase_order_line_item_id'), ...lineReceiptFields });
  return {
    id: column('h.id'),
    reference: column('h.reference'),
    receivedAt: time('h.received_at'),
    receivedBy: column('h.received_by'),
    lineItems: sql`coalesce((
      select json_agg(${lineItem} order by r.id) from purchase_order_line_item_receipts r
      where r.organization_id = ${organizationId} and r.purchase_order_receipt_id = h.id), '[]')`,
  };
}

/** Over an alias `h`. */
export function receiptJson(organizationId: string): Sql<unknown> {
  return jsonObject({
    ...receiptFields(organizationId),
    organizationId: column('h.organization_id'),
    purchaseOrderId: column('h.purchase_order_id'),
  });
}

/** The full form, over an alias `p`. */
export function purchaseOrderJson(organizationId: string): Sql<unknown> {
  const product = sql`(
    select ${jsonObject({ name: column('d.name'), brand: column('d.brand'), manufacturer: column('d.manufacturer') })}
    from products d where d.organization_id = ${organizationId} and d.id = v.product_id)`;
  return jsonObject({
    ...summaryFields,
    paymentTerms: column('p.payment_terms'),
    metadata: column('p.metadata'),
    supplier: supplierOf(organizationId, {
      id: column('s.id'),
      name: column('s.name'),
      organizationId: column('s.organization_id'),
      email: column('s.email'),
      phone: column('s.phone'),
      currency: column('s.currency'),
    }),
    warehouse: warehouseOf(organizationId, {
      id: column('w.id'),
      name: column('w.name'),
      organizationId: column('w.owner_organization_id'),
      addressId: column('w.address_id'),
      isThirdParty: column('w.is_third_party'),
      sharedWithChildren: column('w.shared_with_children'),
    }),
    lineItems: linesOf(organizationId, {
      ...lineFields,
      organizationId: column('l.organization_id'),
      supplierProductId: column('l.supplier_product_id'),
      taxRate: number('l.tax_rate'),
      createdAt: time('l.created_at'),
      updatedAt: time('l.updated_at'),
      productVariant: jsonObject({
        id: column('v.id'),
        title: column('v.title'),
        sku: column('v.sku'),
        product,
      }),
      purchaseOrderLineItemReceipts: sql`coalesce((
        select json_agg(${jsonObject(lineReceiptFields)} order by r.id)
        from purchase_order_line_item_receipts r
        where r.organization_id = ${organizationId} and r.purchase_order_line_item_id = l.id), '[]')`,
    }),
    purchaseOrderReceipts: sql`coalesce((
      select json_agg(${jsonObject(receiptFields(organizationId))} order by h.received_at, h.id)
      from purchase_order_receipts h
      where h.organization_id = ${organizationId} and h.purchase_order_id = p.id), '[]')`,
  });
}
