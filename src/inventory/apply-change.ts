// One stock change in memory: which records give and take how many units. Pure; the records are under lock.
import type { Level, UnitClass } from '../allocation/levels.ts';
import { newId } from '../database/ids.ts';
import { ApiError, invalid } from '../errors.ts';
import * as limits from '../limits.ts';
import type { StockChange } from './stock.ts';
import type { LocationRow } from './stock-queries.ts';

export type Strategy = 'FIFO' | 'FEFO' | 'LIFO';

/** Units of a variant at a location, of one lot and expiry. */
export interface StockRecord {
  id: string;
  productVariantId: string;
  warehouseId: string;
  warehouseLocationId: string;
  lotNumber: string | null;
  expirationDate: Date | null;
  quantity: number;
  /** Its expiry has passed and its units no longer count as pickable. */
  expired: boolean;
  stockedAt: Date;
  /** What is stored; undefined for a record that is yet to be inserted. */
  stored: { quantity: number; expired: boolean } | undefined;
}

/** One row of the ledger. */
export interface Movement {
  id: string;
  warehouseId: string;
  productVariantId: string;
  fromWarehouseLocationId: string | null;
  toWarehouseLocationId: string | null;
  /** Signed: negative where units leave. */
  quantity: number;
  lotNumber: string | null;
  expirationDate: Date | null;
  reason: string;
  referenceType: string | null;
  referenceId: string | null;
}

/** The records of one transaction, found by variant and location. */
export class StockRoom {
  readonly #records = new Map<string, StockRecord[]>();

  constructor(records: readonly StockRecord[]) {
    for (const record of records) this.add(record);
  }

  add(record: StockRecord): void {
    const key = `${record.productVariantId} ${record.warehouseLocationId}`;
    const known = this.#records.get(key);
    if (known === undefined) this.#records.set(key, [record]);
    else known.push(record);
  }

  at(productVariantId: string, warehouseLocationId: string): readonly StockRecord[] {
    return this.#records.get(`${productVariantId} ${warehouseLocationId}`) ?? [];
  }

