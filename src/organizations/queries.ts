// Every SQL statement about organisations. The table is a reference table: its rows belong to no other organisation.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { organizationJson } from './present.ts';
import type { clientSorts, ListClientsQuery } from './schema.ts';

const sorts: Record<(typeof clientSorts)[number], Sort> = {
  createdAt: { column: ref('o.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('o.updated_at'), type: 'timestamptz' },
  name: { column: ref('o.name'), type: 'text' },
  slug: { column: ref('o.slug'), type: 'text' },
};

export function listClients(
  database: Executor,
  organizationId: string,
  query: ListClientsQuery,
): Promise<Page> {
  const where = [sql`o.parent_id = ${organizationId}`];
  if (query.search !== undefined) {
    const pattern = searchPattern(query.search);
    where.push(sql`(lower(o.name) like ${pattern} or o.slug like ${pattern})`);
  }
  return listPage(database, organizationId, query, {
    name: 'listClients',
    alias: 'o',
    from: sql`organizations o`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: organizationJson,
  });
}

export async function findOrganization(database: Executor, id: string): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${organizationJson}::text as json, o.version from organizations o where o.id = ${id}`);
  return found;
}

export interface OrganizationSummary {
  id: string;
  slug: string;
  name: string;
  parentId: string | null;
  parentSlug: string | null;
  createdAt: Date;
}

/** Every organisation of the installation, each parent before its clients; for its operator only. */
export function listOrganizations(database: Executor): Promise<OrganizationSummary[]> {
  return database.query(sql`
    select o.id, o.slug, o.name, o.parent_id as "parentId", p.slug as "parentSlug", o.created_at as "createdAt"
    from organizations o left join organizations p on p.id = o.parent_id
    order by coalesce(p.slug, o.slug), o.parent_id is not null, o.slug, o.id`);
}

export interface OrganizationRow {
  name: string;
  allocation: 'split' | 'whole';
  version: number;
}

/** The row, locked until the transaction ends; the organisation's other writes go on. */
export async function lockOrganization(write: Write): Promise<OrganizationRow> {
  const [row] = await write.transaction.query<OrganizationRow>(sql`
    select name, allocation, version from organizations
    where id = ${write.scope.organizationId} for no key update`);
  return row!;
}

export function insertOrganization(
  write: UnscopedWrite,
  organization: { id: string; parentId: string | null; slug: string; name: string },
): void {
  const { id, parentId, slug, name } = organization;
  write.transaction.send(sql`
    insert into organizations (id, parent_id, slug, name, created_at, updated_at)
    values (${id}, ${parentId}, ${slug}, ${name}, ${write.now}, ${write.now})`);
}

export function updateOrganization(write: Write, row: OrganizationRow): void {
  write.transaction.send(sql`
    update organizations set name = ${row.name}, allocation = ${row.allocation}, version = version + 1,
      updated_at = ${write.now}
    where id = ${write.scope.organizationId}`);
}
