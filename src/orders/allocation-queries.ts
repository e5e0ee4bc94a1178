// Which stock an order holds, where to pick it, and why other stock was not taken.
import { type Executor, sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';

/** The units of each line's variants by order line: one row per (line, variant that holds stock). */
function requirements(organizationId: string, orderId: string) {
  return sql`
    select l.id as line_id, l.position, l.quantity, l.quantity_allocated, l.product_variant_id as variant_id,
      1 as per_unit
    from order_line_items l
    where l.organization_id = ${organizationId} and l.order_id = ${orderId} and l.tracks_inventory
      and not l.is_bundle
    union all
    select l.id, l.position, l.quantity, l.quantity_allocated, c.product_variant_id, c.quantity_per_unit
    from order_line_items l
    join order_line_components c on c.organization_id = ${organizationId} and c.order_line_item_id = l.id
    where l.organization_id = ${organizationId} and l.order_id = ${orderId} and c.tracks_inventory`;
}

/** Allocations with the bins that hold pickable units, in the order of a walk. Undefined without such an order. */
export async function findAllocations(
  database: Executor,
  organizationId: string,
  orderId: string,
): Promise<string | undefined> {
  const bin = jsonObject({
    warehouseLocationId: column('b.id'),
    name: column('b.name'),
    sequence: column('b.sequence'),
    lotNumber: column('i.lot_number'),
    expirationDate: time('i.expiration_date'),
    quantity: column('i.quantity'),
  });
  const allocation = jsonObject({
    lineItemId: column('r.line_id'),
    productVariantId: column('r.variant_id'),
    sku: column('v.sku'),
    warehouseId: column('w.id'),
    warehouseName: column('w.name'),
    quantity: sql`a.quantity * r.per_unit`,
    bins: sql`coalesce((
      select json_agg(${bin} order by b.sequence, b.name, i.stocked_at, i.id)
      from inventory_locations i
      join warehouse_locations b on b.organization_id = ${organizationId} and b.id = i.warehouse_location_id
      where i.organization_id = ${organizationId} and i.product_variant_id = r.variant_id
        and i.warehouse_id = a.warehouse_id and i.quantity > 0 and not i.expired and b.pickable), '[]')`,
  });
  const [row] = await database.query<{ json: string }>(sql`
    select coalesce((
      select json_agg(${allocation} order by r.position, w.priority, w.id, r.variant_id)
      from (${requirements(organizationId, orderId)}) r
      join order_allocations a on a.organization_id = ${organizationId} and a.order_line_item_id = r.line_id
        and a.quantity > 0
      join warehouses w on w.organization_id = ${organizationId} and w.id = a.warehouse_id
      join product_variants v on v.organization_id = ${organizationId} and v.id = r.variant_id), '[]')::text as json
    from orders o where o.organization_id = ${organizationId} and o.id = ${orderId}`);
  return row?.json;
}

/** Per line and variant: every warehouse, what it has now, and why it gave what it gave. */
export async function explainAllocations(
  database: Executor,
  organizationId: string,
  orderId: string,
): Promise<string> {
  const warehouse = jsonObject({
    warehouseId: column('x.id'),
    warehouseName: column('x.name'),
    quantityTaken: column('x.taken'),
    availableQuantity: column('x.available'),
    pickableQuantity: column('x.pickable'),
    committedQuantity: column('x.committed'),
    safetyStockQuantity: column('x.safety'),
    unpickableQuantity: column('x.unpickable'),
    reason: column('x.reason'),
    message: sql`case x.reason
      when 'available' then 'Stock was taken here'
      when 'archived-warehouse' then 'The warehouse is archived'
      when 'pinned-elsewhere' then 'The order is pinned to another warehouse'
      when 'other-warehouse' then 'Another warehouse served the line'
      when 'committed-to-others' then 'What is pickable is committed to other orders or kept as safety stock'
      else 'No pickable units' end`,
  });
  const explanation = jsonObject({
    lineItemId: column('r.line_id'),
    productVariantId: column('r.variant_id'),
    sku: column('v.sku'),
    quantityWanted: sql`r.quantity * r.per_unit`,
    quantityAllocated: sql`r.quantity_allocated * r.per_unit`,
    warehouses: sql`coalesce((
      select json_agg(${warehouse} order by x.priority, x.id)
      from (
        select w.id, w.name, w.priority, coalesce(a.quantity, 0) * r.per_unit as taken,
          coalesce(s.available_quantity, 0) as available, coalesce(s.pickable_quantity, 0) as pickable,
          coalesce(s.committed_quantity, 0) as committed, coalesce(s.safety_stock_quantity, 0) as safety,
          coalesce(s.on_hand_quantity - s.pickable_quantity, 0) as unpickable,
          case
            when coalesce(a.quantity, 0) > 0 then 'available'
            when w.archived_at is not null then 'archived-warehouse'
            when o.warehouse_id is not null and o.warehouse_id <> w.id then 'pinned-elsewhere'
            when coalesce(s.available_quantity, 0) > 0 then 'other-warehouse'
            when coalesce(s.pickable_quantity, 0) > 0 then 'committed-to-others'
            else 'no-stock'
          end as reason
        from warehouses w
        left join inventory_levels s on s.organization_id = ${organizationId} and s.warehouse_id = w.id
          and s.product_variant_id = r.variant_id
        left join order_allocations a on a.organization_id = ${organizationId} and a.warehouse_id = w.id
          and a.order_line_item_id = r.line_id
        where w.organization_id = ${organizationId}) x), '[]')`,
  });
  const [row] = await database.query<{ json: string }>(sql`
    select coalesce(json_agg(${explanation} order by r.position, r.variant_id), '[]')::text as json
    from (${requirements(organizationId, orderId)}) r
    join orders o on o.organization_id = ${organizationId} and o.id = ${orderId}
    join product_variants v on v.organization_id = ${organizationId} and v.id = r.variant_id`);
  return row!.json;
}
