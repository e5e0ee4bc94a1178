// Events of stock: one per level and transaction, with the ledger rows that changed it.
import { available, type Level, onHand, type Quantities } from '../allocation/levels.ts';
import type { Settlement } from '../allocation/settle.ts';
import { appendEvents, type NewEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import type { Movement } from './apply-change.ts';

export async function appendStockEvents(
  write: Write,
  levels: readonly Level[],
  changed: ReadonlySet<Level>,
  movements: readonly Movement[],
  settlement: Settlement,
): Promise<void> {
  const byLevel = Map.groupBy(
    movements,
    (movement) => `${movement.productVariantId} ${movement.warehouseId}`,
  );
  let events: NewEvent[] = [];
  const append = (type: NewEvent['type'], level: Level, more: object) =>
    events.push({
      type,
      objectId: level.id,
      object: JSON.stringify({ ...presentLevel(write, level, level), ...more }),
      previous: JSON.stringify(presentLevel(write, level, level.before)),
    });
  for (const level of levels) {
    const own = byLevel.get(`${level.productVariantId} ${level.warehouseId}`) ?? [];
    // A move between two bins leaves every figure of the level as it was.
    if (own.length === 0 && !changed.has(level)) continue;
    const onlyMoved =
      own.length > 0 && own.every((m) => m.fromWarehouseLocationId && m.toWarehouseLocationId);
    append(onlyMoved ? 'inventory.moved' : 'inventory.adjusted', level, { movements: own });
    if (available(level) <= 0 && available(level.before) > 0) append('inventory.low', level, {});
    if (events.length < limits.eventsAtOnce) continue;
    appendEvents(write, events);
    events = [];
    await write.transaction.flush();
  }
  appendEvents(write, [...events, ...oversoldEvents(write, settlement)]);
}

function oversoldEvents(write: Write, { oversold }: Settlement): NewEvent[] {
  return oversold.map(({ level, quantity, orderIds }) => ({
    type: 'inventory.oversold',
    objectId: level.id,
    object: JSON.stringify({ ...presentLevel(write, level, level), oversoldQuantity: quantity, orderIds }),
    previous: JSON.stringify(presentLevel(write, level, level.before)),
  }));
}

/** Events of levels that an order's allocation changed: their lots expired meanwhile, or they ran low. */
export function levelEvents(write: Write, changed: readonly Level[], settlement: Settlement): NewEvent[] {
  const events: NewEvent[] = oversoldEvents(write, settlement);
  for (const level of changed) {
    const types: NewEvent['type'][] = [];
    if (level.pickable !== level.before.pickable) types.push('inventory.adjusted');
    if (available(level) <= 0 && available(level.before) > 0) types.push('inventory.low');
    for (const type of types) {
      events.push({
        type,
        objectId: level.id,
        object: JSON.stringify(presentLevel(write, level, level)),
        previous: JSON.stringify(presentLevel(write, level, level.before)),
      });
    }
  }
  return events;
}

function presentLevel(write: Write, level: Level, quantities: Quantities) {
  return {
    id: level.id,
    organizationId: write.scope.organizationId,
    productVariantId: level.productVariantId,
    warehouseId: level.warehouseId,
    onHandQuantity: onHand(quantities),
    availableQuantity: available(quantities),
    committedQuantity: quantities.committed,
    reservedQuantity: quantities.reserved,
    incomingQuantity: quantities.incoming,
    damagedQuantity: quantities.damaged,
    qualityControlQuantity: quantities.qualityControl,
    safetyStockQuantity: quantities.safetyStock,
  };
}
