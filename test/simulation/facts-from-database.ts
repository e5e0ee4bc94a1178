// Reads the facts with plain SQL; knows the tables, and nothing of the code that writes them.
import { type Database, sql } from '../../src/database/connect.ts';
import type {
  AllocationChange,
  Facts,
  Fulfillment,
  Held,
  Level,
  Line,
  Movement,
  Order,
  Place,
  Product,
  ReturnOrder,
  Setting,
  StockRecord,
  Variant,
  Warehouse,
} from './facts.ts';
import { readPurchasing } from './purchasing-from-database.ts';

/** Everything about the stock and the orders of these organisations, at a moment at which nothing changes. */
export async function readFacts(database: Database, organizationIds: readonly string[]): Promise<Facts> {
  const time = new Date();
  const read = <Row>(statement: ReturnType<typeof sql<Row>>) => database.query<Row>(statement);
  const ids = organizationIds;
  const [warehouses, places, products, variants, movements, records, levels, orders, lines] =
    await Promise.all([
      read<Warehouse>(warehouseRows(ids)),
      read<Place>(placeRows(ids)),
      read<Product>(productRows(ids)),
      read<Variant>(variantRows(ids)),
      read<Movement>(movementRows(ids)),
      read<StockRecord>(recordRows(ids)),
      read<Level>(levelRows(ids)),
      read<Omit<Order, 'lines'>>(orderRows(ids)),
      read<Line & { orderId: string }>(lineRows(ids)),
    ]);
  const { incomingChanges, ...purchasing } = await readPurchasing(database, ids);
  const [held, allocationChanges, settings, fulfillments, returnOrders, events] = await Promise.all([
    read<Omit<Held, 'productVariantId'>>(allocationRows(ids)),
    read<AllocationChange>(allocationChangeRows(ids)),
    read<Setting>(settingRows(ids)),
    read<Fulfillment>(fulfillmentRows(ids)),
    read<ReturnOrder>(returnOrderRows(ids)),
    read<{ organizationId: string; count: number }>(eventCounts(ids)),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.orderId);
  const needs = new Map(lines.map((line) => [line.id, line.needs]));
  return {
    time,
    warehouses,
    places,
    products,
    variants,
    movements,
    records,
    levels,
    orders: orders.map((order) => ({ ...order, lines: linesOf.get(order.id) ?? [] })),
    held: held.flatMap(({ units, ...row }) =>
      (needs.get(row.lineId) ?? []).map(({ productVariantId, perUnit }) => ({
        ...row,
        productVariantId,
        units: units * perUnit,
      })),
    ),
    ...purchasing,
    hidden: {
      incomingChanges,
      allocationChanges,
      settings,
      fulfillments: fulfillments.map((fulfillment) => ({
        ...fulfillment,
        picks: fulfillment.picks.map((pick) => ({
          ...pick,
          expirationDate: pick.expirationDate === null ? null : new Date(pick.expirationDate),
        })),
      })),
      returnOrders,
      eventCounts: Object.fromEntries(events.map(({ organizationId, count }) => [organizationId, count])),
    },
  };
}

type Ids = readonly string[];

const warehouseRows = (ids: Ids) => sql<Warehouse>`
  select organization_id as "organizationId", id, owner_organization_id as "ownerId", priority,
    shared_with_children as shared, archived_at is not null as archived
  from warehouses where organization_id = any(${ids}::uuid[]) order by organization_id, priority, created_at, id`;

const placeRows = (ids: Ids) => sql<Place>`
  select organization_id as "organizationId", id, warehouse_id as "warehouseId", name, type, pickable,
    archived_at is not null as archived
  from warehouse_locations where organization_id = any(${ids}::uuid[]) order by organization_id, id`;

const productRows = (ids: Ids) => sql<Product>`
  select organization_id as "organizationId", id, archived_at is not null as archived
  from products where organization_id = any(${ids}::uuid[]) order by created_at, id`;

const variantRows = (ids: Ids) => sql<Variant>`
  select v.organization_id as "organizationId", v.id, v.product_id as "productId", v.inventory_policy as policy,
    v.tracks_inventory as "tracksInventory", v.is_bundle as "isBundle", v.requires_shipping as ships,
    v.archived_at is not null as archived,
    case
      when v.is_bundle then coalesce((
        select json_agg(json_build_object('productVariantId', b.product_variant_id, 'perUnit', b.quantity)
          order by b.product_variant_id)
        from bom_line_items b
        join product_variants c on c.organization_id = any(${ids}::uuid[]) and c.id = b.product_variant_id
        where b.organization_id = any(${ids}::uuid[]) and b.bundle_variant_id = v.id and c.tracks_inventory), '[]')
      when v.tracks_inventory then json_build_array(json_build_object('productVariantId', v.id, 'perUnit', 1))
      else '[]'
    end as needs
  from product_variants v where v.organization_id = any(${ids}::uuid[]) order by v.id`;

const movementRows = (ids: Ids) => sql<Movement>`
  select organization_id as "organizationId", id, warehouse_id as "warehouseId",
    product_variant_id as "productVariantId", from_warehouse_location_id as "from",
    to_warehouse_location_id as "to", quantity, lot_number as "lotNumber", expiration_date as "expirationDate",
    reason, reference_type as "referenceType", reference_id as "referenceId", created_at as "createdAt"
  from inventory_movements where organization_id = any(${ids}::uuid[]) order by created_at, id`;

const recordRows = (ids: Ids) => sql<StockRecord>`
  select organization_id as "organizationId", id, warehouse_id as "warehouseId",
    warehouse_location_id as "warehouseLocationId", product_variant_id as "productVariantId",
    lot_number as "lotNumber", expiration_date as "expirationDate", quantity, expired, updated_at as "updatedAt"
  from inventory_locations where organization_id = any(${ids}::uuid[]) order by id`;

const levelRows = (ids: Ids) => sql<Level>`
  select organization_id as "organizationId", warehouse_id as "warehouseId",
    product_variant_id as "productVariantId", on_hand_quantity as "onHand", pickable_quantity as pickable,
    reserved_quantity as reserved, damaged_quantity as damaged, quality_control_quantity as "qualityControl",
    committed_quantity as committed, safety_stock_quantity as "safetyStock",
    incoming_quantity as incoming, available_quantity as available
  from inventory_levels where organization_id = any(${ids}::uuid[]) order by product_variant_id, warehouse_id`;

const orderRows = (ids: Ids) => sql<Omit<Order, 'lines'>>`
  select o.organization_id as "organizationId", o.id, o.name, o.alias, o.version,
    o.financial_status as "financialStatus", o.fulfillment_status as "fulfillmentStatus",
    o.status_before_hold as "statusBeforeHold", o.hold_reason as "holdReason",
    o.warehouse_id as "warehouseId", o.order_date as "orderDate", o.cancelled_at is not null as cancelled,
    o.archived_at is not null as archived, o.ready_to_ship as "readyToShip",
    (select e.data -> 'object' ->> 'fulfillmentStatus' from events e
      where e.organization_id = any(${ids}::uuid[]) and e.object_id = o.id and e.type = 'order.created')
      as "createdAs"
  from orders o where o.organization_id = any(${ids}::uuid[]) order by o.created_at, o.id`;

const lineRows = (ids: Ids) => sql<Line & { orderId: string }>`
  select l.order_id as "orderId", l.id, l.position, l.product_variant_id as "productVariantId", l.quantity,
    l.quantity_allocated as allocated, l.quantity_backordered as backordered,
    l.quantity_fulfilled as fulfilled, l.quantity_cancelled as cancelled, l.requires_shipping as ships,
    case
      when l.is_bundle then coalesce((
        select json_agg(json_build_object('productVariantId', c.product_variant_id, 'perUnit', c.quantity_per_unit)
          order by c.product_variant_id)
        from order_line_components c
        where c.organization_id = any(${ids}::uuid[]) and c.order_line_item_id = l.id and c.tracks_inventory), '[]')
      when l.tracks_inventory then
        json_build_array(json_build_object('productVariantId', l.product_variant_id, 'perUnit', 1))
      else '[]'
    end as needs
  from order_line_items l where l.organization_id = any(${ids}::uuid[]) order by l.order_id, l.position`;

const allocationRows = (ids: Ids) => sql<Omit<Held, 'productVariantId'>>`
  select organization_id as "organizationId", order_line_item_id as "lineId", warehouse_id as "warehouseId",
    quantity as units
  from order_allocations where organization_id = any(${ids}::uuid[]) and quantity <> 0`;

const allocationChangeRows = (ids: Ids) => sql<AllocationChange>`
  select organization_id as "organizationId", id, warehouse_id as "warehouseId",
    product_variant_id as "productVariantId", order_line_item_id as "lineId", quantity
  from order_allocation_changes where organization_id = any(${ids}::uuid[]) order by created_at, id`;

const settingRows = (ids: Ids) => sql<Setting>`
  select distinct on (product_variant_id, warehouse_id) warehouse_id as "warehouseId",
    product_variant_id as "productVariantId", safety_stock_quantity as "safetyStock"
  from inventory_level_settings where organization_id = any(${ids}::uuid[])
  order by product_variant_id, warehouse_id, created_at desc, id desc`;

const fulfillmentRows = (ids: Ids) => sql<Fulfillment>`
  select f.organization_id as "organizationId", f.id, f.order_id as "orderId",
    f.cancelled_at is not null as cancelled,
    coalesce((
      select json_agg(json_build_object('lineId', l.order_line_item_id, 'warehouseId', l.warehouse_id,
        'quantity', l.quantity))
      from fulfillment_line_items l
      where l.organization_id = any(${ids}::uuid[]) and l.fulfillment_id = f.id), '[]') as lines,
    coalesce((
      select json_agg(json_build_object('lineId', p.order_line_item_id, 'productVariantId', p.product_variant_id,
        'warehouseLocationId', p.warehouse_location_id, 'lotNumber', p.lot_number,
        'expirationDate', p.expiration_date, 'quantity', p.quantity))
      from fulfillment_picks p
      where p.organization_id = any(${ids}::uuid[]) and p.fulfillment_id = f.id), '[]') as picks
  from fulfillments f where f.organization_id = any(${ids}::uuid[]) order by f.created_at, f.id`;

const returnOrderRows = (ids: Ids) => sql<ReturnOrder>`
  select r.organization_id as "organizationId", r.id, r.order_id as "orderId", r.status,
    coalesce((
      select json_agg(json_build_object('id', l.id, 'orderLineId', l.order_line_item_id,
        'productVariantId', l.product_variant_id, 'quantity', l.quantity, 'received', l.quantity_received,
        'receipts', coalesce((
          select json_agg(json_build_object('quantity', p.quantity, 'disposition', p.disposition,
            'warehouseLocationId', p.warehouse_location_id))
          from return_order_receipts p
          where p.organization_id = any(${ids}::uuid[]) and p.return_order_line_item_id = l.id), '[]'))
        order by l.position)
      from return_order_line_items l
      where l.organization_id = any(${ids}::uuid[]) and l.return_order_id = r.id), '[]') as lines
  from return_orders r where r.organization_id = any(${ids}::uuid[]) order by r.created_at, r.id`;

const eventCounts = (ids: Ids) => sql<{ organizationId: string; count: number }>`
  select organization_id as "organizationId", count(*) from events
  where organization_id = any(${ids}::uuid[]) group by organization_id`;
