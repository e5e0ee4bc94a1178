// Every SQL statement about warehouses.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import type { Address } from '../http/schemas.ts';
import { warehouseJson } from './present.ts';
import type { ListWarehousesQuery, warehouseSorts } from './schema.ts';

/** A child's row of a warehouse that the parent no longer shares stays for what happened there, unseen. */
const visible = sql`(w.owner_organization_id = w.organization_id or w.shared_with_children)`;

const sorts: Record<(typeof warehouseSorts)[number], Sort> = {
  createdAt: { column: ref('w.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('w.updated_at'), type: 'timestamptz' },
  name: { column: ref('w.name'), type: 'text' },
  priority: { column: ref('w.priority'), type: 'integer' },
};

export function listWarehouses(
  database: Executor,
  organizationId: string,
  query: ListWarehousesQuery,
): Promise<Page> {
  const where = [sql`w.organization_id = ${organizationId}`, visible];
  if (!query.includeArchived) where.push(sql`w.archived_at is null`);
  if (query.search !== undefined) where.push(sql`lower(w.name) like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: 'listWarehouses',
    alias: 'w',
    from: sql`warehouses w`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: warehouseJson,
  });
}

export async function findWarehouse(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${warehouseJson}::text as json, w.version from warehouses w
    where w.organization_id = ${organizationId} and w.id = ${id} and ${visible}`);
  return found;
}

/** All that an owner's row and its mirrors have in common. */
export interface WarehouseRow {
  id: string;
  ownerOrganizationId: string;
  name: string;
  addressId: string;
  address: Address | null;
  priority: number;
  isThirdParty: boolean;
  sharedWithChildren: boolean;
  metadata: Record<string, string>;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const rowColumns = sql`w.id, w.owner_organization_id as "ownerOrganizationId", w.name,
  w.address_id as "addressId", w.address, w.priority, w.is_third_party as "isThirdParty",
  w.shared_with_children as "sharedWithChildren", w.metadata, w.version, w.created_at as "createdAt",
  w.updated_at as "updatedAt", w.archived_at as "archivedAt"`;

/** The row, locked until the transaction ends: `shared` with others who add to the warehouse, or alone. */
export async function lockWarehouse(
  write: Write,
  id: string,
  lock: 'shared' | 'alone',
): Promise<WarehouseRow | undefined> {
  const [row] = await write.transaction.query<WarehouseRow>(sql`
    select ${rowColumns} from warehouses w
    where w.organization_id = ${write.scope.organizationId} and w.id = ${id} and ${visible}
    ${lock === 'shared' ? sql`for share` : sql`for no key update`}`);
  return row;
}

/** What the organisation shares with its children. */
export function readSharedWarehouses(write: UnscopedWrite, organizationId: string): Promise<WarehouseRow[]> {
  return write.transaction.query(sql`
    select ${rowColumns} from warehouses w
    where w.organization_id = ${organizationId} and w.owner_organization_id = ${organizationId}
      and w.shared_with_children
    order by w.id`);
}

/** Those of these organisations that have a row of the warehouse. */
export async function findMirrors(
  write: Write,
  id: string,
  organizationIds: readonly string[],
): Promise<string[]> {
  if (organizationIds.length === 0) return [];
  const rows = await write.transaction.query<{ id: string }>(sql`
    select w.organization_id as id from warehouses w
    where w.organization_id = any(${organizationIds}::uuid[]) and w.id = ${id}
    order by w.organization_id`);
  return rows.map((row) => row.id);
}

/** Makes the rows of these warehouses the same in every one of these organisations. */
export function storeWarehouses(
  write: UnscopedWrite,
  organizationIds: readonly string[],
  warehouses: readonly WarehouseRow[],
): void {
  if (organizationIds.length === 0 || warehouses.length === 0) return;
  const each = <T>(value: (row: WarehouseRow) => T) => warehouses.map(value);
  write.transaction.send(sql`
    insert into warehouses (organization_id, id, owner_organization_id, name, address_id, address, priority,
      is_third_party, shared_with_children, metadata, version, created_at, updated_at, archived_at)
    select o.id, w.*
    from unnest(${organizationIds}::uuid[]) o (id) cross join unnest(
      ${each((w) => w.id)}::uuid[], ${each((w) => w.ownerOrganizationId)}::uuid[],
      ${each((w) => w.name)}::text[], ${each((w) => w.addressId)}::uuid[],
      ${each((w) => (w.address === null ? null : JSON.stringify(w.address)))}::json[],
      ${each((w) => w.priority)}::int[], ${each((w) => w.isThirdParty)}::boolean[],
      ${each((w) => w.sharedWithChildren)}::boolean[], ${each((w) => JSON.stringify(w.metadata))}::jsonb[],
      ${each((w) => w.version)}::int[], ${each((w) => w.createdAt)}::timestamptz[],
      ${each((w) => w.updatedAt)}::timestamptz[], ${each((w) => w.archivedAt)}::timestamptz[]) w
    on conflict (organization_id, id) do update set name = excluded.name, address = excluded.address,
      priority = excluded.priority, is_third_party = excluded.is_third_party,
      shared_with_children = excluded.shared_with_children, metadata = excluded.metadata,
      version = excluded.version, updated_at = excluded.updated_at, archived_at = excluded.archived_at`);
}
