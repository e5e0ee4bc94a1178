// Pages of a list: by number or by cursor, in any allowed order, with the id as tie-break and nulls last.
import { type Executor, plannedAnew, type Sql, sql } from '../database/connect.ts';
import { filterFingerprint, type Position, readCursor, writeCursor } from './cursor.ts';
import type { Parts } from './parts.ts';

/** How one `sortBy` name is ordered in SQL. */
export interface Sort {
  column: Sql<unknown>;
  /** The cast that turns a cursor's text back into the column's type. */
  type: 'timestamptz' | 'numeric' | 'integer' | 'bigint' | 'text';
  nullable?: boolean;
  /** Of a list in parts: the same value, as `part` has it. */
  part?: Sql<unknown>;
  /** 0 nearly everywhere and never less: of a list in parts, an index holds the others alone. */
  sparse?: boolean;
}

export interface ListQuery {
  limit: number;
  page: number;
  cursor?: string;
  search?: string;
  sortBy?: string;
  sortOrder: 'asc' | 'desc';
}

export interface Page {
  /** The records as JSON text. */
  items: string[];
  limit: number;
  totalCount: number;
  nextCursor: string | null;
}

export interface ListStatement {
  /** The operation's name; a cursor of one list is of no use to another. */
  name: string;
  /** The alias of the table whose rows are listed. */
  alias: string;
  /** That table, with what filters and sorts need beside it. */
  from: Sql<unknown>;
  where: Sql<unknown>[];
  sorts: Record<string, Sort>;
  defaultSort: string;
  /** The record as JSON, over `alias` alone: it is built for the rows of the page only, not for those skipped. */
  json: Sql<unknown>;
  /** Counts the same rows more cheaply than `from` and `where` would: a statement that selects `count`. */
  count?: Sql<{ count: number }>;
  /** Where no index has all that the filters let through in this order. */
  parts?: Parts | undefined;
}

/** Answers one page of a list with two statements, whatever its size. */
export async function listPage(
  database: Executor,
  organizationId: string,
  query: ListQuery,
  statement: ListStatement,
): Promise<Page> {
  const sortBy = query.sortBy ?? statement.defaultSort;
  const sort = statement.sorts[sortBy]!;
  const fingerprint = filterFingerprint(organizationId, statement.name, sortBy, query);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, fingerprint, sort);

  const { rows: found, total } = await (query.search === undefined ? listed : searched)(
    database,
    statement,
    query,
    sort,
    after,
  );
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => row.json),
    limit: query.limit,
    totalCount: total,
    nextCursor: last === undefined ? null : writeCursor(fingerprint, last.key, last.id),
  };
}

interface Row {
  json: string;
  key: string | null;
  id: string;
}

interface Found {
  /** Those of the page, and the one behind it. */
  rows: Row[];
  total: number;
}

async function listed(
  database: Executor,
  statement: ListStatement,
  query: ListQuery,
  sort: Sort,
  after: Position | undefined,
): Promise<Found> {
  const [rows, [total]] = await Promise.all([
    database.query(pageOf(statement, query, sort, after)),
    database.query(countOf(statement)),
  ]);
  return { rows, total: total!.count };
}

function countOf({ count, from, where }: ListStatement): Sql<{ count: number }> {
  return count ?? sql`select count(*) from ${from} where ${sql.join(where, sql` and `)}`;
}

