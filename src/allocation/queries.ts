// SQL of allocations: who holds stock, who waits for it, and the writes that move units between the two.
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import type { Requirement } from './allocate.ts';
import type { VariantInWarehouse } from './levels.ts';

/** A line's units gained (positive) or given back (negative) at one warehouse. */
export interface AllocationChange {
  orderId: string;
  orderLineItemId: string;
  requirements: readonly Requirement[];
  warehouseId: string;
  quantity: number;
  reason: 'allocated' | 'released' | 'fulfilled' | 'oversold';
}

/** Moves the balance per line and warehouse, and appends its history per variant that holds stock. */
export function storeAllocations(write: Write, changes: readonly AllocationChange[]): void {
  if (changes.length === 0) return;
  const { organizationId } = write.scope;
  const sorted = [...changes].sort((a, b) =>
    a.orderLineItemId + a.warehouseId < b.orderLineItemId + b.warehouseId ? -1 : 1,
  );
  // A row that is proposed for insertion must satisfy the check even where it only updates; hence the two halves.
  const gained = sorted.filter(({ quantity }) => quantity > 0);
  if (gained.length > 0) {
    write.transaction.send(sql`
      insert into order_allocations as a
        (organization_id, order_line_item_id, warehouse_id, order_id, quantity)
      select ${organizationId}, c.line_id, c.warehouse_id, c.order_id, c.quantity
      from unnest(${gained.map((c) => c.orderLineItemId)}::uuid[], ${gained.map((c) => c.warehouseId)}::uuid[],
        ${gained.map((c) => c.orderId)}::uuid[], ${gained.map((c) => c.quantity)}::int[])
        c (line_id, warehouse_id, order_id, quantity)
      on conflict (organization_id, order_line_item_id, warehouse_id)
      do update set quantity = a.quantity + excluded.quantity`);
  }
  const lost = sorted.filter(({ quantity }) => quantity < 0);
  if (lost.length > 0) {
    write.transaction.send(sql`
      update order_allocations a set quantity = a.quantity + c.quantity
      from unnest(${lost.map((c) => c.orderLineItemId)}::uuid[], ${lost.map((c) => c.warehouseId)}::uuid[],
        ${lost.map((c) => c.quantity)}::int[]) c (line_id, warehouse_id, quantity)
      where a.organization_id = ${organizationId} and a.order_line_item_id = c.line_id
        and a.warehouse_id = c.warehouse_id`);
  }
  const units = sorted.flatMap((change) =>
    change.requirements.map(({ productVariantId, quantityPerUnit }) => ({
      ...change,
      productVariantId,
      quantity: change.quantity * quantityPerUnit,
    })),
  );
  write.transaction.send(sql`
    insert into order_allocation_changes (organization_id, id, order_id, order_line_item_id, warehouse_id,
      product_variant_id, quantity, reason, created_at)
    select ${organizationId}, c.id, c.order_id, c.line_id, c.warehouse_id, c.variant_id, c.quantity, c.reason,
      ${write.now}
    from unnest(${units.map(() => newId())}::uuid[], ${units.map((u) => u.orderId)}::uuid[],
      ${units.map((u) => u.orderLineItemId)}::uuid[], ${units.map((u) => u.warehouseId)}::uuid[],
      ${units.map((u) => u.productVariantId)}::uuid[], ${units.map((u) => u.quantity)}::int[],
      ${units.map((u) => u.reason)}::text[])
      c (id, order_id, line_id, warehouse_id, variant_id, quantity, reason)`);
}

/** Adds to a line's units. */
export interface LineChange {
  orderLineItemId: string;
  quantity?: number;
  allocated?: number;
  backordered?: number;
  fulfilled?: number;
  cancelled?: number;
}

export function storeLineQuantities(write: Write, changes: readonly LineChange[]): void {
  if (changes.length === 0) return;
  const all = (name: Exclude<keyof LineChange, 'orderLineItemId'>) => changes.map((c) => c[name] ?? 0);
  write.transaction.send(sql`
    update order_line_items l set
      quantity = l.quantity + c.quantity,
      quantity_allocated = l.quantity_allocated + c.allocated,
      quantity_backordered = l.quantity_backordered + c.backordered,
      quantity_fulfilled = l.quantity_fulfilled + c.fulfilled,
      quantity_cancelled = l.quantity_cancelled + c.cancelled
    from unnest(${changes.map((c) => c.orderLineItemId)}::uuid[], ${all('quantity')}::int[],
      ${all('allocated')}::int[], ${all('backordered')}::int[], ${all('fulfilled')}::int[],
      ${all('cancelled')}::int[]) c (id, quantity, allocated, backordered, fulfilled, cancelled)
    where l.organization_id = ${write.scope.organizationId} and l.id = c.id`);
}

