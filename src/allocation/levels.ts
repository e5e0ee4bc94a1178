// Stock levels under lock: read once, changed in memory, written back as deltas in one statement.
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { noMoreThan } from '../database/no-more-than.ts';
import type { Write } from '../http/api.ts';
import { addToLevelTotals } from './level-totals.ts';

/** The figures of a level that are kept; on hand is the sum of the first four. */
export interface Quantities {
  pickable: number;
  reserved: number;
  damaged: number;
  qualityControl: number;
  committed: number;
  safetyStock: number;
  incoming: number;
}

export type UnitClass = 'pickable' | 'reserved' | 'damaged' | 'qualityControl';

export interface Level extends Quantities {
  readonly id: string;
  readonly productVariantId: string;
  readonly warehouseId: string;
  readonly policy: 'deny' | 'continue';
  nextExpirationDate: Date | null;
  /** As it was when it was locked. */
  readonly before: Readonly<Quantities & { nextExpirationDate: Date | null }>;
}

export interface VariantInWarehouse {
  productVariantId: string;
  warehouseId: string;
}

export function available(level: Quantities): number {
  return level.pickable - level.committed - level.safetyStock;
}

export function onHand(level: Quantities): number {
  return level.pickable + level.reserved + level.damaged + level.qualityControl;
}

/** The levels that one transaction holds. */
export class Levels {
  readonly #levels = new Map<string, Level>();

