// SQL of location records, of the ledger's list, and of what a change of stock is checked and answered with.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import { owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import { inDateRange } from '../http/date-range.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { inventoryLocationJson, locationRecordJson, movementJson } from './present.ts';
import type { ListInventoryMovementsQuery, movementSorts } from './schema-ledger.ts';

/** Those of the ids that are the organisation's warehouses, shared ones included. */
export async function findWarehouseIds(
  database: Executor,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await database.query<{ id: string }>(sql`
    select w.id from warehouses w where ${owned('w', organizationId)} and w.id = any(${ids}::uuid[])`);
  return new Set(found.map(({ id }) => id));
}

/** Those of these references that movements in the ledger have. */
export async function findReferences(write: Write, ids: readonly string[]): Promise<Set<string>> {
  const found = await write.transaction.query<{ id: string }>(sql`
    select distinct m.reference_id as id from inventory_movements m
    where ${owned('m', write.scope.organizationId)} and m.reference_id = any(${ids}::uuid[])`);
  return new Set(found.map(({ id }) => id));
}

/** Lets one transaction at a time read and write the references of one source. */
export async function holdReferences(write: Write, source: string): Promise<void> {
  const name = `${write.scope.organizationId} ${source}`;
  await write.transaction.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** The records that hold something, in the order in which they would be picked by location. */
export async function listInventoryLocations(
  database: Executor,
  organizationId: string,
  productVariantId: string,
  warehouseId: string,
): Promise<string[]> {
  const rows = await database.query<{ json: string }>(sql`
    select ${inventoryLocationJson}::text as json
    from inventory_locations il
    join warehouse_locations wl on ${owned('wl', organizationId)} and wl.id = il.warehouse_location_id
    join product_variants v on ${owned('v', organizationId)} and v.id = il.product_variant_id
    where ${owned('il', organizationId)} and il.product_variant_id = ${productVariantId}
      and il.warehouse_id = ${warehouseId} and il.quantity > 0
    order by wl.sequence, wl.name, il.expiration_date nulls last, il.lot_number, il.id`);
  return rows.map((row) => row.json);
}

export interface LocationRecord {
  json: string;
  /** Name of the warehouse location. */
  name: string;
}

/** Location records by id, as a change of stock answers them. */
export async function findLocationRecords(
  database: Executor,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, LocationRecord>> {
  const rows = await database.query<LocationRecord & { id: string }>(sql`
    select il.id, ${locationRecordJson}::text as json, wl.name
    from inventory_locations il
    join warehouse_locations wl on ${owned('wl', organizationId)} and wl.id = il.warehouse_location_id
    where ${owned('il', organizationId)} and il.id = any(${[...new Set(ids)]}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

const sorts: Record<(typeof movementSorts)[number], Sort> = {
  createdAt: { column: ref('m.created_at'), type: 'timestamptz' },
  quantity: { column: ref('m.quantity'), type: 'integer' },
};

/** `variantId` is what the query's identifier names. */
export function listInventoryMovements(
  database: Executor,
  organizationId: string,
  query: ListInventoryMovementsQuery,
  variantId: string | undefined,
): Promise<Page> {
  const where = [owned('m', organizationId), ...inDateRange(ref('m.created_at'), query)];
  const location = query.warehouseLocationId;
  const equal = {
    'm.warehouse_id': query.warehouseId,
    'm.reason': query.reason,
    'm.reference_type': query.referenceType,
    'm.reference_id': query.referenceId,
  };
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) where.push(sql`${ref(column)} = ${value}`);
  }
  for (const id of [query.productVariantId, variantId]) {
    if (id !== undefined) where.push(sql`m.product_variant_id = ${id}`);
  }
  if (query.search !== undefined) {
    where.push(sql`m.product_variant_id in (select v.id from product_variants v
      where ${owned('v', organizationId)} and v.search_text like ${searchPattern(query.search)})`);
  }
  if (location !== undefined) {
    where.push(sql`(m.from_warehouse_location_id = ${location} or m.to_warehouse_location_id = ${location})`);
  }
  return listPage(database, organizationId, query, {
    name: 'listInventoryMovements',
    alias: 'm',
    from: sql`inventory_movements m`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: movementJson(organizationId),
  });
}
