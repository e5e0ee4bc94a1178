// What a purchase order adds to the incoming units of its levels, and their dated history.
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import { changeStock, type StockChange } from '../inventory/stock.ts';
import type { StoredLine } from './line-queries.ts';
import type { PurchaseOrderRow } from './queries.ts';

/** An order with its lines, as it was or as it becomes. */
export interface OrderState {
  order: Pick<PurchaseOrderRow, 'id' | 'status' | 'warehouseId'>;
  lines: readonly StoredLine[];
}

/** Units of a line that are still to come: ordered and not received, once confirmed and until the order ends. */
function incomingUnits({ status }: OrderState['order'], line: StoredLine): number {
  const waits = status === 'confirmed' || status === 'partially-received';
  return waits && line.holdsStock ? Math.max(0, line.requestedQuantity - line.receivedQuantity) : 0;
}

/**
 * Brings the levels and their history from what the order meant before to what it means now; what has arrived
 * (or is taken back) meanwhile changes under the same locks.
 */
export async function storeIncoming(
  write: Write,
  before: OrderState,
  after: OrderState,
  arrived: readonly StockChange[] = [],
): Promise<void> {
  const was = new Map(before.lines.map((line) => [line.id, incomingUnits(before.order, line)]));
  const { warehouseId } = after.order;
  const changes = after.lines.flatMap((line) => {
    const quantity = incomingUnits(after.order, line) - (was.get(line.id) ?? 0);
    const { id, productVariantId } = line;
    return quantity === 0 ? [] : [{ id, productVariantId, warehouseId, quantity }];
  });
  if (arrived.length + changes.length === 0) return;
  await changeStock(write, arrived, 'all', changes);
  if (changes.length === 0) return;
  write.transaction.send(sql`
    insert into incoming_changes (organization_id, purchase_order_id, warehouse_id, created_at, id,
      purchase_order_line_item_id, product_variant_id, quantity)
    select ${write.scope.organizationId}, ${after.order.id}, ${warehouseId}, ${write.now}, c.*
    from unnest(${changes.map(() => newId())}::uuid[], ${changes.map((c) => c.id)}::uuid[],
      ${changes.map((c) => c.productVariantId)}::uuid[], ${changes.map((c) => c.quantity)}::int[]) c`);
}
