// The lists of stock levels: over all products, of one product, of a bundle, and as they were at a past time.
import { countLevels } from '../allocation/level-totals.ts';
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { listed, type Parts, partsByOrganization } from '../http/parts.ts';
import { figuresAsOf } from './as-of.ts';
import { fullVariant, levelFigures, levelJson, variantInShort } from './present.ts';
import type { ListInventoryLevelsQuery, ListProductInventoryLevelsQuery, levelSorts } from './schema.ts';

type Sorts = Record<(typeof levelSorts)[number], Sort>;

/** `value` gives the SQL of a figure or time of level `l`. */
function sortsBy(value: (name: string) => Sql<unknown>): Sorts {
  const figures = Object.entries(levelFigures).map(([field, name]) => [
    field,
    { column: value(name), type: 'integer' },
  ]);
  return {
    ...Object.fromEntries(figures),
    sku: { column: ref('v.sku'), type: 'text' },
    createdAt: { column: ref('l.created_at'), type: 'timestamptz' },
    updatedAt: { column: value('updated_at'), type: 'timestamptz' },
  };
}

const keptSorts = sortsBy((name) => ref(`l.${name}`));
for (const figure of ['reserved', 'incoming', 'damaged', 'qualityControl', 'safetyStock'] as const) {
  keptSorts[`${figure}Quantity`].sparse = true;
}

export function listInventoryLevels(
  database: Executor,
  organizationId: string,
  organizations: Organizations,
  query: ListInventoryLevelsQuery,
): Promise<Page> {
  const asOf = query.asOf === undefined ? undefined : new Date(query.asOf);
  const filters = [owned('l', organizations)];
  if (query.warehouseId !== undefined) filters.push(sql`l.warehouse_id = ${query.warehouseId}`);
  if (asOf !== undefined) filters.push(sql`l.created_at <= ${asOf}::timestamptz`);
  const kept = countLevels(organizations, query.warehouseId);
  const { sortBy = 'sku' } = query;
  // What is searched for has to be found first; figures of the past are in no index.
  const inParts =
    query.search === undefined && (asOf === undefined || sortBy === 'createdAt' || sortBy === 'sku');
  const bySku = sortBy === 'sku';
  const parts = inParts ? partsOfLevels(organizations, query.warehouseId, bySku) : undefined;
  const ofVariants = parts === undefined || bySku;
  const statement = {
    name: 'listInventoryLevels',
    alias: 'l',
    from: ofVariants
      ? sql`inventory_levels l join product_variants v on v.id = l.product_variant_id`
      : sql`inventory_levels l`,
    where: ofVariants ? [...filters, ...variantFilters(organizations, query)] : filters,
    defaultSort: 'sku',
    parts,
    // Every level has its variant, so that what does not search need not look.
    ...(query.search === undefined ? { count: asOf === undefined ? kept : countOf(filters) } : {}),
  };
  const variant = fullVariant(organizations);
  if (asOf === undefined) {
    const json = levelJson(organizations, variant);
    return listPage(database, organizationId, query, { ...statement, sorts: keptSorts, json });
  }
  const figures = figuresAsOf(organizations, asOf);
  const json = sql`(select ${levelJson(organizations, variant, 'f')} from ${figures} f)`;
  const sorts = sortsBy((name) => sql`(select ${ref(`f.${name}`)} from ${figures} f)`);
  return listPage(database, organizationId, query, { ...statement, sorts, json });
}

/**
 * The levels of each warehouse are in the order of an index by each figure and time. By sku they are in that of the
 * organisation's variants; of one organisation they need no parts.
 */
function partsOfLevels(
  organizations: Organizations,
  warehouseId: string | undefined,
  bySku: boolean,
): Parts | undefined {
  if (bySku) {
    return partsByOrganization('inventory_levels', 'l', organizations, [
      sql`v.organization_id = organization.id`,
    ]);
  }
  const where = [owned('w', organizations)];
  if (warehouseId !== undefined) where.push(sql`w.id = ${warehouseId}`);
  return {
    from: sql`(select w.organization_id, w.id from warehouses w where ${sql.join(where, sql` and `)}) part`,
    of: [sql`l.organization_id = part.organization_id`, sql`l.warehouse_id = part.id`],
    ...listed('inventory_levels', 'l', organizations),
  };
}

