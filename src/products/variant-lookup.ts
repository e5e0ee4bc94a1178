// How neighbours find variants: by an identifier of any type, by thousands of them, or by an order line's references.
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { isId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';

export const identifierTypes = ['id', 'sku', 'skuAliases', 'barcode'] as const;
export type IdentifierType = (typeof identifierTypes)[number];

export interface VariantRow {
  id: string;
  product_id: string;
  title: string;
  sku: string;
  sku_aliases: string[];
  barcode: string | null;
  tracks_inventory: boolean;
  /** Its units are those of its components; it has no stock of its own. */
  is_bundle: boolean;
  inventory_policy: 'deny' | 'continue';
  inventory_allocation_strategy: 'FIFO' | 'FEFO' | 'LIFO';
  archived_at: Date | null;
}

export interface Identifier {
  identifier: string;
  /** Without it every type is tried, in the order of `identifierTypes`. */
  type?: IdentifierType | undefined;
}

/**
 * The variant that an identifier names. An unarchived one wins over archived ones, which are found too.
 * @throws 404 variant_not_found, 400 ambiguous_identifier when two variants match inside one type
 */
export async function resolveIdentifier(
  executor: Executor,
  organizationId: string,
  identifier: string,
  type?: IdentifierType,
): Promise<VariantRow> {
  const [found] = await resolveIdentifiers(executor, organizationId, [{ identifier, type }]);
  if (found === 'missing') throw new ApiError('variant_not_found');
  if (found === 'ambiguous') throw new ApiError('ambiguous_identifier');
  return found!;
}

/** The same for many, in their order and with one statement. */
export async function resolveIdentifiers(
  executor: Executor,
  organizationId: string,
  identifiers: readonly Identifier[],
): Promise<(VariantRow | 'missing' | 'ambiguous')[]> {
  if (identifiers.length === 0) return [];
  const rows = await executor.query<VariantRow>(identifierStatement(organizationId, identifiers));
  const byType: Record<IdentifierType, Map<string, VariantRow[]>> = {
    id: indexed(rows, (row) => [row.id]),
    sku: indexed(rows, (row) => [row.sku]),
    skuAliases: indexed(rows, (row) => row.sku_aliases),
    barcode: indexed(rows, (row) => [row.barcode]),
  };
  return identifiers.map(({ identifier, type }) => {
    const types = type === undefined ? identifierTypes : [type];
    for (const archived of [false, true]) {
      for (const one of types) {
        const key = one === 'id' ? identifier.toLowerCase() : identifier;
        const matches = (byType[one].get(key) ?? []).filter((row) => (row.archived_at !== null) === archived);
        if (matches.length > 1) return 'ambiguous';
        if (matches.length === 1) return matches[0]!;
      }
    }
    return 'missing';
  });
}

const identifierColumns = sql.raw(`v.id, v.product_id, v.title, v.sku, v.sku_aliases, v.barcode,
  v.tracks_inventory, v.is_bundle, v.inventory_policy, v.inventory_allocation_strategy, v.archived_at`);

/** Aliases, the dearest to look up, are looked up only where no unarchived sku already answers. */
function identifierStatement(organizationId: string, identifiers: readonly Identifier[]): Sql<VariantRow> {
  const wanted = (type: IdentifierType) =>
    identifiers.filter((one) => (one.type ?? type) === type).map((one) => one.identifier);
  const untyped = identifiers.filter((one) => one.type === undefined).map((one) => one.identifier);
  const aliases = identifiers.filter((one) => one.type === 'skuAliases').map((one) => one.identifier);
  return sql`
    with skus as materialized (
      select ${identifierColumns} from product_variants v
      where v.organization_id = ${organizationId} and v.sku = any(${unique(wanted('sku'))}::text[])),
    aliases as materialized (
      select unnest(${unique(aliases)}::text[]) as alias
      union
      select untyped.alias from unnest(${unique(untyped)}::text[]) as untyped (alias)
      where untyped.alias not in (select skus.sku from skus where skus.archived_at is null))
    select * from skus
    union
    select ${identifierColumns} from product_variants v
    where v.organization_id = ${organizationId} and v.id = any(${unique(wanted('id').filter(isId))}::uuid[])
    union
    select ${identifierColumns} from aliases
    join product_variants v
      on v.organization_id = ${organizationId} and v.sku_aliases @> array[aliases.alias]
    union
    select ${identifierColumns} from product_variants v
    where v.organization_id = ${organizationId} and v.barcode = any(${unique(wanted('barcode'))}::text[])`;
}

function unique(texts: (string | null | undefined)[]): string[] {
  return [...new Set(texts)] as string[];
}

function indexed<Row>(rows: readonly Row[], keysOf: (row: Row) => (string | null)[]): Map<string, Row[]> {
  const index = new Map<string, Row[]>();
  for (const row of rows) {
    for (const key of new Set(keysOf(row))) {
      if (key === null) continue;
      const others = index.get(key);
      if (others === undefined) index.set(key, [row]);
      else others.push(row);
    }
  }
  return index;
}

/** What an order line says of its variant; whatever it says must be true of the one that is found. */
export interface LineReference {
  productVariantId?: string | null | undefined;
  productVariantSku?: string | null | undefined;
  productVariantTitle?: string | null | undefined;
  productVariantBarcode?: string | null | undefined;
  productVariantUpc?: string | null | undefined;
  productVariantEan?: string | null | undefined;
  productVariantIsbn?: string | null | undefined;
  productVariantAsin?: string | null | undefined;
}

export interface LineComponent {
  productVariantId: string;
  quantity: number;
  tracksInventory: boolean;
  inventoryPolicy: 'deny' | 'continue';
}

export interface LineVariant {
  id: string;
  product_id: string;
  sku: string;
  title: string;
  /** Money is a decimal text. */
  price: string;
  compare_at_price: string | null;
  currency: string;
  tracks_inventory: boolean;
  requires_shipping: boolean;
  is_bundle: boolean;
  inventory_policy: 'deny' | 'continue';
  inventory_allocation_strategy: 'FIFO' | 'FEFO' | 'LIFO';
  /** What one unit of a bundle takes, by variant id; empty unless it is one. */
  components: LineComponent[];
}

export type LineMatch =
  | { status: 'found'; variant: LineVariant }
  | { status: 'missing' | 'ambiguous' }
  /** For what goes on with archived variants too. */
  | { status: 'archived'; variants: LineVariant[] };

/** A reference's field, and the column it is compared with: the most telling first. */
const referenceColumns = [
  ['productVariantId', 'id'],
  ['productVariantSku', 'sku'],
  ['productVariantBarcode', 'barcode'],
  ['productVariantUpc', 'upc'],
  ['productVariantEan', 'ean'],
  ['productVariantIsbn', 'isbn'],
  ['productVariantAsin', 'asin'],
  ['productVariantTitle', 'title'],
] as const;

type ReferenceColumn = (typeof referenceColumns)[number][1];
type Criterion = [column: ReferenceColumn, value: string];
type Candidate = LineVariant & Record<ReferenceColumn, string | null> & { archived_at: Date | null };

/**
 * The variants of any number of order lines, in their order and with one statement. An unarchived match wins;
 * a line of which only archived variants match is `archived`.
 */
export async function findLineVariants(
  executor: Executor,
  organizationId: string,
  references: readonly LineReference[],
): Promise<LineMatch[]> {
  const lines = references.map(criteriaOf);
  const values = new Map<ReferenceColumn, Set<string>>();
  for (const [first] of lines) {
    if (first === undefined) continue;
    const [column, value] = first;
    if (column === 'id' && !isId(value)) continue;
    const known = values.get(column);
    if (known === undefined) values.set(column, new Set([value]));
    else known.add(value);
  }
  if (values.size === 0) return lines.map(() => ({ status: 'missing' }));
  const branches = [...values].map(([column, set]) => lineBranch(organizationId, column, [...set]));
  const rows = await executor.query<Candidate>(sql`${sql.join(branches, sql` union all `)}`);
  const byColumn = new Map(
    [...values.keys()].map((column) => [column, indexed(rows, (row) => [row[column]])] as const),
  );
  return lines.map((line) => matchLine(line, byColumn));
}

function criteriaOf(reference: LineReference): Criterion[] {
  const criteria: Criterion[] = [];
  for (const [field, column] of referenceColumns) {
    const value = reference[field];
    if (value === undefined || value === null) continue;
    criteria.push([column, column === 'id' ? value.toLowerCase() : value]);
  }
  return criteria;
}

function matchLine(line: Criterion[], byColumn: Map<ReferenceColumn, Map<string, Candidate[]>>): LineMatch {
  const [first] = line;
  if (first === undefined) return { status: 'missing' };
  const candidates = byColumn.get(first[0])?.get(first[1]) ?? [];
  // The same variant arrives twice when two lines name it in different ways.
  const matches = new Map<string, Candidate>();
  for (const row of candidates) {
    if (line.every(([column, value]) => row[column] === value)) matches.set(row.id, row);
  }
  const unarchived = [...matches.values()].filter((row) => row.archived_at === null);
  if (unarchived.length > 1) return { status: 'ambiguous' };
  if (unarchived.length === 1) return { status: 'found', variant: unarchived[0]! };
  return matches.size > 0 ? { status: 'archived', variants: [...matches.values()] } : { status: 'missing' };
}

const lineColumns = sql.raw(`v.id, v.product_id, v.sku, v.title, v.barcode, v.upc, v.ean, v.isbn, v.asin,
  v.price, v.compare_at_price, v.currency, v.tracks_inventory, v.requires_shipping, v.is_bundle,
  v.inventory_policy, v.inventory_allocation_strategy, v.archived_at`);

/** The rows that one kind of reference finds, each kind by its own index. */
function lineBranch(organizationId: string, column: ReferenceColumn, values: string[]): Sql<Candidate> {
  const selected = sql`${lineColumns}, ${components(organizationId)} as components`;
  if (column !== 'title') {
    const type = column === 'id' ? sql`uuid[]` : sql`text[]`;
    return sql`
      select ${selected} from product_variants v
      where v.organization_id = ${organizationId} and v.${sql.ref(column)} = any(${values}::${type})`;
  }
  // Titles repeat without end ("Default"); two tell that they are ambiguous.
  return sql`
    select ${selected} from unnest(${values}::text[]) as wanted (title)
    cross join lateral (
      select * from product_variants t
      where t.organization_id = ${organizationId} and t.title = wanted.title
      order by t.archived_at nulls first limit 2) v`;
}

function components(organizationId: string): Sql<unknown> {
  return sql`case when v.is_bundle then (
    select json_agg(json_build_object('productVariantId', b.product_variant_id, 'quantity', b.quantity,
      'tracksInventory', c.tracks_inventory, 'inventoryPolicy', c.inventory_policy) order by c.id)
    from bom_line_items b
    join product_variants c on c.organization_id = ${organizationId} and c.id = b.product_variant_id
    where b.organization_id = ${organizationId} and b.bundle_variant_id = v.id) else '[]' end`;
}
