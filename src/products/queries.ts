// Every SQL statement about products; those about variants and bills of materials are beside it.
import { randomInt } from 'node:crypto';
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { listed, type Parts } from '../http/parts.ts';
import * as limits from '../limits.ts';
import { productJson } from './present.ts';
import type { ListProductsQuery, productSorts } from './schema.ts';

const sorts: Record<(typeof productSorts)[number], Sort> = {
  createdAt: { column: ref('p.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('p.updated_at'), type: 'timestamptz' },
  name: { column: ref('p.name'), type: 'text' },
  slug: { column: ref('p.slug'), type: 'text' },
  brand: { column: ref('p.brand'), type: 'text', nullable: true },
  vendor: { column: ref('p.vendor'), type: 'text', nullable: true },
  manufacturer: { column: ref('p.manufacturer'), type: 'text', nullable: true },
};

export function listProducts(
  database: Executor,
  organizationId: string,
  query: ListProductsQuery,
): Promise<Page> {
  const where = [sql`p.organization_id = ${organizationId}`];
  if (!query.includeArchived) where.push(sql`p.archived_at is null`);
  if (query.search !== undefined) where.push(sql`p.search_text like ${searchPattern(query.search)}`);
  // Those that are archived and those that are not are each in the order of an index for every sort.
  const parts: Parts = {
    from: sql`(values (true), (false)) part (kept)`,
    of: [sql`(p.archived_at is null) = part.kept`],
    ...listed('products', 'p', organizationId),
  };
  return listPage(database, organizationId, query, {
    name: 'listProducts',
    alias: 'p',
    from: sql`products p`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: productJson(organizationId),
    parts: query.includeArchived && query.search === undefined ? parts : undefined,
    ...(query.search === undefined ? { count: countOf(organizationId, query.includeArchived) } : {}),
  });
}

function countOf(organizationId: string, includeArchived: boolean): Sql<{ count: number }> {
  const counted = includeArchived ? sql`t.unarchived + t.archived` : sql`t.unarchived`;
  return sql`select coalesce(sum(${counted}), 0)::bigint as count from product_totals t
    where t.organization_id = ${organizationId}`;
}

/** What a verification compares: rows `counted, expected, actual`. */
export function productFigures(organizationId: string): Sql<unknown> {
  return sql`
    select case when p.archived_at is null then 'product' else 'product archived' end as counted,
      1 as expected, 0 as actual
    from products p where p.organization_id = ${organizationId}
    union all
    select k.counted, 0, k.records from product_totals t
    cross join lateral (values ('product', t.unarchived), ('product archived', t.archived)) k (counted, records)
    where t.organization_id = ${organizationId}`;
}

/** Counts in one of a few rows, so that writers of one organisation seldom wait for each other. */
export function addToTotals(write: Write, unarchived: number, archived: number): void {
  write.transaction.send(sql`
    insert into product_totals as t (organization_id, slot, unarchived, archived)
    values (${write.scope.organizationId}, ${randomInt(limits.totalSlots)}, ${unarchived}, ${archived})
    on conflict (organization_id, slot) do update
    set unarchived = t.unarchived + excluded.unarchived, archived = t.archived + excluded.archived`);
}

export async function findProduct(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${productJson(organizationId)}::text as json, p.version from products p
    where p.organization_id = ${organizationId} and p.id = ${id}`);
  return found;
}

export interface ProductColumns {
  is_bundle: boolean;
  name: string;
  slug: string;
  description: string | null;
  options: { name: string; values: string[] }[];
  brand: string | null;
  vendor: string | null;
  manufacturer: string | null;
  eccn: string | null;
  image_url: string | null;
  metadata: Record<string, string>;
}

export interface ProductRow extends ProductColumns {
  id: string;
  version: number;
  archived_at: Date | null;
}

/** The row, locked against other writes of the product and of its variants until the transaction ends. */
export async function lockProduct(write: Write, id: string): Promise<ProductRow | undefined> {
  const [row] = await write.transaction.query<ProductRow>(sql`
    select id, is_bundle, name, slug, description, options, brand, vendor, manufacturer, eccn, image_url,
      metadata, version, archived_at
    from products where organization_id = ${write.scope.organizationId} and id = ${id} for no key update`);
  return row;
}

/** False when another product has the slug. */
export async function insertProduct(
  write: Write,
  id: string,
  row: ProductColumns,
  searchText: string,
): Promise<boolean> {
  const inserted = await write.transaction.query(sql`
    insert into products (organization_id, id, is_bundle, name, slug, description, options, brand, vendor,
      manufacturer, eccn, image_url, metadata, search_text, created_at, updated_at)
    values (${write.scope.organizationId}, ${id}, ${row.is_bundle}, ${row.name}, ${row.slug},
      ${row.description}, ${JSON.stringify(row.options)}, ${row.brand}, ${row.vendor}, ${row.manufacturer},
      ${row.eccn}, ${row.image_url}, ${row.metadata}, ${searchText}, ${write.now}, ${write.now})
    on conflict (organization_id, slug) do nothing returning id`);
  return inserted.length > 0;
}

export function updateProduct(write: Write, row: ProductRow, searchText: string): void {
  write.transaction.send(sql`
    update products set is_bundle = ${row.is_bundle}, name = ${row.name}, slug = ${row.slug},
      description = ${row.description}, options = ${JSON.stringify(row.options)}, brand = ${row.brand},
      vendor = ${row.vendor}, manufacturer = ${row.manufacturer}, eccn = ${row.eccn},
      image_url = ${row.image_url}, metadata = ${row.metadata}, search_text = ${searchText},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${row.id}`);
}

/** What a change of its variants changes of a product. */
export function touchProduct(write: Write, id: string, searchText: string): void {
  write.transaction.send(sql`
    update products set search_text = ${searchText}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export function setProductArchived(write: Write, id: string, archivedAt: Date | null): void {
  write.transaction.send(sql`
    update products set archived_at = ${archivedAt}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** Which of these slugs are taken, and by which product. */
export async function findSlugs(
  executor: Executor,
  organizationId: string,
  slugs: string[],
): Promise<Map<string, string>> {
  const rows = await executor.query<{ slug: string; id: string }>(sql`
    select slug, id from products where organization_id = ${organizationId} and slug = any(${slugs}::text[])`);
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}
