// SQL of the lines that units are returned for, of what came back, and of where it may go.
import type { Requirement } from '../allocation/allocate.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import type { OpenLine } from './open-lines.ts';
import type { Disposition } from './schema.ts';

/** Of a variant `v`: what a request may name it by. */
const references = sql.raw(`v.id as "productVariantId", v.sku as "productVariantSku",
  v.title as "productVariantTitle", v.barcode as "productVariantBarcode", v.upc as "productVariantUpc",
  v.ean as "productVariantEan", v.isbn as "productVariantIsbn", v.asin as "productVariantAsin"`);

export interface ReturnableOrder {
  id: string;
  name: string;
  lines: OpenLine[];
}

/** An order under lock; open is what was ordered, not cancelled, and not yet asked back; of a closed return, what came. */
export async function findReturnableOrder(write: Write, id: string): Promise<ReturnableOrder | undefined> {
  const { organizationId } = write.scope;
  const [order] = await write.transaction.query<ReturnableOrder>(sql`
    select o.id, o.name, coalesce((
      select json_agg((select row_to_json(fields) from (select l.id, ${references},
        l.quantity - l.quantity_cancelled - coalesce(asked.quantity, 0) as open) fields) order by l.position)
      from order_line_items l
      join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
      left join (
        select rl.order_line_item_id,
          sum(case when r.status = 'closed' then rl.quantity_received else rl.quantity end) as quantity
        from return_orders r
        join return_order_line_items rl on rl.organization_id = ${organizationId} and rl.return_order_id = r.id
        where r.organization_id = ${organizationId} and r.order_id = ${id} and r.status <> 'cancelled'
        group by rl.order_line_item_id
      ) asked on asked.order_line_item_id = l.id
      where l.organization_id = ${organizationId} and l.order_id = ${id}), '[]') as lines
    from orders o where o.organization_id = ${organizationId} and o.id = ${id}`);
  return order;
}

export interface ReturnLine extends OpenLine {
  received: number;
  /** The stock that one unit of it is when it comes back; empty where it is none. */
  requirements: Requirement[];
}

/**
 * The lines of a return order under lock; open is what has not come back. A bundle comes back as the components
 * that its order took, without an order as those that it has now.
 */
export async function readReturnLines(write: Write, returnOrderId: string): Promise<ReturnLine[]> {
  const { organizationId } = write.scope;
  const holdsStock = sql`p.tracks_inventory and not p.is_bundle`;
  return write.transaction.query<ReturnLine>(sql`
    select l.id, ${references}, l.quantity - l.quantity_received as open, l.quantity_received as received,
      coalesce(case
        when ol.is_bundle then (
          select json_agg(json_build_object('productVariantId', p.id, 'quantityPerUnit', c.quantity_per_unit))
          from order_line_components c
          join product_variants p on p.organization_id = ${organizationId} and p.id = c.product_variant_id
          where c.organization_id = ${organizationId} and c.order_line_item_id = ol.id and ${holdsStock})
        when v.is_bundle then (
          select json_agg(json_build_object('productVariantId', p.id, 'quantityPerUnit', b.quantity))
          from bom_line_items b
          join product_variants p on p.organization_id = ${organizationId} and p.id = b.product_variant_id
          where b.organization_id = ${organizationId} and b.bundle_variant_id = v.id and ${holdsStock})
        when v.tracks_inventory then json_build_array(
          json_build_object('productVariantId', v.id, 'quantityPerUnit', 1))
      end, '[]') as requirements
    from return_order_line_items l
    join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
    left join order_line_items ol on ol.organization_id = ${organizationId} and ol.id = l.order_line_item_id
    where l.organization_id = ${organizationId} and l.return_order_id = ${returnOrderId}
    order by l.position`);
}

export interface Receipt {
  returnLineId: string;
  quantity: number;
  disposition: Disposition;
  warehouseLocationId: string | null;
}

/** Adds what came back to the lines, and to their history. */
export function storeReceipts(write: Write, receipts: readonly Receipt[]): void {
  const { organizationId, apiKeyId } = write.scope;
  const byLine = new Map<string, number>();
  for (const { returnLineId, quantity } of receipts) {
    byLine.set(returnLineId, (byLine.get(returnLineId) ?? 0) + quantity);
  }
  write.transaction.send(sql`
    update return_order_line_items l set quantity_received = l.quantity_received + c.quantity
    from unnest(${[...byLine.keys()]}::uuid[], ${[...byLine.values()]}::int[]) c (id, quantity)
    where l.organization_id = ${organizationId} and l.id = c.id`);
  write.transaction.send(sql`
    insert into return_order_receipts (organization_id, id, return_order_line_item_id, quantity, disposition,
      warehouse_location_id, api_key_id, created_at)
    select ${organizationId}, t.*, ${apiKeyId}::uuid, ${write.now}
    from unnest(${receipts.map(() => newId())}::uuid[], ${receipts.map((t) => t.returnLineId)}::uuid[],
      ${receipts.map((t) => t.quantity)}::int[], ${receipts.map((t) => t.disposition)}::text[],
      ${receipts.map((t) => t.warehouseLocationId)}::uuid[]) t`);
}

export interface ReceivingLocation {
  id: string;
  warehouseId: string;
  type: string;
}

export async function findReceivingLocations(
  write: Write,
  ids: readonly string[],
): Promise<Map<string, ReceivingLocation>> {
  const rows = await write.transaction.query<ReceivingLocation>(sql`
    select id, warehouse_id as "warehouseId", type from warehouse_locations
    where organization_id = ${write.scope.organizationId} and id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A warehouse's first location of either type; it is made with one of each. */
export async function findDefaultLocations(
  write: Write,
  warehouseId: string,
): Promise<{ damaged: string | null; 'quality-control': string | null } | undefined> {
  const { organizationId } = write.scope;
  const first = (type: string) => sql`(
    select l.id from warehouse_locations l
    where l.organization_id = ${organizationId} and l.warehouse_id = w.id and l.type = ${type}
      and l.archived_at is null
    order by l.created_at, l.id limit 1)`;
  const [row] = await write.transaction.query<{
    damaged: string | null;
    'quality-control': string | null;
  }>(sql`
    select ${first('damaged')} as damaged, ${first('quality-control')} as "quality-control" from warehouses w
    where w.organization_id = ${organizationId} and w.id = ${warehouseId}`);
  return row;
}
