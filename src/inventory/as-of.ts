// Levels as they were: every figure of a level at a past time, from the ledger and the dated histories beside it.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { incomingAsOf } from './incoming.ts';

/**
 * What units at a location `type` / `pickable` count as. The kept balances, the ledger's past and the
 * verification all go by this one expression.
 */
export function unitClass(type: string, pickable: string, expired: Sql<unknown>): Sql<unknown> {
  return sql`case
    when ${sql.ref(type)} = 'damaged' then 'damaged'
    when ${sql.ref(type)} = 'quality-control' then 'quality-control'
    when ${sql.ref(pickable)} and not ${expired} then 'pickable'
    else 'reserved'
  end`;
}

/**
 * A row of the figures that level `l` had at `time`. Units come from the ledger, by what their location was then;
 * a lot that had expired by then counts as reserved from that moment, however late the job noticed it.
 */
export function figuresAsOf(organizations: Organizations, time: Date): Sql<unknown> {
  const at = sql`${time}::timestamptz`;
  return sql`(
    select u.on_hand as on_hand_quantity, u.reserved as reserved_quantity, u.damaged as damaged_quantity,
      u.quality_control as quality_control_quantity, c.committed as committed_quantity,
      i.incoming as incoming_quantity, s.safety_stock as safety_stock_quantity,
      u.pickable - c.committed - s.safety_stock as available_quantity,
      greatest(l.created_at, u.changed_at, c.changed_at, s.changed_at, i.changed_at) as updated_at
    from ${unitsAsOf(organizations, at)} u, ${committedAsOf(organizations, at)} c,
      ${safetyStockAsOf(organizations, at)} s, ${incomingAsOf(organizations, at)} i)`;
}

function unitsAsOf(organizations: Organizations, at: Sql<unknown>): Sql<unknown> {
  const sum = (kind: string) =>
    sql`coalesce(sum(placed.units) filter (where placed.class = ${sql.lit(kind)}), 0)`;
  return sql`(
    select coalesce(sum(placed.units), 0) as on_hand, ${sum('pickable')} as pickable,
      ${sum('reserved')} as reserved, ${sum('damaged')} as damaged, ${sum('quality-control')} as quality_control,
      max(placed.changed_at) as changed_at
    from (
      select lots.units, lots.changed_at,
        ${unitClass('place.type', 'place.pickable', sql`coalesce(lots.expiration_date <= ${at}, false)`)} as class
      from (
        select side.location_id, m.expiration_date, sum(side.units) as units, max(m.created_at) as changed_at
        from inventory_movements m
        cross join lateral (values
          (m.to_warehouse_location_id, abs(m.quantity)),
          (m.from_warehouse_location_id, -abs(m.quantity))) side (location_id, units)
        where ${owned('m', organizations, 'l')} and m.product_variant_id = l.product_variant_id
          and m.warehouse_id = l.warehouse_id and m.created_at <= ${at} and side.location_id is not null
        group by side.location_id, m.expiration_date
      ) lots
      cross join lateral ${locationAsOf(organizations, at)} place
    ) placed)`;
}

/** What location `lots.location_id` was; one without a history that old was always what it is. */
function locationAsOf(organizations: Organizations, at: Sql<unknown>): Sql<unknown> {
  return sql`(
    select coalesce(h.type, wl.type) as type, coalesce(h.pickable, wl.pickable) as pickable
    from warehouse_locations wl
    left join lateral (
      select h.type, h.pickable from warehouse_location_history h
      where ${owned('h', organizations, 'wl')} and h.warehouse_location_id = wl.id and h.created_at <= ${at}
      order by h.created_at desc, h.id desc limit 1
    ) h on true
    where ${owned('wl', organizations, 'l')} and wl.id = lots.location_id)`;
}

function committedAsOf(organizations: Organizations, at: Sql<unknown>): Sql<unknown> {
  return sql`(
    select coalesce(sum(a.quantity), 0) as committed, max(a.created_at) as changed_at
    from order_allocation_changes a
    where ${owned('a', organizations, 'l')} and a.product_variant_id = l.product_variant_id
      and a.warehouse_id = l.warehouse_id and a.created_at <= ${at})`;
}

function safetyStockAsOf(organizations: Organizations, at: Sql<unknown>): Sql<unknown> {
  return sql`(
    select coalesce((array_agg(g.safety_stock_quantity order by g.created_at desc, g.id desc))[1], 0)
      as safety_stock, max(g.created_at) as changed_at
    from inventory_level_settings g
    where ${owned('g', organizations, 'l')} and g.product_variant_id = l.product_variant_id
      and g.warehouse_id = l.warehouse_id and g.created_at <= ${at})`;
}