/** What matches is looked up once, for the page and for the count: that is where the time of a search goes. */
async function searched(
  database: Executor,
  statement: ListStatement,
  query: ListQuery,
  sort: Sort,
  after: Position | undefined,
): Promise<Found> {
  const { alias, from, json } = statement;
  const order = sql.raw(query.sortOrder);
  const where = sql.join(statement.where, sql` and `);
  const id = sql.ref(`${alias}.id`);
  const offset = after === undefined ? (query.page - 1) * query.limit : 0;
  const page = sql<Row & { total: number }>`
    with found as materialized (select ${id} as id, ${sort.column} as sort_key from ${from} where ${where}),
    page as (
      select found.id, found.sort_key from found where ${behindFound(sort, query.sortOrder, after)}
      order by found.sort_key ${order} nulls last, found.id ${order}
      limit ${query.limit + 1} offset ${offset})
    select ${json}::text as json, page.sort_key::text as key, page.id, (select count(*) from found) as total
    from page join (
      select ${sql.ref(alias)}.* from ${from} where ${where} and ${id} = any (array(select page.id from page))
    ) ${sql.ref(alias)} on ${id} = page.id
    order by page.sort_key ${order} nulls last, page.id ${order}`;
  // What is searched for decides whether an index helps.
  const rows = await database.query(plannedAnew(page));
  if (rows.length > 0) return { rows, total: rows[0]!.total };
  if (offset === 0 && after === undefined) return { rows, total: 0 };
  // Behind the last page no row says how many there are.
  const [total] = await database.query(plannedAnew(countOf(statement)));
  return { rows, total: total!.count };
}

function behindFound(sort: Sort, sortOrder: 'asc' | 'desc', after: Position | undefined): Sql<unknown> {
  if (after === undefined) return sql`true`;
  const key = { column: sql`found.sort_key`, type: sort.type };
  const position = behind({ alias: 'found' }, key, sortOrder, after);
  if (sort.nullable !== true) return position;
  return after.key === null
    ? sql`found.sort_key is null and ${position}`
    : sql`(${position} or found.sort_key is null)`;
}

/** The page as it is answered. */
function pageOf(statement: ListStatement, query: ListQuery, sort: Sort, after: Position | undefined) {
  const alias = sql.ref(statement.alias);
  const id = sql.ref(`${statement.alias}.id`);
  // An index of a column without nulls is of no use to an order that says where nulls go.
  const direction = sql.raw(sort.nullable === true ? `${query.sortOrder} nulls last` : query.sortOrder);
  const tieDirection = sql.raw(query.sortOrder);
  const { parts } = statement;
  const rows = rowsOf(statement, query, sort, after);
  const page =
    parts === undefined
      ? sql`(${rows}) ${alias}`
      : sql`(${rows}) page join ${parts.table} on ${parts.owned}
      and ${sql.ref(`${statement.alias}.organization_id`)} = page.organization_id and ${id} = page.id`;
  const key = parts === undefined ? sql`${alias}.sort_key` : sql`page.sort_key`;
  return sql<{ json: string; key: string | null; id: string }>`
    select ${statement.json}::text as json, ${key}::text as key, ${id} as id
    from ${page}
    order by ${key} ${direction}, ${id} ${tieDirection}`;
}

/** The rows of the page, each with its `sort_key`; of a list in parts their keys alone. */
function rowsOf(
  statement: ListStatement,
  query: ListQuery,
  sort: Sort,
  after: Position | undefined,
): Sql<unknown> {
  const order = sql.raw(query.sortOrder);
  const offset = after === undefined ? (query.page - 1) * query.limit : 0;
  const limit = (rows: number) => (usualLimits.has(rows - 1) ? sql.lit(rows) : sql`${rows}`);
  const skipped = offset === 0 ? sql`` : sql` offset ${offset}`;
  const page = sql`${limit(query.limit + 1)}${skipped}`;
  // The part that the page's rows before it are in is not known: each is read as far as the page may be in it alone.
  const half = limit(query.limit + 1 + offset);
  const some = (more: Sql<unknown>[], end: Sql<unknown>) =>
    statement.parts === undefined
      ? piece(statement, statement.where, sort, order, more, end)
      : merged(statement, statement.parts, sort, order, more, { half, end });
  const start = after === undefined ? [] : [behind(statement, sort, query.sortOrder, after)];
  const halves = (one: Sql<unknown>[], other: Sql<unknown>[]) => sql`
    select half.* from (
      (${some(one, half)})
      union all
      (${some(other, half)})
    ) half
    order by half.sort_key ${order} nulls last, half.id ${order}
    limit ${page}`;
  if (sort.sparse === true && statement.parts !== undefined) {
    const zeros = sql`${sort.column} = 0`;
    const others = [sql`${sort.column} <> 0`, ...start];
    if (after === undefined) return halves(others, [zeros]);
    if (Number(after.key) !== 0)
      return query.sortOrder === 'asc' ? some(others, page) : halves(others, [zeros]);
    const behindZeros = [zeros, behind(statement, sort, query.sortOrder, { key: null, id: after.id })];
    return query.sortOrder === 'asc' ? halves(others, behindZeros) : some(behindZeros, page);
  }
  if (sort.nullable !== true) return some(start, page);
  const nulls = sql`${sort.column} is null`;
  if (after?.key === null) return some([nulls, ...start], page);
  // No index has nulls last both ways. Each half is in the order of one, and as long as the page at most.
  return halves([sql`${sort.column} is not null`, ...start], [nulls]);
}

