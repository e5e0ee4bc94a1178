// Every SQL statement about carrier accounts, but for those that give them to carriers.
import type { CarrierKind } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { carrierAccountJson } from './present.ts';
import { visible } from './queries-use.ts';
import type { accountSorts, ListCarrierAccountsQuery } from './schema.ts';

const sorts: Record<(typeof accountSorts)[number], Sort> = {
  createdAt: { column: column('a.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('a.updated_at'), type: 'timestamptz' },
  carrierCode: { column: column('a.carrier_code'), type: 'text' },
  description: { column: column('a.description'), type: 'text' },
};

export function listCarrierAccounts(
  database: Executor,
  organizationId: string,
  query: ListCarrierAccountsQuery,
): Promise<Page> {
  const where = [sql`a.organization_id = ${organizationId}`, visible];
  if (!query.includeArchived) where.push(sql`a.archived_at is null`);
  if (query.search !== undefined) {
    const pattern = searchPattern(query.search);
    where.push(sql`(lower(a.description) like ${pattern} or lower(a.carrier_code) like ${pattern})`);
  }
  return listPage(database, organizationId, query, {
    name: 'listCarrierAccounts',
    alias: 'a',
    from: sql`carrier_accounts a`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: carrierAccountJson,
  });
}

export async function findCarrierAccount(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${carrierAccountJson}::text as json, a.version from carrier_accounts a
    where a.organization_id = ${organizationId} and a.id = ${id} and ${visible}`);
  return found;
}

/** Accounts of its own that are not archived. */
export async function countCarrierAccounts(database: Executor, organizationId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from carrier_accounts a
    where a.organization_id = ${organizationId} and a.owner_organization_id = ${organizationId}
      and a.archived_at is null`);
  return row!.count;
}

/** All that an owner's row and its mirrors have in common, and the credentials, which are on the owner's alone. */
export interface AccountRow {
  id: string;
  ownerOrganizationId: string;
  kind: CarrierKind;
  carrierCode: string;
  description: string;
  enabled: boolean;
  sharedWithChildren: boolean;
  settings: Record<string, unknown>;
  credentials: Buffer | null;
  hasCredentials: boolean;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

const rowColumns = sql`a.id, a.owner_organization_id as "ownerOrganizationId", a.kind,
  a.carrier_code as "carrierCode", a.description, a.enabled,
  a.shared_with_children as "sharedWithChildren", a.settings, a.credentials,
  a.has_credentials as "hasCredentials", a.version, a.created_at as "createdAt",
  a.updated_at as "updatedAt", a.archived_at as "archivedAt"`;

/** The row, locked until the transaction ends. */
export async function lockCarrierAccount(write: Write, id: string): Promise<AccountRow | undefined> {
  const [row] = await write.transaction.query<AccountRow>(sql`
    select ${rowColumns} from carrier_accounts a
    where a.organization_id = ${write.scope.organizationId} and a.id = ${id} and ${visible}
    for no key update`);
  return row;
}

/** What the organisation shares with its children. */
export function readSharedAccounts(write: UnscopedWrite, organizationId: string): Promise<AccountRow[]> {
  return write.transaction.query(sql`
    select ${rowColumns} from carrier_accounts a
    where a.organization_id = ${organizationId} and a.owner_organization_id = ${organizationId}
      and a.shared_with_children
    order by a.id`);
}

/** Those of these organisations that have a row of the account. */
export async function findMirrors(
  write: Write,
  id: string,
  organizationIds: readonly string[],
): Promise<string[]> {
  if (organizationIds.length === 0) return [];
  const rows = await write.transaction.query<{ id: string }>(sql`
    select a.organization_id as id from carrier_accounts a
    where a.organization_id = any(${organizationIds}::uuid[]) and a.id = ${id}
    order by a.organization_id`);
  return rows.map((row) => row.id);
}

/** Makes the rows of these accounts the same in every one of these organisations; credentials are the owner's. */
export function storeCarrierAccounts(
  write: UnscopedWrite,
  organizationIds: readonly string[],
  accounts: readonly AccountRow[],
): void {
  if (organizationIds.length === 0 || accounts.length === 0) return;
  const each = <T>(value: (row: AccountRow) => T) => accounts.map(value);
  write.transaction.send(sql`
    insert into carrier_accounts (organization_id, credentials, id, owner_organization_id, kind, carrier_code,
      description, enabled, shared_with_children, settings, has_credentials, version, created_at, updated_at,
      archived_at)
    select o.id, case when o.id = a.owner then a.sealed end, a.id, a.owner, a.kind, a.code, a.description,
      a.enabled, a.shared, a.settings, a.sealed is not null, a.version, a.created_at, a.updated_at, a.archived_at
    from unnest(${organizationIds}::uuid[]) o (id) cross join unnest(
      ${each((a) => a.id)}::uuid[], ${each((a) => a.ownerOrganizationId)}::uuid[], ${each((a) => a.kind)}::text[],
      ${each((a) => a.carrierCode)}::text[], ${each((a) => a.description)}::text[],
      ${each((a) => a.enabled)}::boolean[], ${each((a) => a.sharedWithChildren)}::boolean[],
      ${each((a) => JSON.stringify(a.settings))}::jsonb[], ${each((a) => a.credentials)}::bytea[],
      ${each((a) => a.version)}::int[], ${each((a) => a.createdAt)}::timestamptz[],
      ${each((a) => a.updatedAt)}::timestamptz[], ${each((a) => a.archivedAt)}::timestamptz[])
      a (id, owner, kind, code, description, enabled, shared, settings, sealed, version, created_at, updated_at,
        archived_at)
    on conflict (organization_id, id) do update set description = excluded.description,
      enabled = excluded.enabled, shared_with_children = excluded.shared_with_children,
      settings = excluded.settings, credentials = excluded.credentials,
      has_credentials = excluded.has_credentials, version = excluded.version,
      updated_at = excluded.updated_at, archived_at = excluded.archived_at`);
}
