// SQL of stock changes: what is locked, and the bulk writes of records, ledger and settings.
import { sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import type { Movement, StockRecord, Strategy } from './apply-change.ts';
import type { StockChange } from './stock.ts';

export interface StockVariant {
  id: string;
  strategy: Strategy;
  /** Neither a bundle nor untracked. */
  holdsStock: boolean;
}

export async function findStockVariants(
  write: Write,
  ids: readonly string[],
): Promise<Map<string, StockVariant>> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<StockVariant>(sql`
    select v.id, v.inventory_allocation_strategy as strategy,
      v.tracks_inventory and not v.is_bundle as "holdsStock"
    from product_variants v
    where v.organization_id = ${organizationId} and v.id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The variants that share a bundle with each of these. */
export async function findSiblings(write: Write, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<{ id: string; siblings: string[] }>(sql`
    select own.product_variant_id as id, array_agg(distinct other.product_variant_id::text) as siblings
    from bom_line_items own
    join bom_line_items other on other.organization_id = ${organizationId}
      and other.bundle_variant_id = own.bundle_variant_id
    where own.organization_id = ${organizationId} and own.product_variant_id = any(${ids}::uuid[])
    group by own.product_variant_id`);
  return new Map(rows.map((row) => [row.id, row.siblings]));
}

export interface LocationRow {
  id: string;
  warehouseId: string;
  name: string;
  type: string;
  pickable: boolean;
  archived: boolean;
}

/** Holds the locations as they are: none changes its type until the transaction ends. */
export async function lockLocations(write: Write, ids: readonly string[]): Promise<Map<string, LocationRow>> {
  if (ids.length === 0) return new Map();
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<LocationRow>(sql`
    select l.id, l.warehouse_id as "warehouseId", l.name, l.type, l.pickable,
      (l.archived_at is not null or w.archived_at is not null) as archived
    from warehouse_locations l
    join warehouses w on w.organization_id = ${organizationId} and w.id = l.warehouse_id
    where l.organization_id = ${organizationId} and l.id = any(${ids}::uuid[])
    order by l.id
    for share of l`);
  return new Map(rows.map((row) => [row.id, row]));
}

interface RecordRow {
  id: string;
  product_variant_id: string;
  warehouse_id: string;
  warehouse_location_id: string;
  lot_number: string | null;
  expiration_date: Date | null;
  quantity: number;
  expired: boolean;
  stocked_at: Date;
}

export const recordColumns = sql`r.id, r.product_variant_id, r.warehouse_id, r.warehouse_location_id, r.lot_number,
  r.expiration_date, r.quantity, r.expired, r.stocked_at`;

export function recordOf(row: RecordRow): StockRecord {
  return {
    id: row.id,
    productVariantId: row.product_variant_id,
    warehouseId: row.warehouse_id,
    warehouseLocationId: row.warehouse_location_id,
    lotNumber: row.lot_number,
    expirationDate: row.expiration_date,
    quantity: row.quantity,
    expired: row.expired,
    stockedAt: row.stocked_at,
    stored: { quantity: row.quantity, expired: row.expired },
  };
}

/** The records of each change's variant at its locations, locked in the order of their ids. */
export async function lockRecords(write: Write, changes: readonly StockChange[]): Promise<StockRecord[]> {
  if (changes.length === 0) return [];
  const pairs = new Map<string, [string, string]>();
  for (const change of changes) {
    for (const id of [change.fromWarehouseLocationId, change.toWarehouseLocationId]) {
      if (id !== null) pairs.set(`${change.productVariantId} ${id}`, [change.productVariantId, id]);
    }
  }
  const keys = [...pairs.values()];
  const rows = await write.transaction.query<RecordRow>(sql`
    select ${recordColumns}
    from unnest(${keys.map(([variantId]) => variantId)}::uuid[], ${keys.map(([, locationId]) => locationId)}::uuid[])
      p (variant_id, location_id)
    join inventory_locations r on r.organization_id = ${write.scope.organizationId}
      and r.product_variant_id = p.variant_id and r.warehouse_location_id = p.location_id
    order by r.id
    for update of r`);
  return rows.map(recordOf);
}

/** Inserts the new records, adds what changed to the others. */
export function storeRecords(write: Write, records: readonly StockRecord[]): void {
  const { organizationId } = write.scope;
  const fresh = records.filter((record) => record.stored === undefined);
  if (fresh.length > 0) {
    write.transaction.send(sql`
      insert into inventory_locations (organization_id, id, warehouse_id, warehouse_location_id,
        product_variant_id, lot_number, expiration_date, quantity, expired, stocked_at, created_at, updated_at)
      select ${organizationId}, r.*, ${write.now}, ${write.now}
      from unnest(${fresh.map((r) => r.id)}::uuid[], ${fresh.map((r) => r.warehouseId)}::uuid[],
        ${fresh.map((r) => r.warehouseLocationId)}::uuid[], ${fresh.map((r) => r.productVariantId)}::uuid[],
        ${fresh.map((r) => r.lotNumber)}::text[], ${fresh.map((r) => r.expirationDate)}::timestamptz[],
        ${fresh.map((r) => r.quantity)}::int[], ${fresh.map((r) => r.expired)}::bool[],
        ${fresh.map((r) => r.stockedAt)}::timestamptz[]) r`);
  }
  const changed = records.filter(
    ({ stored, quantity, expired }) =>
      stored !== undefined && (stored.quantity !== quantity || stored.expired !== expired),
  );
  if (changed.length > 0) {
    write.transaction.send(sql`
      update inventory_locations r set quantity = r.quantity + c.quantity, expired = c.expired,
        stocked_at = c.stocked_at, updated_at = ${write.now}
      from unnest(${changed.map((r) => r.id)}::uuid[],
        ${changed.map((r) => r.quantity - r.stored!.quantity)}::int[], ${changed.map((r) => r.expired)}::bool[],
        ${changed.map((r) => r.stockedAt)}::timestamptz[]) c (id, quantity, expired, stocked_at)
      where r.organization_id = ${organizationId} and r.id = c.id`);
  }
}

export function insertMovements(write: Write, movements: readonly Movement[]): void {
  if (movements.length === 0) return;
  const m = movements;
  write.transaction.send(sql`
    insert into inventory_movements (organization_id, id, warehouse_id, product_variant_id,
      from_warehouse_location_id, to_warehouse_location_id, quantity, lot_number, expiration_date, reason,
      reference_type, reference_id, api_key_id, created_at)
    select ${write.scope.organizationId}, m.*, ${write.scope.apiKeyId}::uuid, ${write.now}
    from unnest(${m.map((x) => x.id)}::uuid[], ${m.map((x) => x.warehouseId)}::uuid[],
      ${m.map((x) => x.productVariantId)}::uuid[], ${m.map((x) => x.fromWarehouseLocationId)}::uuid[],
      ${m.map((x) => x.toWarehouseLocationId)}::uuid[], ${m.map((x) => x.quantity)}::int[],
      ${m.map((x) => x.lotNumber)}::text[], ${m.map((x) => x.expirationDate)}::timestamptz[],
      ${m.map((x) => x.reason)}::text[], ${m.map((x) => x.referenceType)}::text[],
      ${m.map((x) => x.referenceId)}::uuid[]) m`);
}

export function insertSafetyStock(
  write: Write,
  setting: { id: string; productVariantId: string; warehouseId: string; safetyStockQuantity: number },
): void {
  write.transaction.send(sql`
    insert into inventory_level_settings (organization_id, id, warehouse_id, product_variant_id,
      safety_stock_quantity, created_at)
    values (${write.scope.organizationId}, ${setting.id}, ${setting.warehouseId}, ${setting.productVariantId},
      ${setting.safetyStockQuantity}, ${write.now})`);
}
