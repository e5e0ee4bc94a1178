// Every SQL statement about fulfilments.
import { type Executor, sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { column, jsonObject, time } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import type { PickedUnits } from '../inventory/pick-units.ts';

export interface NewFulfillment {
  id: string;
  orderId: string;
  warehouseId: string | null;
  trackingCode: string | null;
  carrierCode: string | null;
  lineItems: { lineItemId: string; warehouseId: string | null; quantity: number }[];
  picks: PickedUnits[];
}

export function insertFulfillment(write: Write, fulfillment: NewFulfillment): void {
  const { organizationId } = write.scope;
  const { id, lineItems, picks } = fulfillment;
  write.transaction.send(sql`
    insert into fulfillments (organization_id, id, order_id, warehouse_id, tracking_code, carrier_code,
      created_at, updated_at)
    values (${organizationId}, ${id}, ${fulfillment.orderId}, ${fulfillment.warehouseId},
      ${fulfillment.trackingCode}, ${fulfillment.carrierCode}, ${write.now}, ${write.now})`);
  write.transaction.send(sql`
    insert into fulfillment_line_items (organization_id, fulfillment_id, id, order_line_item_id, warehouse_id,
      quantity)
    select ${organizationId}, ${id}, l.*
    from unnest(${lineItems.map(() => newId())}::uuid[], ${lineItems.map((l) => l.lineItemId)}::uuid[],
      ${lineItems.map((l) => l.warehouseId)}::uuid[], ${lineItems.map((l) => l.quantity)}::int[]) l`);
  if (picks.length === 0) return;
  write.transaction.send(sql`
    insert into fulfillment_picks (organization_id, fulfillment_id, id, order_line_item_id, product_variant_id,
      warehouse_id, warehouse_location_id, lot_number, expiration_date, quantity)
    select ${organizationId}, ${id}, p.*
    from unnest(${picks.map(() => newId())}::uuid[], ${picks.map((p) => p.orderLineItemId)}::uuid[],
      ${picks.map((p) => p.productVariantId)}::uuid[], ${picks.map((p) => p.warehouseId)}::uuid[],
      ${picks.map((p) => p.warehouseLocationId)}::uuid[], ${picks.map((p) => p.lotNumber)}::text[],
      ${picks.map((p) => p.expirationDate)}::timestamptz[], ${picks.map((p) => p.quantity)}::int[]) p`);
}

export async function findFulfillment(
  database: Executor,
  organizationId: string,
  orderId: string,
  id: string,
): Promise<Found | undefined> {
  const lineItem = jsonObject({
    id: column('f.id'),
    lineItemId: column('f.order_line_item_id'),
    warehouseId: column('f.warehouse_id'),
    quantity: column('f.quantity'),
    productVariant: jsonObject({ id: column('v.id'), title: column('v.title'), sku: column('v.sku') }),
  });
  const pick = jsonObject({
    id: column('p.id'),
    lineItemId: column('p.order_line_item_id'),
    productVariantId: column('p.product_variant_id'),
    warehouseId: column('p.warehouse_id'),
    warehouseLocationId: column('p.warehouse_location_id'),
    lotNumber: column('p.lot_number'),
    expirationDate: time('p.expiration_date'),
    quantity: column('p.quantity'),
  });
  const fulfillment = jsonObject({
    id: column('s.id'),
    organizationId: column('s.organization_id'),
    orderId: column('s.order_id'),
    warehouseId: column('s.warehouse_id'),
    trackingCode: column('s.tracking_code'),
    carrierCode: column('s.carrier_code'),
    lineItems: sql`coalesce((
      select json_agg(${lineItem} order by l.position, f.id)
      from fulfillment_line_items f
      join order_line_items l on l.organization_id = ${organizationId} and l.id = f.order_line_item_id
      join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
      where f.organization_id = ${organizationId} and f.fulfillment_id = s.id), '[]')`,
    picks: sql`coalesce((
      select json_agg(${pick} order by p.id) from fulfillment_picks p
      where p.organization_id = ${organizationId} and p.fulfillment_id = s.id), '[]')`,
    createdAt: time('s.created_at'),
    updatedAt: time('s.updated_at'),
    cancelledAt: time('s.cancelled_at'),
  });
  const [found] = await database.query<Found>(sql`
    select ${fulfillment}::text as json, case when s.cancelled_at is null then 1 else 2 end as version
    from fulfillments s
    where s.organization_id = ${organizationId} and s.order_id = ${orderId} and s.id = ${id}`);
  return found;
}

export interface FulfilledLine {
  lineItemId: string;
  warehouseId: string | null;
  quantity: number;
}

interface FulfillmentHead {
  cancelledAt: Date | null;
  /** Of the shipment that it left with, unless that has failed or was voided. */
  shipmentId: string | null;
}

export interface ReadFulfillment extends FulfillmentHead {
  lineItems: FulfilledLine[];
  picks: PickedUnits[];
}

/** What left with a fulfilment; undefined when there is none. Read under the order's lock. */
export async function readFulfillment(
  write: Write,
  orderId: string,
  id: string,
): Promise<ReadFulfillment | undefined> {
  const { organizationId } = write.scope;
  const [head, lineItems, picks] = await Promise.all([
    write.transaction.query<FulfillmentHead>(sql`
      select f.cancelled_at as "cancelledAt", (
        select s.id from shipments s
        where s.organization_id = ${organizationId} and s.order_id = ${orderId} and s.fulfillment_id = f.id
          and s.purchase_status <> 'failed' and s.void_status is null) as "shipmentId"
      from fulfillments f
      where f.organization_id = ${organizationId} and f.order_id = ${orderId} and f.id = ${id}`),
    write.transaction.query<FulfilledLine>(sql`
      select order_line_item_id as "lineItemId", warehouse_id as "warehouseId", quantity
      from fulfillment_line_items where organization_id = ${organizationId} and fulfillment_id = ${id}`),
    write.transaction.query<PickedUnits>(sql`
      select order_line_item_id as "orderLineItemId", product_variant_id as "productVariantId",
        warehouse_id as "warehouseId", warehouse_location_id as "warehouseLocationId",
        lot_number as "lotNumber", expiration_date as "expirationDate", quantity
      from fulfillment_picks where organization_id = ${organizationId} and fulfillment_id = ${id}`),
  ]);
  return head[0] === undefined ? undefined : { ...head[0], lineItems, picks };
}

export function markFulfillmentCancelled(write: Write, id: string): void {
  write.transaction.send(sql`
    update fulfillments set cancelled_at = ${write.now}, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** The warehouses that these locations are in. */
export async function findBins(write: Write, locationIds: readonly string[]): Promise<Map<string, string>> {
  if (locationIds.length === 0) return new Map();
  const rows = await write.transaction.query<{ id: string; warehouseId: string }>(sql`
    select id, warehouse_id as "warehouseId" from warehouse_locations
    where organization_id = ${write.scope.organizationId} and id = any(${locationIds}::uuid[])`);
  return new Map(rows.map(({ id, warehouseId }) => [id, warehouseId]));
}