/** Sets what is derived from the lines, and the version, of orders whose lines have just changed. */
export function touchOrders(write: Write, orderIds: readonly string[]): void {
  if (orderIds.length === 0) return;
  const { organizationId } = write.scope;
  write.transaction.send(sql`
    update orders o set version = o.version + 1, updated_at = ${write.now},
      ready_to_ship = o.fulfillment_status in ('open', 'confirmed') and o.cancelled_at is null and coalesce((
        select bool_and(l.quantity_allocated + l.quantity_fulfilled + l.quantity_cancelled = l.quantity)
        from order_line_items l
        where l.organization_id = ${organizationId} and l.order_id = o.id), false)
    where o.organization_id = ${organizationId} and o.id = any(${orderIds}::uuid[])`);
}

/** An open line with what it needs; read under its order's lock. */
export interface OpenLine {
  orderId: string;
  orderLineItemId: string;
  productVariantId: string;
  orderDate: Date;
  /** The order's pin. */
  pinnedWarehouseId: string | null;
  quantityAllocated: number;
  quantityBackordered: number;
  /** The order is in a state in which it takes stock. */
  takesStock: boolean;
  requirements: Requirement[];
}

/** Levels that are held; `available` as it is now and not yet stored. */
export type Supply = readonly (VariantInWarehouse & { available: number })[];

/**
 * Lines that wait for a level that has risen, directly or through a bundle, and that can have a unit of it: earliest order
 * date first. A bundle that lacks another component is not among them, or a hundred such would hold up all behind them.
 * As in allocate.ts, the first warehouse that is asked gives what a policy of `continue` allows.
 */
export async function findFillableLines(
  write: Write,
  risen: Supply,
  held: Supply,
  limit: number,
): Promise<{ orderId: string; orderLineItemId: string }[]> {
  const { organizationId } = write.scope;
  const variantIds = [...new Set(risen.map(({ productVariantId }) => productVariantId))];
  const availables = Object.fromEntries(
    held.map((one) => [`${one.productVariantId} ${one.warehouseId}`, one.available]),
  );
  const line = sql`l.id, l.order_id, l.order_date, l.position`;
  const takesStock = sql`o.fulfillment_status in ('open', 'confirmed', 'partially-fulfilled')
    and o.cancelled_at is null`;
  return write.transaction.query(sql`
    with asked as (
      select w.id, row_number() over (order by w.priority, w.created_at, w.id) as n from warehouses w
      where w.organization_id = ${organizationId} and w.archived_at is null
        and w.id = any(${risen.map((r) => r.warehouseId)}::uuid[])
    ), risen as (
      select r.* from asked a
      join unnest(${risen.map((r) => r.productVariantId)}::uuid[], ${risen.map((r) => r.warehouseId)}::uuid[])
        r (product_variant_id, warehouse_id) on r.warehouse_id = a.id
    ), plain as (
      select first.* from unnest(${variantIds}::uuid[]) v (id)
      cross join lateral (
        select ${line} from order_line_items l
        join orders o on o.organization_id = ${organizationId} and o.id = l.order_id and ${takesStock}
        where l.organization_id = ${organizationId} and l.product_variant_id = v.id and not l.is_bundle
          and l.quantity_backordered > 0
          and (o.warehouse_id is null and v.id in (select r.product_variant_id from risen r)
            or (v.id, o.warehouse_id) in (select r.product_variant_id, r.warehouse_id from risen r))
        order by l.order_date, l.order_id, l.position limit ${limit}) first
    ), bundles as (
      select ${line} from order_line_items l
      join orders o on o.organization_id = ${organizationId} and o.id = l.order_id and ${takesStock}
      join asked a on o.warehouse_id is null or o.warehouse_id = a.id
      join order_line_components c on c.organization_id = ${organizationId} and c.order_line_item_id = l.id
        and c.tracks_inventory
      join product_variants v on v.organization_id = ${organizationId} and v.id = c.product_variant_id
      left join inventory_levels i on i.organization_id = ${organizationId}
        and i.product_variant_id = c.product_variant_id and i.warehouse_id = a.id
      where l.organization_id = ${organizationId} and l.is_bundle and l.quantity_backordered > 0
        and exists (select 1 from order_line_components own
          where own.organization_id = ${organizationId} and own.order_line_item_id = l.id
            and own.product_variant_id = any(${variantIds}::uuid[]))
      group by ${line}, a.id, a.n, o.warehouse_id
      having bool_and(coalesce(
        coalesce((${JSON.stringify(availables)}::jsonb ->> concat(c.product_variant_id, ' ', a.id))::int,
          i.available_quantity) >= c.quantity_per_unit
        or v.inventory_policy = 'continue' and i.id is not null and (a.n = 1 or o.warehouse_id is not null), false))
    )
    select l.order_id as "orderId", l.id as "orderLineItemId"
    from (select * from plain union select * from bundles) l
    order by l.order_date, l.order_id, l.position
    limit ${limit}`);
}

