// The checks of a verification: each is one statement, so that it sees one moment however much is being written.
import { type Executor, sql } from '../database/connect.ts';
import { owned } from '../database/tenant.ts';
import { unitClass } from './as-of.ts';
import { type Check, differencesOf, figure } from './verify-figures.ts';
import { incomingChecks } from './verify-incoming.ts';

/** Every location record holds what the ledger brought there, less what it took away. */
const locationsByLedger: Check = (database, organizationId, limit) => {
  const common = { kind: sql`'quantity'`, basis: sql`'ledger'` };
  const ledger = figure({
    ...common,
    variant: 'm.product_variant_id',
    warehouse: 'm.warehouse_id',
    location: 'side.location_id',
    lot: 'm',
    expected: sql`side.units`,
    actual: sql`0`,
  });
  const kept = figure({
    ...common,
    variant: 'il.product_variant_id',
    warehouse: 'il.warehouse_id',
    location: 'il.warehouse_location_id',
    lot: 'il',
    expected: sql`0`,
    actual: sql`il.quantity`,
  });
  const figures = sql`
    select ${ledger}
    from inventory_movements m
    cross join lateral (values
      (m.to_warehouse_location_id, abs(m.quantity)),
      (m.from_warehouse_location_id, -abs(m.quantity))) side (location_id, units)
    where ${owned('m', organizationId)} and side.location_id is not null
    union all
    select ${kept} from inventory_locations il where ${owned('il', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

/**
 * Every level counts the units of its warehouse's records, by what their location is. A lot past its expiry
 * counts as pickable until that was noticed, which the record's flag says.
 */
const levelsByLocations: Check = (database, organizationId, limit) => {
  const units = (kind: string) => sql`case when r.class = ${sql.lit(kind)} then r.quantity else 0 end`;
  const level = {
    basis: sql`'locations'`,
    kind: sql`k.kind`,
    expected: sql`k.expected`,
    actual: sql`k.actual`,
  };
  const figures = sql`
    select ${figure({ ...level, variant: 'r.product_variant_id', warehouse: 'r.warehouse_id' })}
    from (
      select il.product_variant_id, il.warehouse_id, il.quantity,
        ${unitClass('wl.type', 'wl.pickable', sql`il.expired`)} as class
      from inventory_locations il
      join warehouse_locations wl on ${owned('wl', organizationId)} and wl.id = il.warehouse_location_id
      where ${owned('il', organizationId)}
    ) r
    cross join lateral (values
      ('onHandQuantity', r.quantity, 0), ('pickableQuantity', ${units('pickable')}, 0),
      ('reservedQuantity', ${units('reserved')}, 0), ('damagedQuantity', ${units('damaged')}, 0),
      ('qualityControlQuantity', ${units('quality-control')}, 0)) k (kind, expected, actual)
    union all
    select ${figure({ ...level, variant: 'l.product_variant_id', warehouse: 'l.warehouse_id' })}
    from inventory_levels l
    cross join lateral (values
      ('onHandQuantity', 0, l.on_hand_quantity), ('pickableQuantity', 0, l.pickable_quantity),
      ('reservedQuantity', 0, l.reserved_quantity), ('damagedQuantity', 0, l.damaged_quantity),
      ('qualityControlQuantity', 0, l.quality_control_quantity)) k (kind, expected, actual)
    where ${owned('l', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

/** What a level is committed to is what order lines hold of it, and what the history of that adds up to. */
const committedByAllocations: Check = (database, organizationId, limit) => {
  const kind = sql`'committedQuantity'`;
  const allocations = figure({
    kind,
    basis: sql`'allocations'`,
    variant: 'c.product_variant_id',
    warehouse: 'a.warehouse_id',
    expected: sql`a.quantity * c.quantity_per_unit`,
    actual: sql`0`,
  });
  const history = figure({
    kind,
    basis: sql`'allocation-history'`,
    variant: 'h.product_variant_id',
    warehouse: 'h.warehouse_id',
    expected: sql`h.quantity`,
    actual: sql`0`,
  });
  const kept = figure({
    kind,
    basis: sql`b.basis`,
    variant: 'l.product_variant_id',
    warehouse: 'l.warehouse_id',
    expected: sql`0`,
    actual: sql`l.committed_quantity`,
  });
  const figures = sql`
    select ${allocations}
    from order_allocations a
    join order_line_items li on ${owned('li', organizationId)} and li.id = a.order_line_item_id
    cross join lateral (
      select li.product_variant_id, 1 as quantity_per_unit where not li.is_bundle and li.tracks_inventory
      union all
      select lc.product_variant_id, lc.quantity_per_unit from order_line_components lc
      where ${owned('lc', organizationId)} and lc.order_line_item_id = li.id and li.is_bundle
        and lc.tracks_inventory
    ) c
    where ${owned('a', organizationId)} and a.quantity > 0
    union all
    select ${history} from order_allocation_changes h where ${owned('h', organizationId)}
    union all
    select ${kept} from inventory_levels l
    cross join (values ('allocations'), ('allocation-history')) b (basis)
    where ${owned('l', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

/** What a line that takes stock has allocated is what it holds in all warehouses. */
const linesByAllocations: Check = (database, organizationId, limit) => {
  const common = { kind: sql`'quantityAllocated'`, basis: sql`'allocations'` };
  const line = { variant: 'li.product_variant_id', warehouse: 'none.warehouse_id', line: 'li.id' };
  const figures = sql`
    select ${figure({ ...common, ...line, expected: sql`a.quantity`, actual: sql`0` })}
    from order_allocations a
    join order_line_items li on ${owned('li', organizationId)} and li.id = a.order_line_item_id
    cross join (values (null::uuid)) none (warehouse_id)
    where ${owned('a', organizationId)} and a.quantity > 0
    union all
    select ${figure({ ...common, ...line, expected: sql`0`, actual: sql`li.quantity_allocated` })}
    from order_line_items li
    cross join (values (null::uuid)) none (warehouse_id)
    where ${owned('li', organizationId)} and li.quantity_allocated > 0
      and case
        when li.is_bundle then exists (select 1 from order_line_components lc
          where ${owned('lc', organizationId)} and lc.order_line_item_id = li.id and lc.tracks_inventory)
        else li.tracks_inventory
      end`;
  return differencesOf(database, organizationId, figures, limit);
};

/** The last setting is what a level keeps back. */
const safetyStockBySettings: Check = (database, organizationId, limit) => {
  const common = { kind: sql`'safetyStockQuantity'`, basis: sql`'settings'` };
  const setting = figure({
    ...common,
    variant: 's.product_variant_id',
    warehouse: 's.warehouse_id',
    expected: sql`s.safety_stock_quantity`,
    actual: sql`0`,
  });
  const kept = figure({
    ...common,
    variant: 'l.product_variant_id',
    warehouse: 'l.warehouse_id',
    expected: sql`0`,
    actual: sql`l.safety_stock_quantity`,
  });
  const figures = sql`
    select ${setting}
    from (
      select distinct on (g.product_variant_id, g.warehouse_id)
        g.product_variant_id, g.warehouse_id, g.safety_stock_quantity
      from inventory_level_settings g where ${owned('g', organizationId)}
      order by g.product_variant_id, g.warehouse_id, g.created_at desc, g.id desc
    ) s
    union all
    select ${kept} from inventory_levels l where ${owned('l', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

/** A level looks at its lots again no later than the first of them expires. */
const expiriesByLocations: Check = (database, organizationId, limit) => {
  const overlooked = figure({
    kind: sql`'overlookedExpiries'`,
    basis: sql`'locations'`,
    variant: 'il.product_variant_id',
    warehouse: 'il.warehouse_id',
    expected: sql`0`,
    actual: sql`1`,
  });
  const figures = sql`
    select ${overlooked}
    from inventory_locations il
    left join inventory_levels l on ${owned('l', organizationId)}
      and l.product_variant_id = il.product_variant_id and l.warehouse_id = il.warehouse_id
    where ${owned('il', organizationId)} and il.quantity > 0 and not il.expired
      and (l.next_expiration_date <= il.expiration_date) is not true and il.expiration_date is not null`;
  return differencesOf(database, organizationId, figures, limit);
};

export const checks: readonly Check[] = [
  locationsByLedger,
  levelsByLocations,
  expiriesByLocations,
  committedByAllocations,
  linesByAllocations,
  safetyStockBySettings,
  ...incomingChecks,
];

export async function countChecked(
  database: Executor,
  organizationId: string,
): Promise<{ levels: number; locations: number }> {
  const [counted] = await database.query<{ levels: number; locations: number }>(sql`
    select (select count(*) from inventory_levels l where ${owned('l', organizationId)}) as levels,
      (select count(*) from inventory_locations il where ${owned('il', organizationId)}) as locations`);
  return counted!;
}

export async function listOrganizationIds(database: Executor): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`select o.id from organizations o order by o.id`);
  return rows.map((row) => row.id);
}
