// Writes an open order back: its row, what its lines gained or lost, what follows for others, and the event.
import { storeLevels } from '../allocation/levels.ts';
import {
  type AllocationChange,
  type LineChange,
  storeAllocations,
  storeLineQuantities,
} from '../allocation/queries.ts';
import { settle } from '../allocation/settle.ts';
import { sql } from '../database/connect.ts';
import { appendEvents, type EventType } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { recount } from '../http/totals.ts';
import type { Movement } from '../inventory/apply-change.ts';
import { appendStockEvents } from '../inventory/stock-events.ts';
import type { OpenOrder, OrderLine } from './open-order.ts';
import { countedOrder } from './order-count.ts';
import { findOrder } from './queries.ts';

export interface Changes {
  event: EventType;
  reason: AllocationChange['reason'];
  movements?: readonly Movement[];
}

/** Everything that an action changed in memory, in a constant number of statements, but for the events of many levels. */
export async function storeOrder(write: Write, order: OpenOrder, changes: Changes): Promise<Found> {
  const { id, lines, levels } = order;
  storeLineQuantities(write, lines.flatMap(lineChange));
  storeAllocations(
    write,
    lines.flatMap((line) => allocationChanges(line, id, changes.reason)),
  );
  updateOrderRow(write, order);
  const { oversold } = await settle(write, levels);
  const settlement = { oversold: [...order.settlement.oversold, ...oversold] };
  const changed = storeLevels(write, levels);
  recount(write, 'order', order.counted, countedOrder(order));
  const found = (await findOrder(write.transaction, write.scope.organizationId, id))!;
  const { previous } = order;
  appendEvents(write, [{ type: changes.event, objectId: id, object: found.json, previous }]);
  await appendStockEvents(
    write,
    levels.all(),
    new Set(changed.filter(hasMoved)),
    changes.movements ?? [],
    settlement,
  );
  return found;
}

/** A level that is merely committed otherwise is told of by its order's event. */
function hasMoved(level: ReturnType<typeof storeLevels>[number]): boolean {
  return level.pickable !== level.before.pickable || level.reserved !== level.before.reserved;
}

function lineChange(line: OrderLine): LineChange[] {
  const { before } = line;
  const change = {
    orderLineItemId: line.id,
    quantity: line.quantity - before.quantity,
    allocated: line.quantityAllocated - before.quantityAllocated,
    backordered: line.quantityBackordered - before.quantityBackordered,
    fulfilled: line.quantityFulfilled - before.quantityFulfilled,
    cancelled: line.quantityCancelled - before.quantityCancelled,
  };
  const { orderLineItemId: _, ...deltas } = change;
  return Object.values(deltas).some((delta) => delta !== 0) ? [change] : [];
}

function allocationChanges(
  line: OrderLine,
  orderId: string,
  reason: AllocationChange['reason'],
): AllocationChange[] {
  return [...line.allocations].flatMap(([warehouseId, held]) => {
    const quantity = held - (line.before.allocations.get(warehouseId) ?? 0);
    if (quantity === 0) return [];
    return [
      {
        orderId,
        orderLineItemId: line.id,
        requirements: line.requirements,
        warehouseId,
        quantity,
        reason: quantity > 0 ? 'allocated' : reason,
      },
    ];
  });
}

function isReadyToShip(order: OpenOrder): boolean {
  if (order.cancelledAt !== null || !['open', 'confirmed'].includes(order.fulfillmentStatus)) return false;
  return (
    order.lines.length > 0 &&
    order.lines.every(
      (line) => line.quantityAllocated + line.quantityFulfilled + line.quantityCancelled === line.quantity,
    )
  );
}

function updateOrderRow(write: Write, order: OpenOrder): void {
  const o = order;
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  write.transaction.send(sql`
    update orders set alias = ${o.alias}, price = ${o.price}, compare_at_price = ${o.compareAtPrice},
      financial_status = ${o.financialStatus}, fulfillment_status = ${o.fulfillmentStatus},
      status_before_hold = ${o.statusBeforeHold}, status_before_fulfillment = ${o.statusBeforeFulfillment},
      hold_reason = ${o.holdReason}, hold_note = ${o.holdNote}, order_date = ${o.orderDate},
      target_delivery_date = ${o.targetDeliveryDate}, ship_to_address = ${json(o.shipToAddress)},
      ship_method = ${json(o.shipMethod)}, insurance_request = ${json(o.insuranceRequest)},
      customer_id = ${o.customerId}, warehouse_id = ${o.warehouseId}, tags = ${json(o.tags)},
      notes = ${json(o.notes)}, tasks = ${json(o.tasks)}, metadata = ${json(o.metadata)},
      archived_at = ${o.archivedAt}, cancelled_at = ${o.cancelledAt}, cancel_reason = ${o.cancelReason},
      search_text = ${o.searchText}, ready_to_ship = ${isReadyToShip(order)},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${o.id}`);
}

/** Backorders are found in the order of their orders' dates, which their lines carry. */
export function updateLineDates(write: Write, orderId: string, orderDate: Date): void {
  write.transaction.send(sql`
    update order_line_items set order_date = ${orderDate}
    where organization_id = ${write.scope.organizationId} and order_id = ${orderId}`);
}