/** The latest lines, by order date, that together hold at least `units` of this level, directly or in bundles. */
export async function findHoldingLines(
  write: Write,
  level: { productVariantId: string; warehouseId: string },
  units: number,
): Promise<{ orderLineItemId: string; quantity: number }[]> {
  const { organizationId } = write.scope;
  return write.transaction.query(sql`
    select id as "orderLineItemId", quantity from (
      select l.id, a.quantity, row_number() over latest as n, sum(a.quantity) over latest - a.quantity as later
      from order_line_items l
      join order_allocations a on a.organization_id = ${organizationId} and a.order_line_item_id = l.id
        and a.warehouse_id = ${level.warehouseId} and a.quantity > 0
      where l.organization_id = ${organizationId} and l.quantity_allocated > 0
        and (l.product_variant_id = ${level.productVariantId} or l.is_bundle and exists (
          select 1 from order_line_components c
          where c.organization_id = ${organizationId} and c.order_line_item_id = l.id
            and c.product_variant_id = ${level.productVariantId}))
      window latest as (order by l.order_date desc, l.order_id desc, l.position desc)
    ) holding
    where later < ${units}
    order by n`);
}

/** Locks orders in the order of their ids. */
export async function lockOrders(write: Write, orderIds: readonly string[]): Promise<void> {
  await write.transaction.query(sql`
    select id from orders
    where organization_id = ${write.scope.organizationId} and id = any(${orderIds}::uuid[])
    order by id for update`);
}

/** These lines as they are now, earliest order date first. */
export async function readOpenLines(write: Write, lineIds: readonly string[]): Promise<OpenLine[]> {
  const { organizationId } = write.scope;
  return write.transaction.query(sql`
    select l.order_id as "orderId", l.id as "orderLineItemId", l.product_variant_id as "productVariantId",
      l.order_date as "orderDate", o.warehouse_id as "pinnedWarehouseId",
      l.quantity_allocated as "quantityAllocated", l.quantity_backordered as "quantityBackordered",
      o.fulfillment_status in ('open', 'confirmed', 'partially-fulfilled') and o.cancelled_at is null
        and o.financial_status not in ('voided', 'expired') as "takesStock",
      case
        when l.is_bundle then coalesce((
          select json_agg(json_build_object('productVariantId', c.product_variant_id,
            'quantityPerUnit', c.quantity_per_unit))
          from order_line_components c
          where c.organization_id = ${organizationId} and c.order_line_item_id = l.id
            and c.tracks_inventory), '[]')
        when l.tracks_inventory then json_build_array(json_build_object(
          'productVariantId', l.product_variant_id, 'quantityPerUnit', 1))
        else '[]'
      end as requirements
    from order_line_items l
    join orders o on o.organization_id = ${organizationId} and o.id = l.order_id
    where l.organization_id = ${organizationId} and l.id = any(${lineIds}::uuid[])
    order by l.order_date, l.order_id, l.position`);
}

/** Leaves a mark, in this transaction, for the job that fills backorders. */
export function requestFills(write: Write, variantIds: readonly string[]): void {
  if (variantIds.length === 0) return;
  write.transaction.send(sql`
    insert into backorder_fills (organization_id, product_variant_id, created_at)
    select ${write.scope.organizationId}, v.id, ${write.now} from unnest(${[...variantIds].sort()}::uuid[]) v (id)
    on conflict (organization_id, product_variant_id) do update set created_at = excluded.created_at`);
}
