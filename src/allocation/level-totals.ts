// How many levels there are in each warehouse: counted as they are made, so that a list of millions need not count them.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';

/** Counts new levels in one of a few rows of their warehouse; whoever else counts in it waits for the commit alone. */
export function addToLevelTotals(write: Write, made: readonly { warehouseId: string }[]): void {
  if (made.length === 0) return;
  const warehouseIds = made.map(({ warehouseId }) => warehouseId);
  write.transaction.sendLast(sql`
    insert into inventory_level_totals as t (organization_id, warehouse_id, slot, levels)
    select ${write.scope.organizationId}, m.warehouse_id, pg_backend_pid() % ${sql.lit(limits.totalSlots)}, count(*)
    from unnest(${warehouseIds}::uuid[]) m (warehouse_id)
    group by m.warehouse_id order by m.warehouse_id
    on conflict (organization_id, warehouse_id, slot) do update set levels = t.levels + excluded.levels`);
}

/** All levels, or those of one warehouse. */
export function countLevels(
  organizations: Organizations,
  warehouseId: string | undefined,
): Sql<{ count: number }> {
  const where = [owned('t', organizations)];
  if (warehouseId !== undefined) where.push(sql`t.warehouse_id = ${warehouseId}`);
  return sql`select coalesce(sum(t.levels), 0)::bigint as count from inventory_level_totals t
    where ${sql.join(where, sql` and `)}`;
}

/** What a verification compares: rows `counted, expected, actual`. */
export function levelCountFigures(organizationId: string): Sql<unknown> {
  return sql`
    select 'inventory-level warehouse ' || l.warehouse_id as counted, 1 as expected, 0 as actual
    from inventory_levels l where l.organization_id = ${organizationId}
    union all
    select 'inventory-level warehouse ' || t.warehouse_id, 0, t.levels
    from inventory_level_totals t where t.organization_id = ${organizationId}`;
}