  add(level: Level): void {
    const key = `${level.productVariantId} ${level.warehouseId}`;
    if (!this.#levels.has(key)) this.#levels.set(key, level);
  }

  get(productVariantId: string, warehouseId: string): Level | undefined {
    return this.#levels.get(`${productVariantId} ${warehouseId}`);
  }

  all(): Level[] {
    return [...this.#levels.values()];
  }
}

interface LevelRow {
  id: string;
  product_variant_id: string;
  warehouse_id: string;
  inventory_policy: 'deny' | 'continue';
  pickable_quantity: number;
  reserved_quantity: number;
  damaged_quantity: number;
  quality_control_quantity: number;
  committed_quantity: number;
  safety_stock_quantity: number;
  incoming_quantity: number;
  next_expiration_date: Date | null;
  updated_at: Date;
}

function addRow(levels: Levels, row: LevelRow): void {
  const figures = {
    pickable: row.pickable_quantity,
    reserved: row.reserved_quantity,
    damaged: row.damaged_quantity,
    qualityControl: row.quality_control_quantity,
    committed: row.committed_quantity,
    safetyStock: row.safety_stock_quantity,
    incoming: row.incoming_quantity,
    nextExpirationDate: row.next_expiration_date,
  };
  levels.add({
    id: row.id,
    productVariantId: row.product_variant_id,
    warehouseId: row.warehouse_id,
    policy: row.inventory_policy,
    ...figures,
    before: figures,
  });
}

const levelColumns = sql`l.id, l.product_variant_id, l.warehouse_id, v.inventory_policy, l.pickable_quantity,
  l.reserved_quantity, l.damaged_quantity, l.quality_control_quantity, l.committed_quantity,
  l.safety_stock_quantity, l.incoming_quantity, l.next_expiration_date, l.updated_at`;

/** Locks every level of these variants, in the one order that all transactions keep: variant, warehouse. */
export async function lockVariantLevels(
  write: Write,
  levels: Levels,
  variantIds: readonly string[],
): Promise<void> {
  if (variantIds.length === 0) return;
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<LevelRow>(sql`
    select ${levelColumns}
    from inventory_levels l
    join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
    where l.organization_id = ${organizationId} and l.product_variant_id = any(${variantIds}::uuid[])
    order by l.product_variant_id, l.warehouse_id
    for update of l`);
  for (const row of rows) addRow(levels, row);
  holdTime(write, rows);
}

/** Locks the levels of these pairs that exist. */
export async function lockLevels(
  write: Write,
  levels: Levels,
  pairs: readonly VariantInWarehouse[],
): Promise<void> {
  if (pairs.length === 0) return;
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<LevelRow>(sql`
    select ${levelColumns}
    from unnest(${pairs.map((pair) => pair.productVariantId)}::uuid[],
      ${pairs.map((pair) => pair.warehouseId)}::uuid[]) p (product_variant_id, warehouse_id)
    join inventory_levels l on l.organization_id = ${organizationId}
      and l.product_variant_id = p.product_variant_id and l.warehouse_id = p.warehouse_id
    join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
    order by l.product_variant_id, l.warehouse_id
    for update of l`);
  for (const row of rows) addRow(levels, row);
  holdTime(write, rows);
}

const timed = new WeakSet<Write['transaction']>();

/**
 * Takes the write's time anew once its first levels are held: two writes on one level then have times in the order in
 * which they happened, and a level asked for as of a moment between them was really so. Where the clock has been set back
 * meanwhile, or another process's is ahead, the time is that of the level's last change and a little more.
 */
function holdTime(write: Write, rows: readonly LevelRow[]): void {
  if (timed.has(write.transaction)) return;
  timed.add(write.transaction);
  const last = rows.reduce((latest, row) => Math.max(latest, row.updated_at.getTime()), 0);
  write.now = new Date(Math.max(Date.now(), last + 1));
}

/** Makes the levels of these pairs where they are missing; pairs of unknown warehouses or variants are passed over. */
export async function makeLevels(write: Write, pairs: readonly VariantInWarehouse[]): Promise<void> {
  if (pairs.length === 0) return;
  const { organizationId } = write.scope;
  const sorted = [...pairs].sort((a, b) => compareKeys(a, b));
  const made = await write.transaction.query<{ warehouseId: string }>(sql`
    insert into inventory_levels (organization_id, id, warehouse_id, product_variant_id, created_at, updated_at)
    select ${organizationId}, p.id, p.warehouse_id, p.product_variant_id, ${write.now}, ${write.now}
    from unnest(${sorted.map(() => newId())}::uuid[], ${sorted.map((pair) => pair.productVariantId)}::uuid[],
      ${sorted.map((pair) => pair.warehouseId)}::uuid[]) with ordinality
      p (id, product_variant_id, warehouse_id, n)
    join warehouses w on w.organization_id = ${organizationId} and w.id = p.warehouse_id
    join product_variants v on v.organization_id = ${organizationId} and v.id = p.product_variant_id
    order by p.n
    on conflict on constraint inventory_levels_variant_warehouse_key do nothing
    returning warehouse_id as "warehouseId"`);
  addToLevelTotals(write, made);
}

function compareKeys(a: VariantInWarehouse, b: VariantInWarehouse): number {
  const left = a.productVariantId + a.warehouseId;
  const right = b.productVariantId + b.warehouseId;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Locks the levels of these pairs, making those that are missing. */
export async function lockOrMakeLevels(
  write: Write,
  levels: Levels,
  pairs: readonly VariantInWarehouse[],
): Promise<void> {
  await lockLevels(write, levels, pairs);
  const missing = pairs.filter((pair) => levels.get(pair.productVariantId, pair.warehouseId) === undefined);
  if (missing.length === 0) return;
  await makeLevels(write, missing);
  await lockLevels(write, levels, missing);
}

/** Writes what changed since the levels were locked: relative updates, one statement. */
export function storeLevels(write: Write, levels: Levels): Level[] {
  const changed = levels.all().filter(isChanged);
  if (changed.length === 0) return changed;
  const delta = (name: keyof Quantities) => changed.map((level) => level[name] - level.before[name]);
  const expirations = changed.map((level) => level.nextExpirationDate?.toISOString() ?? null);
  write.transaction.send(sql`
    update inventory_levels l set
      pickable_quantity = l.pickable_quantity + d.pickable,
      reserved_quantity = l.reserved_quantity + d.reserved,
      damaged_quantity = l.damaged_quantity + d.damaged,
      quality_control_quantity = l.quality_control_quantity + d.quality_control,
      on_hand_quantity = l.on_hand_quantity + d.pickable + d.reserved + d.damaged + d.quality_control,
      committed_quantity = l.committed_quantity + d.committed,
      safety_stock_quantity = l.safety_stock_quantity + d.safety_stock,
      incoming_quantity = l.incoming_quantity + d.incoming,
      next_expiration_date = d.next_expiration_date,
      updated_at = ${write.now}
    from (select * from unnest(${changed.map((level) => level.id)}::uuid[], ${delta('pickable')}::int[],
      ${delta('reserved')}::int[], ${delta('damaged')}::int[], ${delta('qualityControl')}::int[],
      ${delta('committed')}::int[], ${delta('safetyStock')}::int[], ${delta('incoming')}::int[],
      ${expirations}::timestamptz[]) ${noMoreThan(changed.length)})
      d (id, pickable, reserved, damaged, quality_control, committed, safety_stock, incoming, next_expiration_date)
    where l.organization_id = ${write.scope.organizationId} and l.id = d.id`);
  return changed;
}

function isChanged(level: Level): boolean {
  const { before } = level;
  return (
    onHand(level) !== onHand(before) ||
    level.pickable !== before.pickable ||
    level.reserved !== before.reserved ||
    level.damaged !== before.damaged ||
    level.committed !== before.committed ||
    level.safetyStock !== before.safetyStock ||
    level.incoming !== before.incoming ||
    level.nextExpirationDate?.getTime() !== before.nextExpirationDate?.getTime()
  );
}
