// Units that leave for an order, bin by bin, and units that come back to the bins they left.
import type { Level, Levels } from '../allocation/levels.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import {
  classOf,
  inPickOrder,
  type Movement,
  putUnits,
  type StockRecord,
  StockRoom,
  type Strategy,
} from './apply-change.ts';
import {
  insertMovements,
  type LocationRow,
  lockLocations,
  recordColumns,
  recordOf,
  storeRecords,
} from './stock-queries.ts';

/** Units of a variant wanted for an order's line; `from` says what was really picked. */
export interface PickRequest {
  orderLineItemId: string;
  productVariantId: string;
  warehouseId: string;
  quantity: number;
  from?: { warehouseLocationId: string; lotNumber: string | null };
  /** JSON pointer of the request, for errors. */
  path: string;
}

export interface PickedUnits {
  orderLineItemId: string;
  productVariantId: string;
  warehouseId: string;
  warehouseLocationId: string;
  lotNumber: string | null;
  expirationDate: Date | null;
  quantity: number;
}

export interface Reference {
  reason: string;
  type: string;
  id: string;
}

/**
 * Takes the units from pickable, unexpired lots in the order of each variant's strategy, or from where the request
 * says. Changes `levels` (under lock) in memory; writes records and ledger.
 * @throws 409 insufficient_stock naming every request that could not be served
 */
export async function pickUnits(
  write: Write,
  levels: Levels,
  requests: readonly PickRequest[],
  strategies: ReadonlyMap<string, Strategy>,
  reference: Reference,
): Promise<{ picks: PickedUnits[]; movements: Movement[] }> {
  const records = await lockStocked(write, requests);
  const locations = await lockLocations(write, [...new Set(records.map((r) => r.warehouseLocationId))]);
  const byVariant = Map.groupBy(records, (record) => `${record.productVariantId} ${record.warehouseId}`);
  const picks: PickedUnits[] = [];
  const short: PickRequest[] = [];
  // What was really picked comes before what may be chosen.
  const ordered = requests.toSorted((a, b) => Number(b.from !== undefined) - Number(a.from !== undefined));
  for (const request of ordered) {
    const there = byVariant.get(`${request.productVariantId} ${request.warehouseId}`) ?? [];
    const givers = there.filter((record) =>
      mayGive(request, record, locations.get(record.warehouseLocationId)!),
    );
    let missing = request.quantity;
    for (const giver of inPickOrder(givers, strategies.get(request.productVariantId)!)) {
      const quantity = Math.min(missing, giver.quantity);
      if (quantity === 0) continue;
      const level = levels.get(request.productVariantId, request.warehouseId)!;
      takeUnits(giver, quantity, level, locations);
      picks.push(pickOf(request, giver, quantity));
      missing -= quantity;
      if (missing === 0) break;
    }
    if (missing > 0) short.push(request);
  }
  if (short.length > 0) throw notThere(short);
  const movements = picks.map((pick) => movementOf(pick, -pick.quantity, reference));
  storeRecords(write, records);
  insertMovements(write, movements);
  return { picks, movements };
}

/** Puts picked units back where they were taken from. */
export async function returnUnits(
  write: Write,
  levels: Levels,
  picks: readonly PickedUnits[],
  reference: Reference,
): Promise<Movement[]> {
  const locations = await lockLocations(write, [...new Set(picks.map((pick) => pick.warehouseLocationId))]);
  const room = new StockRoom(await lockStocked(write, picks));
  for (const pick of picks) {
    const level = levels.get(pick.productVariantId, pick.warehouseId)!;
    putUnits(pick, pick.quantity, { room, level, locations, now: write.now });
  }
  const movements = picks.map((pick) => movementOf(pick, pick.quantity, reference));
  storeRecords(write, room.records());
  insertMovements(write, movements);
  return movements;
}

/** "Expired lots are never picked"; a bin that was really picked from may be of any kind. */
function mayGive(request: PickRequest, record: StockRecord, location: LocationRow): boolean {
  if (record.expired) return false;
  if (request.from === undefined) return classOf(location, false) === 'pickable';
  const { warehouseLocationId, lotNumber } = request.from;
  return (
    record.warehouseLocationId === warehouseLocationId &&
    (lotNumber === null || record.lotNumber === lotNumber)
  );
}

function takeUnits(
  record: StockRecord,
  quantity: number,
  level: Level,
  locations: ReadonlyMap<string, LocationRow>,
): void {
  record.quantity -= quantity;
  level[classOf(locations.get(record.warehouseLocationId)!, record.expired)] -= quantity;
}

function pickOf(request: PickRequest, record: StockRecord, quantity: number): PickedUnits {
  return {
    orderLineItemId: request.orderLineItemId,
    productVariantId: request.productVariantId,
    warehouseId: request.warehouseId,
    warehouseLocationId: record.warehouseLocationId,
    lotNumber: record.lotNumber,
    expirationDate: record.expirationDate,
    quantity,
  };
}

function movementOf(pick: PickedUnits, quantity: number, reference: Reference): Movement {
  return {
    id: newId(),
    warehouseId: pick.warehouseId,
    productVariantId: pick.productVariantId,
    fromWarehouseLocationId: quantity < 0 ? pick.warehouseLocationId : null,
    toWarehouseLocationId: quantity > 0 ? pick.warehouseLocationId : null,
    quantity,
    lotNumber: pick.lotNumber,
    expirationDate: pick.expirationDate,
    reason: reference.reason,
    referenceType: reference.type,
    referenceId: reference.id,
  };
}

function notThere(short: readonly PickRequest[]): ApiError {
  return new ApiError('insufficient_stock', {
    issues: short.map(({ path, from }) => ({
      path,
      code: 'insufficient_stock',
      message:
        from === undefined
          ? 'is allocated, but fewer units are in pickable bins'
          : 'names a bin or lot that has fewer units',
    })),
  });
}

/** All records of these variants in these warehouses, locked in the order of their ids. */
async function lockStocked(
  write: Write,
  wanted: readonly { productVariantId: string; warehouseId: string }[],
): Promise<StockRecord[]> {
  const pairs = [
    ...new Map(wanted.map((one) => [`${one.productVariantId} ${one.warehouseId}`, one])).values(),
  ];
  const rows = await write.transaction.query<Parameters<typeof recordOf>[0]>(sql`
    select ${recordColumns}
    from unnest(${pairs.map((pair) => pair.productVariantId)}::uuid[],
      ${pairs.map((pair) => pair.warehouseId)}::uuid[]) p (variant_id, warehouse_id)
    join inventory_locations r on r.organization_id = ${write.scope.organizationId}
      and r.product_variant_id = p.variant_id and r.warehouse_id = p.warehouse_id
    order by r.id
    for update of r`);
  return rows.map(recordOf);
}
