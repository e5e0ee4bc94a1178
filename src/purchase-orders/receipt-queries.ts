// SQL of receipts.
import { type Executor, sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { receiptJson } from './present.ts';
import type { Arrival, Parts } from './receipt-lines.ts';

/** What receipts have brought of each of an order's lines, less what was taken back. */
export async function readReceived(write: Write, purchaseOrderId: string): Promise<Map<string, Parts>> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<Parts & { id: string }>(sql`
    select r.purchase_order_line_item_id as id, sum(r.quantity) as quantity,
      sum(r.damaged_quantity) as "damagedQuantity", sum(r.quality_control_quantity) as "qualityControlQuantity"
    from purchase_order_receipts h
    join purchase_order_line_item_receipts r
      on r.organization_id = ${organizationId} and r.purchase_order_receipt_id = h.id
    where h.organization_id = ${organizationId} and h.purchase_order_id = ${purchaseOrderId}
    group by r.purchase_order_line_item_id`);
  return new Map(rows.map(({ id, ...parts }) => [id, parts]));
}

export function insertReceipt(
  write: Write,
  receipt: { id: string; purchaseOrderId: string; reference: string | null },
  arrivals: readonly Arrival[],
): void {
  const { organizationId, user } = write.scope;
  write.transaction.send(sql`
    insert into purchase_order_receipts (organization_id, id, purchase_order_id, reference, received_by, received_at)
    values (${organizationId}, ${receipt.id}, ${receipt.purchaseOrderId}, ${receipt.reference},
      ${user === null ? null : JSON.stringify(user)}, ${write.now})`);
  const all = <T>(pick: (arrival: Arrival) => T): T[] => arrivals.map(pick);
  write.transaction.send(sql`
    insert into purchase_order_line_item_receipts (organization_id, purchase_order_receipt_id, created_at, id,
      purchase_order_line_item_id, quantity, damaged_quantity, quality_control_quantity, warehouse_location_id,
      damaged_location_id, quality_control_location_id, lot_number, expiration_date)
    select ${organizationId}, ${receipt.id}, ${write.now}, r.*
    from unnest(${all(() => newId())}::uuid[], ${all((a) => a.line.id)}::uuid[], ${all((a) => a.quantity)}::int[],
      ${all((a) => a.damagedQuantity)}::int[], ${all((a) => a.qualityControlQuantity)}::int[],
      ${all((a) => a.locations.warehouseLocationId)}::uuid[],
      ${all((a) => (a.damagedQuantity === 0 ? null : a.locations.damagedLocationId))}::uuid[],
      ${all((a) => (a.qualityControlQuantity === 0 ? null : a.locations.qualityControlLocationId))}::uuid[],
      ${all((a) => a.lotNumber)}::text[], ${all((a) => a.expirationDate)}::timestamptz[]) r`);
}

/** Adds to what the lines have received, by line id. */
export function addReceived(write: Write, sums: ReadonlyMap<string, Parts>): void {
  write.transaction.send(sql`
    update purchase_order_line_items l set received_quantity = l.received_quantity + r.quantity,
      updated_at = ${write.now}
    from unnest(${[...sums.keys()]}::uuid[], ${[...sums.values()].map(({ quantity }) => quantity)}::int[])
      r (id, quantity)
    where l.organization_id = ${write.scope.organizationId} and l.id = r.id`);
}

export async function findReceipt(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${receiptJson(organizationId)}::text as json, 1 as version from purchase_order_receipts h
    where h.organization_id = ${organizationId} and h.id = ${id}`);
  return found;
}
