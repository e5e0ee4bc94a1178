// The warehouses that an order may take stock from.
import { sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import type { Sources } from './allocate.ts';

/**
 * The unarchived warehouses, by priority, or of them the one that the order is pinned to; and whether the
 * organisation wants one warehouse per order. Read them once levels are held: those cannot be archived any more.
 */
export async function readSources(write: Write, pinnedWarehouseId: string | null): Promise<Sources> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<{ id: string; whole: boolean }>(sql`
    select w.id, o.allocation = 'whole' as whole
    from warehouses w join organizations o on o.id = ${organizationId}
    where w.organization_id = ${organizationId} and w.archived_at is null
      and (${pinnedWarehouseId}::uuid is null or w.id = ${pinnedWarehouseId})
    order by w.priority, w.created_at, w.id`);
  return { warehouseIds: rows.map((row) => row.id), whole: rows[0]?.whole ?? false };
}

/**
 * Holds a warehouse that an order is to be pinned to, or that is to keep stock back, against being archived or taken
 * away; false where that has happened. Hold levels first, as archiving does.
 */
export async function holdUnarchived(write: Write, warehouseId: string): Promise<boolean> {
  const rows = await write.transaction.query(sql`
    select w.id from warehouses w
    where w.organization_id = ${write.scope.organizationId} and w.id = ${warehouseId} and w.archived_at is null
    for key share`);
  return rows.length > 0;
}
