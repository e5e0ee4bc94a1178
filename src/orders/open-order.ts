// An order under lock, with its lines, what they hold, and the levels of every variant they are about.
import type { Requirement } from '../allocation/allocate.ts';
import { expireLots } from '../allocation/expire-lots.ts';
import { Levels, lockVariantLevels } from '../allocation/levels.ts';
import { type Settlement, settle } from '../allocation/settle.ts';
import { Retry, sql } from '../database/connect.ts';
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Counted } from '../http/totals.ts';
import type { Strategy } from '../inventory/apply-change.ts';
import type { Note } from '../notes.ts';
import { countedOrder } from './order-count.ts';
import { findOrder } from './queries.ts';
import type { FinancialStatus, FulfillmentStatus } from './schema.ts';

export interface LineQuantities {
  quantity: number;
  quantityAllocated: number;
  quantityBackordered: number;
  quantityFulfilled: number;
  quantityCancelled: number;
}

export interface OrderLine extends LineQuantities {
  readonly id: string;
  readonly position: number;
  readonly sku: string;
  readonly productVariantId: string;
  readonly requiresShipping: boolean;
  readonly isBundle: boolean;
  /** Empty: the line holds no stock. */
  readonly requirements: readonly Requirement[];
  /** Units (bundles whole) by warehouse. */
  readonly allocations: Map<string, number>;
  readonly before: Readonly<LineQuantities> & { readonly allocations: ReadonlyMap<string, number> };
}

/** The columns of an order that its actions change. */
export interface OrderRow {
  alias: string | null;
  price: string;
  compareAtPrice: string | null;
  financialStatus: FinancialStatus;
  fulfillmentStatus: FulfillmentStatus;
  statusBeforeHold: FulfillmentStatus | null;
  statusBeforeFulfillment: FulfillmentStatus | null;
  holdReason: string | null;
  holdNote: string | null;
  orderDate: Date;
  targetDeliveryDate: Date | null;
  shipToAddress: object | null;
  shipMethod: object | null;
  insuranceRequest: object | null;
  customerId: string | null;
  warehouseId: string | null;
  tags: object[];
  notes: Note[];
  tasks: { type: string; completedAt: string | null; updatedAt: string }[];
  metadata: Record<string, string>;
  archivedAt: Date | null;
  cancelledAt: Date | null;
  cancelReason: string | null;
  searchText: string;
}

export interface OpenOrder extends OrderRow {
  readonly id: string;
  readonly lines: OrderLine[];
  readonly levels: Levels;
  /** What followed from lots that were found expired. */
  readonly settlement: Settlement;
  /** The order as the API showed it before. */
  readonly previous: string;
  /** As lists counted it before. */
  readonly counted: Counted;
}

/**
 * Locks the levels of the order's variants, then the order: the order of locks that all share.
 * @throws 404, 412
 */
export async function openOrder(write: Write, id: string): Promise<OpenOrder> {
  const variantIds = await findOrderVariants(write, id);
  const levels = new Levels();
  await lockVariantLevels(write, levels, variantIds);
  await expireLots(write, levels);
  const settlement = await settle(write, levels);
  const row = await lockOrderRow(write, id);
  if (row === undefined) throw notFound('order');
  requireVersion(write, row.version);
  const [lines, found] = await Promise.all([
    readLines(write, id),
    findOrder(write.transaction, write.scope.organizationId, id),
  ]);
  requireLevels(lines, levels);
  return { ...row, id, lines, levels, settlement, previous: found!.json, counted: countedOrder(row) };
}

/** @throws Retry where a warehouse that had no such stock when the levels were locked has given the order some since */
function requireLevels(lines: readonly OrderLine[], levels: Levels): void {
  for (const { requirements, allocations } of lines) {
    for (const warehouseId of allocations.keys()) {
      const held = requirements.every(({ productVariantId }) => levels.get(productVariantId, warehouseId));
      if (!held) throw new Retry();
    }
  }
}

