// Units that purchase orders bring in: what a level's incoming figure is recomputed from.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';

/** Rows `product_variant_id, warehouse_id, quantity`, one or more a level. */
export function incomingUnits(organizations: Organizations): Sql<unknown> {
  return sql`(
    select l.product_variant_id, p.warehouse_id,
      greatest(l.requested_quantity - l.received_quantity, 0) as quantity
    from purchase_orders p
    join purchase_order_line_items l on ${owned('l', organizations, 'p')} and l.purchase_order_id = p.id
    join product_variants v on ${owned('v', organizations, 'p')} and v.id = l.product_variant_id
      and v.tracks_inventory and not v.is_bundle
    where ${owned('p', organizations)} and p.status in ('confirmed', 'partially-received'))`;
}

/** A row `incoming, changed_at` of what level `l` waited for at a time. */
export function incomingAsOf(organizations: Organizations, at: Sql<unknown>): Sql<unknown> {
  return sql`(
    select coalesce(sum(c.quantity), 0)::int as incoming, max(c.created_at) as changed_at
    from incoming_changes c
    where ${owned('c', organizations, 'l')} and c.product_variant_id = l.product_variant_id
      and c.warehouse_id = l.warehouse_id and c.created_at <= ${at})`;
}
