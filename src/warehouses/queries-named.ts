// How warehouses and locations are found by what people call them.
import { type Executor, sql } from '../database/connect.ts';
import { isId } from '../database/ids.ts';

export interface Named {
  id: string;
  name: string;
}

/** Warehouses in use with one of these names or ids; several may have the same name. */
export function findNamedWarehouses(
  database: Executor,
  organizationId: string,
  named: readonly string[],
): Promise<Named[]> {
  const names = [...new Set(named)];
  return database.query(sql`
    select w.id, w.name from warehouses w
    where w.organization_id = ${organizationId} and w.archived_at is null
      and (w.owner_organization_id = w.organization_id or w.shared_with_children)
      and (w.name = any(${names}::text[]) or w.id = any(${names.filter(isId)}::uuid[]))`);
}

/** Locations of these warehouses with one of these names or ids. */
export function findNamedLocations(
  database: Executor,
  organizationId: string,
  warehouseIds: readonly string[],
  named: readonly string[],
): Promise<(Named & { warehouseId: string })[]> {
  const names = [...new Set(named)];
  return database.query(sql`
    select l.id, l.name, l.warehouse_id as "warehouseId" from warehouse_locations l
    where l.organization_id = ${organizationId} and l.warehouse_id = any(${warehouseIds}::uuid[])
      and l.name = any(${names}::text[])
    union all
    select l.id, l.name, l.warehouse_id from warehouse_locations l
    where l.organization_id = ${organizationId} and l.warehouse_id = any(${warehouseIds}::uuid[])
      and l.id = any(${names.filter(isId)}::uuid[]) and l.name <> all(${names}::text[])`);
}
