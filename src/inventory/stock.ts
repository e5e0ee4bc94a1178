// The one way in which units of stock change: under lock, in memory, then written with a constant number of statements, but for many events.

import { expireLots } from '../allocation/expire-lots.ts';
import { Levels, lockLevels, lockOrMakeLevels, storeLevels } from '../allocation/levels.ts';
import { settle } from '../allocation/settle.ts';
import { holdUnarchived } from '../allocation/sources.ts';
import { newId } from '../database/ids.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import { applyChange, type Movement, type StockRecord, StockRoom } from './apply-change.ts';
import { appendStockEvents } from './stock-events.ts';
import {
  findSiblings,
  findStockVariants,
  insertMovements,
  insertSafetyStock,
  type LocationRow,
  lockLocations,
  lockRecords,
  type StockVariant,
  storeRecords,
} from './stock-queries.ts';

/** Units that come in (no `from`), go out (no `to`), or move inside one warehouse (both). */
export interface StockChange {
  warehouseId: string;
  productVariantId: string;
  fromWarehouseLocationId: string | null;
  toWarehouseLocationId: string | null;
  /** Greater than 0. */
  quantity: number;
  /** Left out where units go out or move: the variant's strategy chooses among the lots, expired ones first. */
  lotNumber?: string | null;
  expirationDate?: Date | null;
  reason: string;
  referenceType?: string | null;
  referenceId?: string | null;
  /** Units that must be at the named location (`from`, else `to`), of that lot where one is named. */
  expectedQuantity?: number;
}

/** Units that are on their way to a level, more or (below 0) fewer than before. */
export interface IncomingChange {
  warehouseId: string;
  productVariantId: string;
  quantity: number;
}

export type StockOutcome =
  | { ok: true; recordId: string; sourceRecordId: string | null }
  | { ok: false; error: ApiError };

/**
 * Applies the changes one after the other, all under one set of locks. With `all` the first failure is thrown
 * (`details.index` says which change), with `each` it is that change's outcome and the others go on.
 * Fills backorders where stock rose, gives allocations back where it fell below them, writes ledger and events.
 * What arrives is no longer on its way: `incoming` is changed under the same locks, whatever becomes of the changes.
 */
export async function changeStock(
  write: Write,
  changes: readonly StockChange[],
  mode: 'all' | 'each' = 'all',
  incoming: readonly IncomingChange[] = [],
): Promise<StockOutcome[]> {
  const touched = [...changes, ...incoming];
  const variantIds = unique(touched.map((change) => change.productVariantId));
  const [variants, siblings] = await Promise.all([
    findStockVariants(write, variantIds),
    findSiblings(write, variantIds),
  ]);
  const levels = new Levels();
  await lockStock(write, levels, touched, variants, siblings);
  const locations = await lockLocations(write, unique(changes.flatMap(locationIds)));
  const room = new StockRoom(await lockRecords(write, changes));

  const movements: Movement[] = [];
  const outcomes = changes.map((change, index): StockOutcome => {
    try {
      checkChange(change, variants, locations);
      const level = levels.get(change.productVariantId, change.warehouseId)!;
      const strategy = variants.get(change.productVariantId)!.strategy;
      const done = applyChange(change, { room, level, locations, strategy, now: write.now });
      movements.push(...done.movements);
      return { ok: true, recordId: done.record.id, sourceRecordId: done.source?.id ?? null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mode === 'all') throw Object.assign(error, { details: { ...error.details, index } });
      return { ok: false, error };
    }
  });
  addIncoming(levels, incoming);
  await storeStock(write, levels, room.records(), movements);
  return outcomes;
}

/** @throws 400 where more would be on its way than a level's figure holds */
function addIncoming(levels: Levels, incoming: readonly IncomingChange[]): void {
  for (const { productVariantId, warehouseId, quantity } of incoming) {
    const level = levels.get(productVariantId, warehouseId);
    if (level === undefined) throw new Error(`incoming units of ${productVariantId}, which holds no stock`);
    level.incoming += quantity;
    if (level.incoming <= limits.levelQuantityMax) continue;
    const message = `more than ${limits.levelQuantityMax} units of a variant would be on their way to the warehouse`;
    throw invalid([{ path: '', code: 'out_of_range', message }]);
  }
}