/** The variants whose stock the order's lines take: they never change. */
async function findOrderVariants(write: Write, id: string): Promise<string[]> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<{ id: string }>(sql`
    select l.product_variant_id as id from order_line_items l
    where l.organization_id = ${organizationId} and l.order_id = ${id} and l.tracks_inventory and not l.is_bundle
    union
    select c.product_variant_id from order_line_items l
    join order_line_components c on c.organization_id = ${organizationId} and c.order_line_item_id = l.id
    where l.organization_id = ${organizationId} and l.order_id = ${id} and c.tracks_inventory`);
  return rows.map((row) => row.id).sort();
}

async function lockOrderRow(write: Write, id: string): Promise<(OrderRow & { version: number }) | undefined> {
  const [row] = await write.transaction.query<OrderRow & { version: number }>(sql`
    select alias, price, compare_at_price as "compareAtPrice", financial_status as "financialStatus",
      fulfillment_status as "fulfillmentStatus", status_before_hold as "statusBeforeHold",
      status_before_fulfillment as "statusBeforeFulfillment", hold_reason as "holdReason",
      hold_note as "holdNote", order_date as "orderDate", target_delivery_date as "targetDeliveryDate",
      ship_to_address as "shipToAddress", ship_method as "shipMethod",
      insurance_request as "insuranceRequest", customer_id as "customerId", warehouse_id as "warehouseId",
      tags, notes, tasks, metadata, archived_at as "archivedAt", cancelled_at as "cancelledAt",
      cancel_reason as "cancelReason", search_text as "searchText", version
    from orders where organization_id = ${write.scope.organizationId} and id = ${id} for update`);
  return row;
}

interface LineRow extends LineQuantities {
  id: string;
  position: number;
  sku: string;
  productVariantId: string;
  requiresShipping: boolean;
  isBundle: boolean;
  requirements: Requirement[];
  allocations: { warehouseId: string; quantity: number }[];
}

async function readLines(write: Write, orderId: string): Promise<OrderLine[]> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<LineRow>(sql`
    select l.id, l.position, v.sku, l.product_variant_id as "productVariantId",
      l.requires_shipping as "requiresShipping", l.is_bundle as "isBundle", l.quantity,
      l.quantity_allocated as "quantityAllocated", l.quantity_backordered as "quantityBackordered",
      l.quantity_fulfilled as "quantityFulfilled", l.quantity_cancelled as "quantityCancelled",
      case
        when l.is_bundle then coalesce((
          select json_agg(json_build_object('productVariantId', c.product_variant_id,
            'quantityPerUnit', c.quantity_per_unit))
          from order_line_components c
          where c.organization_id = ${organizationId} and c.order_line_item_id = l.id and c.tracks_inventory), '[]')
        when l.tracks_inventory then json_build_array(json_build_object(
          'productVariantId', l.product_variant_id, 'quantityPerUnit', 1))
        else '[]'
      end as requirements,
      coalesce((
        select json_agg(json_build_object('warehouseId', a.warehouse_id, 'quantity', a.quantity)
          order by w.priority, w.created_at, w.id)
        from order_allocations a
        join warehouses w on w.organization_id = ${organizationId} and w.id = a.warehouse_id
        where a.organization_id = ${organizationId} and a.order_line_item_id = l.id and a.quantity > 0), '[]')
        as allocations
    from order_line_items l
    join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
    where l.organization_id = ${organizationId} and l.order_id = ${orderId}
    order by l.position`);
  return rows.map(({ allocations, ...row }) => {
    const byWarehouse = allocations.map(({ warehouseId, quantity }) => [warehouseId, quantity] as const);
    const { quantity, quantityAllocated, quantityBackordered, quantityFulfilled, quantityCancelled } = row;
    const quantities = {
      quantity,
      quantityAllocated,
      quantityBackordered,
      quantityFulfilled,
      quantityCancelled,
    };
    return {
      ...row,
      allocations: new Map(byWarehouse),
      before: { ...quantities, allocations: new Map(byWarehouse) },
    };
  });
}

/** Strategies of variants, for picking. */
export async function findStrategies(
  write: Write,
  variantIds: readonly string[],
): Promise<Map<string, Strategy>> {
  const rows = await write.transaction.query<{ id: string; strategy: Strategy }>(sql`
    select id, inventory_allocation_strategy as strategy from product_variants
    where organization_id = ${write.scope.organizationId} and id = any(${variantIds}::uuid[])`);
  return new Map(rows.map(({ id, strategy }) => [id, strategy]));
}
