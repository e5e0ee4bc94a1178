// Every SQL statement about variants but the look-ups that neighbours use.
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import * as limits from '../limits.ts';
import { productVariantAloneJson } from './present.ts';
import type { ListVariantsQuery, variantSorts } from './schema.ts';
import type { Searchable } from './search-text.ts';
import type { VariantColumns } from './variant-columns.ts';

const sorts: Record<(typeof variantSorts)[number], Sort> = {
  createdAt: { column: ref('v.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('v.updated_at'), type: 'timestamptz' },
  position: { column: ref('v.position'), type: 'integer' },
  title: { column: ref('v.title'), type: 'text' },
  sku: { column: ref('v.sku'), type: 'text' },
  price: { column: ref('v.price'), type: 'numeric' },
};

/** All variants of a product, or a page of them where the query names one; undefined without the product. */
export async function listVariants(
  database: Executor,
  organizationId: string,
  productId: string,
  query: ListVariantsQuery,
): Promise<Page | undefined> {
  const [product] = await database.query<{ archived_at: Date | null }>(sql`
    select archived_at from products where organization_id = ${organizationId} and id = ${productId}`);
  if (product === undefined) return undefined;
  const where = [sql`v.organization_id = ${organizationId}`, sql`v.product_id = ${productId}`];
  if (!query.includeArchived) {
    where.push(sql`v.archived_at is not distinct from ${product.archived_at}::timestamptz`);
  }
  if (query.search !== undefined) where.push(sql`v.search_text like ${searchPattern(query.search)}`);
  const paged = query.limit !== undefined || query.page !== undefined || query.cursor !== undefined;
  const { limit = paged ? limits.pageLimitDefault : limits.pageMax, page = 1 } = query;
  const list = await listPage(
    database,
    organizationId,
    { ...query, limit, page },
    {
      name: `listVariants ${productId}`,
      alias: 'v',
      from: sql`product_variants v`,
      where,
      sorts,
      defaultSort: 'createdAt',
      json: productVariantAloneJson(organizationId),
    },
  );
  return paged ? list : { ...list, limit: list.items.length };
}

export async function findVariant(
  database: Executor,
  organizationId: string,
  productId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${productVariantAloneJson(organizationId)}::text as json, v.version from product_variants v
    where v.organization_id = ${organizationId} and v.product_id = ${productId} and v.id = ${id}`);
  return found;
}

/** What a caller sets of a variant, and its type in the database. */
const columnTypes: Record<keyof VariantColumns, string> = {
  title: 'text',
  sku: 'text',
  sku_aliases: 'text[]',
  barcode: 'text',
  asin: 'text',
  ean: 'text',
  isbn: 'text',
  upc: 'text',
  price: 'numeric',
  compare_at_price: 'numeric',
  wholesale_price: 'numeric',
  cost_price: 'numeric',
  currency: 'text',
  position: 'integer',
  taxable: 'boolean',
  discountable: 'boolean',
  requires_shipping: 'boolean',
  tracks_inventory: 'boolean',
  inventory_policy: 'text',
  inventory_allocation_strategy: 'text',
  selected_options: 'jsonb',
  image: 'text',
  weight: 'numeric',
  weight_unit: 'text',
  length: 'numeric',
  width: 'numeric',
  height: 'numeric',
  dimensions_unit: 'text',
  tariff_code: 'text',
  country_of_origin: 'text',
  metadata: 'jsonb',
};
const columns = Object.keys(columnTypes).join(', ');
const recordColumns = Object.entries({
  id: 'uuid',
  is_bundle: 'boolean',
  search_text: 'text',
  ...columnTypes,
})
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

export type NewVariant = VariantColumns & { id: string; is_bundle: boolean; search_text: string };

/** Rows as one parameter, whatever their number. */
function records(rows: readonly NewVariant[]): Sql<unknown> {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(recordColumns)})`;
}

/** The ids of those inserted: all, or fewer where unarchived variants have one of their codes. */
export async function insertVariants(
  write: Write,
  productId: string,
  rows: readonly NewVariant[],
): Promise<string[]> {
  // In the order of their skus, so that two writes with the same ones do not wait for each other in a circle.
  const ordered = rows.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
  const inserted = await write.transaction.query<{ id: string }>(sql`
    insert into product_variants (organization_id, product_id, id, is_bundle, search_text, created_at, updated_at,
      ${sql.raw(columns)})
    select ${write.scope.organizationId}::uuid, ${productId}::uuid, r.id, r.is_bundle, r.search_text,
      ${write.now}::timestamptz, ${write.now}::timestamptz, ${sql.raw(columns)}
    from ${records(ordered)}
    on conflict do nothing returning id`);
  return inserted.map(({ id }) => id);
}

export interface StoredVariant extends VariantColumns {
  id: string;
  is_bundle: boolean;
  version: number;
  archived_at: Date | null;
}

export async function lockVariant(
  write: Write,
  productId: string,
  id: string,
): Promise<StoredVariant | undefined> {
  const [row] = await write.transaction.query<StoredVariant>(sql`
    select id, is_bundle, version, archived_at, ${sql.raw(columns)} from product_variants
    where organization_id = ${write.scope.organizationId} and product_id = ${productId} and id = ${id}
    for no key update`);
  return row;
}

export function updateVariant(write: Write, row: NewVariant): void {
  const assignments = Object.keys(columnTypes).map((name) => sql`${sql.raw(name)} = ${sql.raw(`r.${name}`)}`);
  write.transaction.send(sql`
    update product_variants v set ${sql.join(assignments)}, is_bundle = r.is_bundle, search_text = r.search_text,
      version = v.version + 1, updated_at = ${write.now}
    from ${records([row])}
    where v.organization_id = ${write.scope.organizationId} and v.id = r.id`);
}

export function setVariantsArchived(write: Write, ids: string[], archivedAt: Date | null): void {
  write.transaction.send(sql`
    update product_variants set archived_at = ${archivedAt}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = any(${ids}::uuid[])`);
}

export function setSearchTexts(write: Write, texts: { id: string; text: string }[]): void {
  write.transaction.send(sql`
    update product_variants v set search_text = r.text
    from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ text }) => text)}::text[]) as r (id, text)
    where v.organization_id = ${write.scope.organizationId} and v.id = r.id`);
}

export interface VariantCodes extends Searchable {
  id: string;
  position: number;
  asin: string | null;
  ean: string | null;
  isbn: string | null;
  upc: string | null;
  is_bundle: boolean;
  archived_at: Date | null;
}

/** Every variant of a product, archived ones too, by position. */
export function listVariantCodes(write: Write, productId: string): Promise<VariantCodes[]> {
  return write.transaction.query(sql`
    select id, position, sku, title, barcode, asin, ean, isbn, upc, is_bundle, archived_at
    from product_variants where organization_id = ${write.scope.organizationId} and product_id = ${productId}
    order by position, id`);
}

/** Codes that no two unarchived variants of an organisation share. */
export const uniqueCodes = ['sku', 'barcode', 'asin', 'ean', 'isbn', 'upc'] as const;
export type Codes = Record<(typeof uniqueCodes)[number], string | null>;

export interface CodeConflict {
  field: (typeof uniqueCodes)[number];
  value: string;
  productVariantId: string;
}

/** Unarchived variants, other than `exceptIds`, that have one of these codes. */
export async function findCodeConflicts(
  write: Write,
  rows: readonly Codes[],
  exceptIds: readonly string[],
): Promise<CodeConflict[]> {
  const branches = uniqueCodes.map((code) => {
    const values = rows.map((row) => row[code]).filter((value) => value !== null);
    const column = sql.ref(`v.${code}`);
    return sql`
      select ${code} as field, ${column} as value, v.id as "productVariantId" from product_variants v
      where v.organization_id = ${write.scope.organizationId} and ${column} = any(${values}::text[])
        and v.archived_at is null and v.id <> all(${exceptIds}::uuid[])`;
  });
  return write.transaction.query<CodeConflict>(sql`${sql.join(branches, sql` union all `)}`);
}

/** Those of these variants that have units, are on order, or are owed to orders. Locks them against new such. */
export async function findVariantsInUse(write: Write, ids: string[]): Promise<string[]> {
  const { organizationId } = write.scope;
  // Whoever inserts a level or a line of an order locks its variant through the foreign key.
  write.transaction.send(sql`
    select id from product_variants where organization_id = ${organizationId} and id = any(${ids}::uuid[])
    order by id for update`);
  const rows = await write.transaction.query<{ id: string }>(sql`
    select product_variant_id as id from inventory_levels
    where organization_id = ${organizationId} and product_variant_id = any(${ids}::uuid[])
      and (on_hand_quantity <> 0 or committed_quantity <> 0 or incoming_quantity <> 0)
    union
    select product_variant_id from order_line_items
    where organization_id = ${organizationId} and product_variant_id = any(${ids}::uuid[])
      and quantity_allocated > 0
    union
    select product_variant_id from order_line_items
    where organization_id = ${organizationId} and product_variant_id = any(${ids}::uuid[])
      and quantity_backordered > 0
    union
    select c.product_variant_id from order_line_items i
    join order_line_components c on c.organization_id = ${organizationId} and c.order_line_item_id = i.id
    where i.organization_id = ${organizationId} and i.is_bundle
      and (i.quantity_backordered > 0 or i.quantity_allocated > 0)
      and c.product_variant_id = any(${ids}::uuid[])
    union
    select l.product_variant_id from purchase_order_line_items l
    join purchase_orders p on p.organization_id = ${organizationId} and p.id = l.purchase_order_id
    where l.organization_id = ${organizationId} and l.product_variant_id = any(${ids}::uuid[])
      and p.status in ('draft', 'open', 'confirmed', 'partially-received')
      and l.requested_quantity > l.received_quantity`);
  return rows.map(({ id }) => id);
}
