// Row -> wire object of an order, as PostgreSQL builds it: the full form, and the list's shorter one.
import type { Sql } from '../database/connect.ts';
import { sql } from '../database/connect.ts';
import { column, jsonObject, nothing, number, time } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { lineVariantJson, lineVariantSummaryJson } from '../products/present.ts';
import { shipmentOfReturn, shipmentsOfOrder } from '../shipments/present.ts';

type Fields = Record<string, Sql<unknown>>;

/** Over an alias `o`. */
export function orderJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    ...summaryFields(organizations),
    shipToAddress: column('o.ship_to_address'),
    shipMethod: column('o.ship_method'),
    insuranceRequest: column('o.insurance_request'),
    warehouseId: column('o.warehouse_id'),
    holdReason: column('o.hold_reason'),
    cancelReason: column('o.cancel_reason'),
    metadata: column('o.metadata'),
    lineItems: lineItems(organizations, {
      ...lineFields,
      compareAtPrice: number('l.compare_at_price'),
      currency: column('l.currency'),
      productVariant: lineVariantJson(organizations),
    }),
  });
}

/** The list's form, over an alias `o`. */
export function orderSummaryJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    ...summaryFields(organizations),
    lineItems: lineItems(organizations, {
      ...lineFields,
      productVariant: lineVariantSummaryJson(organizations),
    }),
  });
}

function summaryFields(organizations: Organizations): Fields {
  return {
    id: column('o.id'),
    organizationId: column('o.organization_id'),
    name: column('o.name'),
    alias: column('o.alias'),
    price: number('o.price'),
    compareAtPrice: number('o.compare_at_price'),
    currency: column('o.currency'),
    financialStatus: column('o.financial_status'),
    fulfillmentStatus: column('o.fulfillment_status'),
    orderDate: time('o.order_date'),
    targetDeliveryDate: time('o.target_delivery_date'),
    createdAt: time('o.created_at'),
    updatedAt: time('o.updated_at'),
    archivedAt: time('o.archived_at'),
    cancelledAt: time('o.cancelled_at'),
    readyToShip: column('o.ready_to_ship'),
    customer: customerOfOrder(organizations),
    tags: column('o.tags'),
    notes: column('o.notes'),
    shipments: shipmentsOfOrder(organizations),
    tasks: column('o.tasks'),
    returnOrders: returnOrdersOfOrder(organizations),
  };
}

const lineFields: Fields = {
  id: column('l.id'),
  price: number('l.price'),
  quantity: column('l.quantity'),
  quantityAllocated: column('l.quantity_allocated'),
  quantityBackordered: column('l.quantity_backordered'),
  quantityFulfilled: column('l.quantity_fulfilled'),
  quantityCancelled: column('l.quantity_cancelled'),
};

function lineItems(organizations: Organizations, fields: Fields): Sql<unknown> {
  return sql`coalesce((
    select json_agg(${jsonObject(fields)} order by l.position)
    from order_line_items l
    join product_variants v on ${owned('v', organizations, 'o')} and v.id = l.product_variant_id
    where ${owned('l', organizations, 'o')} and l.order_id = o.id), '[]')`;
}

/** Always an object; without a customer its fields are null. */
function customerOfOrder(organizations: Organizations): Sql<unknown> {
  const fields = (source: (name: string) => Sql<unknown>) =>
    jsonObject(
      Object.fromEntries(['id', 'name', 'email', 'phone', 'company'].map((name) => [name, source(name)])),
    );
  return sql`case when o.customer_id is null then ${fields(() => nothing)} else (
    select ${fields((name) => column(`c.${name}`))} from customers c
    where ${owned('c', organizations, 'o')} and c.id = o.customer_id) end`;
}

function returnOrdersOfOrder(organizations: Organizations): Sql<unknown> {
  const fields = jsonObject({
    id: column('r.id'),
    name: column('r.name'),
    orderId: column('r.order_id'),
    status: column('r.status'),
    reason: column('r.reason'),
    shipment: shipmentOfReturn(organizations),
    createdAt: time('r.created_at'),
    updatedAt: time('r.updated_at'),
  });
  return sql`coalesce((
    select json_agg(${fields} order by r.created_at, r.id) from return_orders r
    where ${owned('r', organizations, 'o')} and r.order_id = o.id), '[]')`;
}