/** Rows of the list, or of one part of it, in their order. */
function piece(
  { alias, from, parts }: ListStatement,
  where: Sql<unknown>[],
  sort: Sort,
  order: Sql<unknown>,
  more: Sql<unknown>[],
  end: Sql<unknown>,
): Sql<unknown> {
  const id = sql.ref(`${alias}.id`);
  const columns =
    parts === undefined ? sql`${sql.ref(alias)}.*` : sql`${sql.ref(`${alias}.organization_id`)}, ${id}`;
  const ofPart = parts === undefined ? undefined : sort.part;
  // All of a part have the same value: they are in the order of their ids.
  const by = ofPart === undefined ? sql`${sort.column} ${order}, ` : sql``;
  return sql`
    select ${columns}, ${ofPart ?? sort.column} as sort_key
    from ${from}
    where ${sql.join([...where, ...more], sql` and `)}
    order by ${by}${id} ${order}
    limit ${end}`;
}

function merged(
  statement: ListStatement,
  parts: Parts,
  sort: Sort,
  order: Sql<unknown>,
  more: Sql<unknown>[],
  { half, end }: { half: Sql<unknown>; end: Sql<unknown> },
): Sql<unknown> {
  return sql`
    select first.* from ${parts.from}
    cross join lateral (${piece(statement, [...statement.where, ...parts.of], sort, order, more, half)}) first
    order by first.sort_key ${order}, first.id ${order}
    limit ${end}`;
}

/**
 * Sizes of pages that are written into the statement: PostgreSQL takes a limit that it does not know for a tenth
 * of all rows, and would plan each page anew (0.7 ms for a page of orders).
 */
const usualLimits = new Set([10, 20, 25, 50, 100]);

/** The rows behind a position, in the order of `sort`; of those that have a value as it has, or none. */
function behind(
  { alias, parts }: Pick<ListStatement, 'alias' | 'parts'>,
  sort: Sort,
  sortOrder: 'asc' | 'desc',
  after: Position,
) {
  const id = sql.ref(`${alias}.id`);
  const compare = sql.raw(sortOrder === 'asc' ? '>' : '<');
  const type = sql.raw(sort.type);
  if (after.key === null) return sql`${id} ${compare} ${after.id}::uuid`;
  const key = sql`${after.key}::${type}`;
  if (parts !== undefined && sort.part !== undefined) {
    // A part is before the position as a whole, or behind it as a whole, or has it among its ids.
    const start = sql.lit(sortOrder === 'asc' ? lowestId : highestId);
    return sql`${sort.part} ${compare}= ${key}
    and ${id} ${compare} case when ${sort.part} = ${key} then ${after.id}::uuid else ${start} end`;
  }
  // Where column and id are of different tables, only the first half can use an index.
  return sql`(${sort.column} ${compare}= ${key}
    and (${sort.column}, ${id}) ${compare} (${key}, ${after.id}::uuid))`;
}

/** No record has them. */
const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `like` pattern for a case-insensitive part of a lower-case search text. */
export function searchPattern(search: string): string {
  return `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
}