function countOf(filters: Sql<unknown>[]): Sql<{ count: number }> {
  return sql`select count(*) from inventory_levels l where ${sql.join(filters, sql` and `)}`;
}

function variantFilters(organizations: Organizations, query: { search?: string }): Sql<unknown>[] {
  const filters = [owned('v', organizations, 'l')];
  if (query.search !== undefined) filters.push(sql`v.search_text like ${searchPattern(query.search)}`);
  return filters;
}

export interface ProductKind {
  /** Whether a variant of it is sold as its components. */
  hasBundles: boolean;
}

/** Archived products are found too. */
export async function findProductKind(
  database: Executor,
  organizations: Organizations,
  productId: string,
): Promise<ProductKind | undefined> {
  const [kind] = await database.query<ProductKind>(sql`
    select exists (select 1 from product_variants v
      where ${owned('v', organizations, 'p')} and v.product_id = p.id and v.is_bundle) as "hasBundles"
    from products p
    where ${owned('p', organizations)} and p.id = ${productId}`);
  return kind;
}

export function listProductInventoryLevels(
  database: Executor,
  organizationId: string,
  organizations: Organizations,
  product: ProductKind & { id: string },
  query: ListProductInventoryLevelsQuery,
): Promise<Page> {
  const where = [
    owned('l', organizations),
    ...variantFilters(organizations, query),
    sql`v.product_id = ${product.id}`,
  ];
  if (query.warehouseId !== undefined) where.push(sql`l.warehouse_id = ${query.warehouseId}`);
  const levels = product.hasBundles ? levelsWithBundles(organizations, product.id) : sql`inventory_levels`;
  return listPage(database, organizationId, query, {
    name: `listProductInventoryLevels ${product.id}`,
    alias: 'l',
    from: sql`${levels} l join product_variants v on v.id = l.product_variant_id`,
    where,
    sorts: keptSorts,
    defaultSort: 'sku',
    json: levelJson(organizations, variantInShort(organizations)),
  });
}

const levelColumns = sql.raw(
  ['organization_id', 'id', 'product_variant_id', 'warehouse_id', ...Object.values(levelFigures)]
    .concat('created_at', 'updated_at')
    .map((name) => `ol.${name}`)
    .join(', '),
);

/**
 * A product's own levels, and those that its bundles would have: one in every warehouse that knows one of their
 * components. As many are available as the scarcest component makes; the other figures are the components' own.
 */
function levelsWithBundles(organizations: Organizations, productId: string): Sql<unknown> {
  const figures = Object.values(levelFigures).map((name) =>
    name === 'available_quantity'
      ? sql`min(floor(coalesce(cl.available_quantity, 0)::numeric / b.quantity))::int`
      : sql`0`,
  );
  return sql`(
    select ${levelColumns} from inventory_levels ol
    join product_variants ov on ${owned('ov', organizations, 'ol')} and ov.id = ol.product_variant_id
    where ${owned('ol', organizations)} and ov.product_id = ${productId} and not ov.is_bundle
    union all
    select bv.organization_id, md5(bv.id::text || s.warehouse_id::text)::uuid, bv.id, s.warehouse_id,
      ${sql.join(figures)}, min(cl.created_at), max(cl.updated_at)
    from product_variants bv
    cross join lateral (
      select distinct sl.warehouse_id from bom_line_items sb
      join inventory_levels sl on sl.product_variant_id = sb.product_variant_id
      where ${owned('sb', organizations, 'bv')} and ${owned('sl', organizations, 'bv')}
        and sb.bundle_variant_id = bv.id
    ) s
    join bom_line_items b on ${owned('b', organizations, 'bv')} and b.bundle_variant_id = bv.id
    join product_variants cv on ${owned('cv', organizations, 'bv')} and cv.id = b.product_variant_id
      and cv.tracks_inventory
    left join inventory_levels cl on ${owned('cl', organizations, 'bv')}
      and cl.product_variant_id = b.product_variant_id and cl.warehouse_id = s.warehouse_id
    where ${owned('bv', organizations)} and bv.product_id = ${productId} and bv.is_bundle
    group by bv.organization_id, bv.id, s.warehouse_id)`;
}

/** One level with the full variant. */
export async function findInventoryLevel(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [found] = await database.query<{ json: string }>(sql`
    select ${levelJson(organizationId, fullVariant(organizationId))}::text as json
    from inventory_levels l where ${owned('l', organizationId)} and l.id = ${id}`);
  return found?.json;
}