  records(): StockRecord[] {
    return [...this.#records.values()].flat();
  }
}

export interface Circumstances {
  room: StockRoom;
  level: Level;
  locations: ReadonlyMap<string, LocationRow>;
  strategy: Strategy;
  now: Date;
}

/** Where the units of a record count. */
export function classOf(location: Pick<LocationRow, 'type' | 'pickable'>, expired: boolean): UnitClass {
  if (location.type === 'damaged') return 'damaged';
  if (location.type === 'quality-control') return 'qualityControl';
  return location.pickable && !expired ? 'pickable' : 'reserved';
}

/** @throws 409 stale_quantity, insufficient_stock, before anything has changed */
export function applyChange(
  change: StockChange,
  circumstances: Circumstances,
): { record: StockRecord; source: StockRecord | undefined; movements: Movement[] } {
  const { room } = circumstances;
  const { fromWarehouseLocationId: from, toWarehouseLocationId: to } = change;
  const named = matching(change, room.at(change.productVariantId, (from ?? to)!));
  checkExpectation(change, named);
  if (from === null) {
    checkRoomFor(change, circumstances.level);
    const record = put(change, change, circumstances, change.quantity);
    return { record, source: undefined, movements: [movementOf(change, record, change.quantity)] };
  }
  const present = total(named);
  if (present < change.quantity) {
    throw new ApiError('insufficient_stock', {
      message: `Only ${present} of ${change.quantity} units are there`,
      details: { availableQuantity: present, requestedQuantity: change.quantity },
    });
  }
  const movements: Movement[] = [];
  let missing = change.quantity;
  let source = named[0]!;
  let record = source;
  for (const giver of inPickOrder(named, circumstances.strategy)) {
    const quantity = Math.min(missing, giver.quantity);
    if (quantity === 0) continue;
    shift(giver, -quantity, circumstances);
    source = giver;
    record = to === null ? giver : put(change, giver, circumstances, quantity);
    movements.push(movementOf(change, giver, to === null ? -quantity : quantity));
    missing -= quantity;
    if (missing === 0) break;
  }
  return { record, source: to === null ? undefined : source, movements };
}

/** Expired lots leave first, then by strategy. */
export function inPickOrder(records: readonly StockRecord[], strategy: Strategy): StockRecord[] {
  const age = (record: StockRecord) => record.stockedAt.getTime() * (strategy === 'LIFO' ? -1 : 1);
  const expiry = (record: StockRecord) =>
    strategy === 'FEFO' ? (record.expirationDate?.getTime() ?? Number.MAX_SAFE_INTEGER) : 0;
  return records.toSorted(
    (a, b) =>
      Number(b.expired) - Number(a.expired) ||
      expiry(a) - expiry(b) ||
      age(a) - age(b) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** The records that a change means: all lots, or those of the lot and expiry that it names. */
function matching(change: StockChange, records: readonly StockRecord[]): StockRecord[] {
  const { lotNumber, expirationDate } = change;
  return records.filter(
    (record) =>
      (lotNumber == null || record.lotNumber === lotNumber) &&
      (expirationDate == null || record.expirationDate?.getTime() === expirationDate.getTime()),
  );
}

function checkExpectation(change: StockChange, named: readonly StockRecord[]): void {
  const { expectedQuantity } = change;
  if (expectedQuantity === undefined) return;
  const currentQuantity = total(named);
  if (currentQuantity !== expectedQuantity) {
    throw new ApiError('stale_quantity', { details: { expectedQuantity, currentQuantity } });
  }
}

function checkRoomFor(change: StockChange, level: Level): void {
  const units = level.pickable + level.reserved + level.damaged + level.qualityControl;
  if (units + change.quantity <= limits.levelQuantityMax) return;
  throw invalid([
    {
      path: '/changeQuantity',
      code: 'out_of_range',
      message: `would make more than ${limits.levelQuantityMax} units in the warehouse`,
    },
  ]);
}

/** Adds units to the record of that lot at the change's destination. */
function put(
  change: StockChange,
  lot: { lotNumber?: string | null; expirationDate?: Date | null },
  circumstances: Circumstances,
  quantity: number,
): StockRecord {
  const place = {
    productVariantId: change.productVariantId,
    warehouseId: change.warehouseId,
    warehouseLocationId: change.toWarehouseLocationId!,
    lotNumber: lot.lotNumber ?? null,
    expirationDate: lot.expirationDate ?? null,
  };
  return putUnits(place, quantity, circumstances);
}

export type Place = Pick<
  StockRecord,
  'productVariantId' | 'warehouseId' | 'warehouseLocationId' | 'lotNumber' | 'expirationDate'
>;

/** Adds units to the record of a lot at a place; the record is made where it is missing. */
export function putUnits(
  place: Place,
  quantity: number,
  circumstances: Pick<Circumstances, 'room' | 'level' | 'locations' | 'now'>,
): StockRecord {
  const { room, now } = circumstances;
  const { productVariantId, warehouseId, warehouseLocationId, lotNumber, expirationDate } = place;
  let record = room
    .at(productVariantId, warehouseLocationId)
    .find(
      (other) =>
        other.lotNumber === lotNumber && other.expirationDate?.getTime() === expirationDate?.getTime(),
    );
  if (record === undefined) {
    record = {
      id: newId(),
      productVariantId,
      warehouseId,
      warehouseLocationId,
      lotNumber,
      expirationDate,
      quantity: 0,
      expired: expirationDate !== null && expirationDate <= now,
      stockedAt: now,
      stored: undefined,
    };
    room.add(record);
  }
  if (record.quantity === 0) {
    record.stockedAt = now;
    // Nobody watches the expiry of an empty record: it may have passed unnoticed.
    record.expired = expirationDate !== null && expirationDate <= now;
  }
  shift(record, quantity, circumstances);
  return record;
}

function shift(
  record: StockRecord,
  quantity: number,
  { level, locations }: Pick<Circumstances, 'level' | 'locations'>,
): void {
  record.quantity += quantity;
  level[classOf(locations.get(record.warehouseLocationId)!, record.expired)] += quantity;
  const { expirationDate } = record;
  if (quantity > 0 && !record.expired && expirationDate !== null) {
    if (level.nextExpirationDate === null || expirationDate < level.nextExpirationDate) {
      level.nextExpirationDate = expirationDate;
    }
  }
}

function movementOf(change: StockChange, record: StockRecord, quantity: number): Movement {
  return {
    id: newId(),
    warehouseId: change.warehouseId,
    productVariantId: change.productVariantId,
    fromWarehouseLocationId: change.fromWarehouseLocationId,
    toWarehouseLocationId: change.toWarehouseLocationId,
    quantity,
    lotNumber: record.lotNumber,
    expirationDate: record.expirationDate,
    reason: change.reason,
    referenceType: change.referenceType ?? null,
    referenceId: change.referenceId ?? null,
  };
}

function total(records: readonly StockRecord[]): number {
  return records.reduce((sum, record) => sum + record.quantity, 0);
}
