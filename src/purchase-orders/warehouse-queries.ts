// SQL about the warehouse that a purchase order is for.
import { sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';

/** Whether the order's warehouse still takes stock; held so until the transaction ends. */
export async function takesStock(write: Write, purchaseOrderId: string): Promise<boolean> {
  const { organizationId } = write.scope;
  const [row] = await write.transaction.query<{ archived: boolean }>(sql`
    select w.archived_at is not null as archived
    from purchase_orders p
    join warehouses w on w.organization_id = ${organizationId} and w.id = p.warehouse_id
    where p.organization_id = ${organizationId} and p.id = ${purchaseOrderId}
    for share of w`);
  return row?.archived === false;
}

/** The warehouse's locations that units go to when a receipt names none, by name. */
export async function findStandardLocations(write: Write, warehouseId: string): Promise<Map<string, string>> {
  const rows = await write.transaction.query<{ name: string; id: string }>(sql`
    select name, id from warehouse_locations
    where organization_id = ${write.scope.organizationId} and warehouse_id = ${warehouseId}
      and name in ('RECEIVING', 'DAMAGED', 'QC')`);
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Which of these are locations of the warehouse, with their types. */
export async function findLocationTypes(
  write: Write,
  warehouseId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await write.transaction.query<{ id: string; type: string }>(sql`
    select id, type from warehouse_locations
    where organization_id = ${write.scope.organizationId} and warehouse_id = ${warehouseId}
      and id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, type }) => [id, type]));
}
