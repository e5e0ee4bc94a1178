// Fingerprints of what is stored, to see that a request changed nothing, or what it changed.
import { type Database, sql } from '../../src/database/connect.ts';
import { referenceTables } from './tenancy.ts';

async function tenantTables(database: Database): Promise<string[]> {
  const tables = await database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`);
  return tables.map(({ name }) => name).filter((name) => !referenceTables.includes(name));
}

/** Table -> number of an organization's rows and a hash of all they hold. */
export async function rowsOf(database: Database, organizationId: string): Promise<Record<string, string>> {
  const rows = (await tenantTables(database)).map(async (name) => {
    const [found] = await database.query<{ rows: string }>(sql`
      select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\n' order by t::text)), '') as rows
      from ${sql.ref(name)} t where t.organization_id = ${organizationId}`);
    return [name, found!.rows] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** The slugs of an organization and its clients. */
export async function referenceRows(database: Database, organizationId: string): Promise<string[]> {
  const rows = await database.query<{ slug: string }>(sql`
    select slug from organizations where id = ${organizationId} or parent_id = ${organizationId} order by slug`);
  return rows.map(({ slug }) => slug);
}

/** Events that an organization has, by type. */
export async function eventsOf(database: Database, organizationId: string): Promise<string[]> {
  const rows = await database.query<{ type: string }>(sql`
    select type from events where organization_id = ${organizationId} order by created_at, id`);
  return rows.map(({ type }) => type);
}
