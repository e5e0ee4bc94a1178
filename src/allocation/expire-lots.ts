// Takes lots whose expiry has come out of the pickable units of levels that are under lock.

import { sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import type { Level, Levels } from './levels.ts';

/** Levels with a lot that has expired since it was last looked at; done in every allocation and stock change. */
export async function expireLots(write: Write, levels: Levels): Promise<void> {
  const due = levels
    .all()
    .filter((level) => level.nextExpirationDate !== null && level.nextExpirationDate <= write.now);
  if (due.length === 0) return;
  const { organizationId } = write.scope;
  const variantIds = due.map((level) => level.productVariantId);
  const warehouseIds = due.map((level) => level.warehouseId);
  const expired = await write.transaction.query<{
    productVariantId: string;
    warehouseId: string;
    quantity: number;
  }>(
    sql`
      with expired as (
        update inventory_locations r set expired = true, updated_at = ${write.now}
        from unnest(${variantIds}::uuid[], ${warehouseIds}::uuid[]) d (variant_id, warehouse_id)
        where r.organization_id = ${organizationId} and r.product_variant_id = d.variant_id
          and r.warehouse_id = d.warehouse_id and not r.expired and r.expiration_date <= ${write.now}
        returning r.product_variant_id, r.warehouse_id, r.warehouse_location_id, r.quantity
      )
      select e.product_variant_id as "productVariantId", e.warehouse_id as "warehouseId", sum(e.quantity) as quantity
      from expired e
      join warehouse_locations l on l.organization_id = ${organizationId} and l.id = e.warehouse_location_id
      where l.pickable and l.type not in ('damaged', 'quality-control')
      group by 1, 2`,
  );
  for (const { productVariantId, warehouseId, quantity } of expired) {
    const level = levels.get(productVariantId, warehouseId)!;
    level.pickable -= quantity;
    level.reserved += quantity;
  }
  await readNextExpirations(write, levels, due);
}

async function readNextExpirations(write: Write, levels: Levels, due: readonly Level[]): Promise<void> {
  for (const level of due) level.nextExpirationDate = null;
  const rows = await write.transaction.query<{
    productVariantId: string;
    warehouseId: string;
    next: Date;
  }>(sql`
    select r.product_variant_id as "productVariantId", r.warehouse_id as "warehouseId", min(r.expiration_date) as next
    from unnest(${due.map((level) => level.productVariantId)}::uuid[],
      ${due.map((level) => level.warehouseId)}::uuid[]) d (variant_id, warehouse_id)
    join inventory_locations r on r.organization_id = ${write.scope.organizationId}
      and r.product_variant_id = d.variant_id and r.warehouse_id = d.warehouse_id
    where r.quantity > 0 and not r.expired and r.expiration_date is not null
    group by 1, 2`);
  for (const { productVariantId, warehouseId, next } of rows) {
    levels.get(productVariantId, warehouseId)!.nextExpirationDate = next;
  }
}
