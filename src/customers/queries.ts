// Every SQL statement about customers.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { customerJson } from './present.ts';
import type { CustomerBody, customerSorts, ListCustomersQuery } from './schema.ts';

const sorts: Record<(typeof customerSorts)[number], Sort> = {
  createdAt: { column: ref('c.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('c.updated_at'), type: 'timestamptz' },
  name: { column: ref('c.name'), type: 'text', nullable: true },
  email: { column: ref('c.email'), type: 'text', nullable: true },
  company: { column: ref('c.company'), type: 'text', nullable: true },
};

export function listCustomers(
  database: Executor,
  organizationId: string,
  query: ListCustomersQuery,
): Promise<Page> {
  const where = [sql`c.organization_id = ${organizationId}`];
  if (query.search !== undefined) where.push(sql`c.search_text like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: 'listCustomers',
    alias: 'c',
    from: sql`customers c`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: customerJson,
  });
}

export async function findCustomer(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${customerJson}::text as json, c.version from customers c
    where c.organization_id = ${organizationId} and c.id = ${id}`);
  return found;
}

/** Customers with one of these addresses, and of those without one all that have one of these names. */
export function findCustomersLike(
  database: Executor,
  organizationId: string,
  wanted: readonly CustomerBody[],
): Promise<Pick<CustomerRow, 'name' | 'email' | 'phone' | 'company'>[]> {
  const emails = wanted.flatMap(({ email }) => email || []);
  const names = wanted.filter(({ email }) => !email).map(({ name }) => name ?? null);
  return database.query(sql`
    select c.name, c.email, c.phone, c.company from customers c
    where c.organization_id = ${organizationId} and c.email = any(${emails}::text[])
    union all
    select c.name, c.email, c.phone, c.company from customers c
    where c.organization_id = ${organizationId} and c.name = any(${names}::text[])
      and (c.email is null or c.email = '')
    union all
    select c.name, c.email, c.phone, c.company from customers c
    where c.organization_id = ${organizationId} and ${names.includes(null)} and c.name is null
      and (c.email is null or c.email = '')`);
}

export interface CustomerRow {
  name: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  metadata: Record<string, string>;
  version: number;
}

/** The row, locked until the transaction ends. */
export async function lockCustomer(write: Write, id: string): Promise<CustomerRow | undefined> {
  const [row] = await write.transaction.query<CustomerRow>(sql`
    select name, email, phone, company, metadata, version from customers
    where organization_id = ${write.scope.organizationId} and id = ${id} for update`);
  return row;
}

export function insertCustomer(write: Write, id: string, row: Omit<CustomerRow, 'version'>): void {
  write.transaction.send(sql`
    insert into customers (organization_id, id, name, email, phone, company, metadata, created_at, updated_at)
    values (${write.scope.organizationId}, ${id}, ${row.name}, ${row.email}, ${row.phone}, ${row.company},
      ${row.metadata}, ${write.now}, ${write.now})`);
}

export function updateCustomer(write: Write, id: string, row: CustomerRow): void {
  write.transaction.send(sql`
    update customers set name = ${row.name}, email = ${row.email}, phone = ${row.phone},
      company = ${row.company}, metadata = ${row.metadata}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}
