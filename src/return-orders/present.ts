// Row -> wire object of a return order, as PostgreSQL builds it.
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { lineVariantSummaryJson } from '../products/present.ts';
import { shipmentOfReturn } from '../shipments/present.ts';

/** Over an alias `r`. */
export function returnOrderJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    id: column('r.id'),
    organizationId: column('r.organization_id'),
    name: column('r.name'),
    orderId: column('r.order_id'),
    order: sql`(
      select json_build_object('id', o.id, 'name', o.name) from orders o
      where ${owned('o', organizations, 'r')} and o.id = r.order_id)`,
    status: column('r.status'),
    reason: column('r.reason'),
    lineItems: lineItems(organizations),
    shipment: shipmentOfReturn(organizations),
    label: column('r.label'),
    labelFailure: column('r.label_failure'),
    metadata: column('r.metadata'),
    createdAt: time('r.created_at'),
    updatedAt: time('r.updated_at'),
  });
}

function lineItems(organizations: Organizations): Sql<unknown> {
  const fields = jsonObject({
    id: column('l.id'),
    orderLineItemId: column('l.order_line_item_id'),
    quantity: column('l.quantity'),
    quantityReceived: column('l.quantity_received'),
    disposition: column('came.disposition'),
    dispositions: column('came.dispositions'),
    productVariant: lineVariantSummaryJson(organizations),
  });
  return sql`coalesce((
    select json_agg(${fields} order by l.position)
    from return_order_line_items l
    join product_variants v on ${owned('v', organizations, 'r')} and v.id = l.product_variant_id
    cross join lateral (${dispositions(organizations)}) came
    where ${owned('l', organizations, 'r')} and l.return_order_id = r.id), '[]')`;
}

/** What came back of a line `l`, by what became of it and where, in the order in which it came. */
function dispositions(organizations: Organizations): Sql<unknown> {
  return sql`
    select case when min(d.disposition) = max(d.disposition) then min(d.disposition) end as disposition,
      coalesce(json_agg(json_build_object('disposition', d.disposition, 'quantity', d.quantity,
        'warehouseLocationId', d.warehouse_location_id)
        order by d.first_at, d.disposition, d.warehouse_location_id), '[]') as dispositions
    from (
      select t.disposition, t.warehouse_location_id, sum(t.quantity) as quantity, min(t.created_at) as first_at
      from return_order_receipts t
      where ${owned('t', organizations, 'r')} and t.return_order_line_item_id = l.id
      group by t.disposition, t.warehouse_location_id
    ) d`;
}