/** Locks the levels: those of the changes, and those that a bundle's backorders or allocations need with them. */
async function lockStock(
  write: Write,
  levels: Levels,
  changes: readonly IncomingChange[],
  variants: ReadonlyMap<string, StockVariant>,
  siblings: ReadonlyMap<string, string[]>,
): Promise<void> {
  const own = new Map<string, { productVariantId: string; warehouseId: string }>();
  const beside = new Map<string, { productVariantId: string; warehouseId: string }>();
  for (const { productVariantId, warehouseId } of changes) {
    if (variants.get(productVariantId)?.holdsStock !== true) continue;
    own.set(`${productVariantId} ${warehouseId}`, { productVariantId, warehouseId });
    for (const sibling of siblings.get(productVariantId) ?? []) {
      beside.set(`${sibling} ${warehouseId}`, { productVariantId: sibling, warehouseId });
    }
  }
  if (beside.size > 0) await lockLevels(write, levels, [...new Map([...beside, ...own]).values()]);
  await lockOrMakeLevels(
    write,
    levels,
    [...own.values()].filter((pair) => levels.get(pair.productVariantId, pair.warehouseId) === undefined),
  );
  await expireLots(write, levels);
}

/** Writes what has changed in memory, with all that follows from it. */
export async function storeStock(
  write: Write,
  levels: Levels,
  records: readonly StockRecord[],
  movements: readonly Movement[],
): Promise<void> {
  storeRecords(write, records);
  insertMovements(write, movements);
  const settlement = await settle(write, levels);
  const changed = new Set(storeLevels(write, levels));
  await appendStockEvents(write, levels.all(), changed, movements, settlement);
}

function checkChange(
  change: StockChange,
  variants: ReadonlyMap<string, StockVariant>,
  locations: ReadonlyMap<string, LocationRow>,
): void {
  const variant = variants.get(change.productVariantId);
  if (variant === undefined) throw new ApiError('variant_not_found');
  if (!variant.holdsStock) {
    throw invalid([
      {
        path: '/productVariantIdentifier',
        code: 'holds_no_stock',
        message: 'is a bundle or does not track inventory, so it holds no stock of its own',
      },
    ]);
  }
  const named = { warehouseLocationId: change.fromWarehouseLocationId ?? change.toWarehouseLocationId };
  const moved =
    change.fromWarehouseLocationId !== null && change.toWarehouseLocationId !== null
      ? { moveToWarehouseLocationId: change.toWarehouseLocationId }
      : {};
  for (const [field, id] of Object.entries({ ...named, ...moved })) {
    const location = locations.get(id!);
    if (location === undefined || location.warehouseId !== change.warehouseId) {
      throw invalid([{ path: `/${field}`, code: 'not_found', message: 'is no location of this warehouse' }]);
    }
    if (location.archived && id === change.toWarehouseLocationId) {
      throw new ApiError('archived', { message: `${location.name} is archived and takes no new stock` });
    }
  }
}

function locationIds(change: StockChange): string[] {
  return [change.fromWarehouseLocationId, change.toWarehouseLocationId].filter((id) => id !== null);
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/**
 * Sets how many units a level keeps back from sale. Returns the level's id.
 * @throws 409 archived for a warehouse that is archived or no longer shared: nothing is kept back there
 */
export async function setSafetyStock(
  write: Write,
  setting: { productVariantId: string; warehouseId: string; safetyStockQuantity: number },
): Promise<string> {
  const { productVariantId, warehouseId, safetyStockQuantity } = setting;
  const levels = new Levels();
  await lockOrMakeLevels(write, levels, [{ productVariantId, warehouseId }]);
  const level = levels.get(productVariantId, warehouseId);
  if (level === undefined) throw notFound('warehouse');
  if (safetyStockQuantity > 0 && !(await holdUnarchived(write, warehouseId))) {
    throw new ApiError('archived', { message: 'The warehouse is archived' });
  }
  await expireLots(write, levels);
  if (level.safetyStock !== safetyStockQuantity) {
    insertSafetyStock(write, { id: newId(), ...setting });
    level.safetyStock = safetyStockQuantity;
  }
  await storeStock(write, levels, [], []);
  return level.id;
}
