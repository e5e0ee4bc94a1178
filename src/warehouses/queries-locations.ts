// Every SQL statement about warehouse locations and their history.
import { type Executor, sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { column as ref } from '../database/json.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import type { LocationType } from './location-type.ts';
import { locationJson } from './present.ts';
import type { ListWarehouseLocationsQuery, locationSorts } from './schema.ts';

const sorts: Record<(typeof locationSorts)[number], Sort> = {
  createdAt: { column: ref('l.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('l.updated_at'), type: 'timestamptz' },
  name: { column: ref('l.name'), type: 'text' },
  sequence: { column: ref('l.sequence'), type: 'integer' },
};

export function listWarehouseLocations(
  database: Executor,
  organizationId: string,
  warehouseId: string,
  query: ListWarehouseLocationsQuery,
): Promise<Page> {
  const where = [sql`l.organization_id = ${organizationId}`, sql`l.warehouse_id = ${warehouseId}`];
  if (!query.includeArchived) where.push(sql`l.archived_at is null`);
  if (query.search !== undefined) where.push(sql`lower(l.name) like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: `listWarehouseLocations ${warehouseId}`,
    alias: 'l',
    from: sql`warehouse_locations l`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: locationJson(organizationId),
  });
}

export async function findWarehouseLocation(
  database: Executor,
  organizationId: string,
  warehouseId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${locationJson(organizationId)}::text as json, l.version from warehouse_locations l
    where l.organization_id = ${organizationId} and l.id = ${id} and l.warehouse_id = ${warehouseId}`);
  return found;
}

/** All that an owner's row and its mirrors have in common. */
export interface LocationRow {
  id: string;
  warehouseId: string;
  name: string;
  type: LocationType;
  pickable: boolean;
  sequence: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const rowColumns = sql`l.id, l.warehouse_id as "warehouseId", l.name, l.type, l.pickable, l.sequence,
  l.version, l.created_at as "createdAt", l.updated_at as "updatedAt", l.archived_at as "archivedAt"`;

/** They change only under the lock of their warehouse. */
export function readLocations(
  write: UnscopedWrite,
  organizationId: string,
  warehouseIds: readonly string[],
): Promise<LocationRow[]> {
  return write.transaction.query(sql`
    select ${rowColumns} from warehouse_locations l
    where l.organization_id = ${organizationId} and l.warehouse_id = any(${warehouseIds}::uuid[])
    order by l.id`);
}

export async function readLocation(
  write: Write,
  warehouseId: string,
  id: string,
): Promise<LocationRow | undefined> {
  const [row] = await write.transaction.query<LocationRow>(sql`
    select ${rowColumns} from warehouse_locations l
    where l.organization_id = ${write.scope.organizationId} and l.id = ${id} and l.warehouse_id = ${warehouseId}`);
  return row;
}

/** Makes the rows of these locations the same in every one of these organisations. */
export function storeLocations(
  write: UnscopedWrite,
  organizationIds: readonly string[],
  locations: readonly LocationRow[],
): void {
  if (organizationIds.length === 0 || locations.length === 0) return;
  const each = <T>(value: (row: LocationRow) => T) => locations.map(value);
  write.transaction.send(sql`
    insert into warehouse_locations (organization_id, id, warehouse_id, name, type, pickable, sequence, version,
      created_at, updated_at, archived_at)
    select o.id, l.*
    from unnest(${organizationIds}::uuid[]) o (id) cross join unnest(
      ${each((l) => l.id)}::uuid[], ${each((l) => l.warehouseId)}::uuid[], ${each((l) => l.name)}::text[],
      ${each((l) => l.type)}::text[], ${each((l) => l.pickable)}::boolean[], ${each((l) => l.sequence)}::int[],
      ${each((l) => l.version)}::int[], ${each((l) => l.createdAt)}::timestamptz[],
      ${each((l) => l.updatedAt)}::timestamptz[], ${each((l) => l.archivedAt)}::timestamptz[]) l
    on conflict (organization_id, id) do update set name = excluded.name, type = excluded.type,
      pickable = excluded.pickable, sequence = excluded.sequence, version = excluded.version,
      updated_at = excluded.updated_at, archived_at = excluded.archived_at`);
}

/** Notes what these locations are from now on. */
export function insertLocationHistory(
  write: UnscopedWrite,
  organizationIds: readonly string[],
  locations: readonly LocationRow[],
): void {
  if (organizationIds.length === 0 || locations.length === 0) return;
  const each = <T>(value: (row: LocationRow) => T) => locations.map(value);
  write.transaction.send(sql`
    insert into warehouse_location_history (organization_id, id, warehouse_location_id, type, pickable, created_at)
    select o.id, l.*, ${write.now}
    from unnest(${organizationIds}::uuid[]) o (id) cross join unnest(
      ${each(() => newId())}::uuid[], ${each((l) => l.id)}::uuid[], ${each((l) => l.type)}::text[],
      ${each((l) => l.pickable)}::boolean[]) l`);
}
