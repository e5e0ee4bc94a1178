// SQL that finds out, under lock, whether anything is left in a warehouse or at a location.
import { sql, type Transaction } from '../database/connect.ts';

/**
 * Of these organisations, those that still have units, commitments, expected units, safety stock or open orders
 * pinned there. None can come to have any until the transaction ends.
 */
export async function findWarehouseUsers(
  transaction: Transaction,
  organizationIds: readonly string[],
  warehouseId: string,
): Promise<string[]> {
  transaction.send(sql`
    select l.id from inventory_levels l
    where l.organization_id = any(${organizationIds}::uuid[]) and l.warehouse_id = ${warehouseId}
    order by l.organization_id, l.product_variant_id for update`);
  // New levels, orders and allocations refer to the row, and so wait for this lock.
  transaction.send(sql`
    select w.id from warehouses w
    where w.organization_id = any(${organizationIds}::uuid[]) and w.id = ${warehouseId}
    order by w.organization_id for update`);
  const rows = await transaction.query<{ id: string }>(sql`
    select l.organization_id as id from inventory_levels l
    where l.organization_id = any(${organizationIds}::uuid[]) and l.warehouse_id = ${warehouseId}
      and (l.on_hand_quantity <> 0 or l.committed_quantity <> 0 or l.incoming_quantity <> 0
        or l.safety_stock_quantity <> 0)
    union
    select o.organization_id from orders o
    where o.organization_id = any(${organizationIds}::uuid[]) and o.warehouse_id = ${warehouseId}
      and o.fulfillment_status <> 'fulfilled' and o.cancelled_at is null
    order by 1`);
  return rows.map(({ id }) => id);
}

/** Of these organisations, those that still have units at the location; no more come in until the transaction ends. */
export async function findLocationUsers(
  transaction: Transaction,
  organizationIds: readonly string[],
  locationId: string,
): Promise<string[]> {
  transaction.send(sql`
    select l.id from warehouse_locations l
    where l.organization_id = any(${organizationIds}::uuid[]) and l.id = ${locationId}
    order by l.organization_id for update`);
  const rows = await transaction.query<{ id: string }>(sql`
    select distinct r.organization_id as id from inventory_locations r
    where r.organization_id = any(${organizationIds}::uuid[]) and r.warehouse_location_id = ${locationId}
      and r.quantity > 0
    order by 1`);
  return rows.map(({ id }) => id);
}
