// Every SQL statement about suppliers; those about what they sell are beside it.
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { supplierJson } from './present.ts';
import type { ListSuppliersQuery, supplierSorts } from './schema.ts';

const sorts: Record<(typeof supplierSorts)[number], Sort> = {
  createdAt: { column: column('s.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('s.updated_at'), type: 'timestamptz' },
  name: { column: column('s.name'), type: 'text' },
  email: { column: column('s.email'), type: 'text', nullable: true },
};

export function listSuppliers(
  database: Executor,
  organizationId: string,
  query: ListSuppliersQuery,
): Promise<Page> {
  const where = [sql`s.organization_id = ${organizationId}`];
  if (!query.includeArchived) where.push(sql`s.archived_at is null`);
  if (query.search !== undefined) where.push(sql`s.search_text like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: 'listSuppliers',
    alias: 's',
    from: sql`suppliers s`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: supplierJson,
  });
}

export async function findSupplier(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${supplierJson}::text as json, s.version from suppliers s
    where s.organization_id = ${organizationId} and s.id = ${id}`);
  return found;
}

/** Those of these names that suppliers have. */
export async function findSupplierNames(
  database: Executor,
  organizationId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ name: string }>(sql`
    select s.name from suppliers s where s.organization_id = ${organizationId} and s.name = any(${names}::text[])`);
  return new Set(rows.map(({ name }) => name));
}

export interface SupplierRow {
  name: string;
  email: string | null;
  phone: string | null;
  currency: string;
  metadata: Record<string, string>;
  archivedAt: Date | null;
}

/** The row, locked until the transaction ends. */
export async function lockSupplier(
  write: Write,
  id: string,
): Promise<(SupplierRow & { version: number }) | undefined> {
  const [row] = await write.transaction.query<SupplierRow & { version: number }>(sql`
    select name, email, phone, currency, metadata, archived_at as "archivedAt", version from suppliers
    where organization_id = ${write.scope.organizationId} and id = ${id} for update`);
  return row;
}

export function insertSupplier(write: Write, id: string, row: Omit<SupplierRow, 'archivedAt'>): void {
  write.transaction.send(sql`
    insert into suppliers (organization_id, id, name, email, phone, currency, metadata, created_at, updated_at)
    values (${write.scope.organizationId}, ${id}, ${row.name}, ${row.email}, ${row.phone}, ${row.currency},
      ${row.metadata}, ${write.now}, ${write.now})`);
}

export function storeSupplier(write: Write, id: string, row: SupplierRow): void {
  write.transaction.send(sql`
    update suppliers set name = ${row.name}, email = ${row.email}, phone = ${row.phone},
      currency = ${row.currency}, metadata = ${row.metadata}, archived_at = ${row.archivedAt},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}
