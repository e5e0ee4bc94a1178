// Pages of a list: by number or by cursor, in any allowed order, with the id as tie-break and nulls last.
import { createHash } from 'node:crypto';
import { type Executor, plannedAnew, type Sql, sql } from '../database/connect.ts';
import { isId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';

/** How one `sortBy` name is ordered in SQL. */
export interface Sort {
  column: Sql<unknown>;
  /** The cast that turns a cursor's text back into the column's type. */
  type: 'timestamptz' | 'numeric' | 'integer' | 'bigint' | 'text';
  nullable?: boolean;
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

  const alias = sql.ref(statement.alias);
  const id = sql.ref(`${statement.alias}.id`);
  // An index of a column without nulls is of no use to an order that says where nulls go.
  const direction = sql.raw(sort.nullable === true ? `${query.sortOrder} nulls last` : query.sortOrder);
  const tieDirection = sql.raw(query.sortOrder);
  const rows = sql<{ json: string; key: string | null; id: string }>`
    select ${statement.json}::text as json, ${alias}.sort_key::text as key, ${id} as id
    from (${rowsOf(statement, query, sort, after)}) ${alias}
    order by ${alias}.sort_key ${direction}, ${id} ${tieDirection}`;
  const filter = sql.join(statement.where, sql` and `);
  const count =
    statement.count ?? sql<{ count: number }>`select count(*) from ${statement.from} where ${filter}`;
  // What is searched for decides whether an index helps.
  const planned = query.search === undefined ? <Row>(one: Sql<Row>) => one : plannedAnew;
  const [found, [total]] = await Promise.all([database.query(planned(rows)), database.query(planned(count))]);
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => row.json),
    limit: query.limit,
    totalCount: total!.count,
    nextCursor: last === undefined ? null : writeCursor(fingerprint, last.key, last.id),
  };
}

/** The rows of the page, each with its `sort_key`. */
function rowsOf(
  statement: ListStatement,
  query: ListQuery,
  sort: Sort,
  after: Position | undefined,
): Sql<unknown> {
  const id = sql.ref(`${statement.alias}.id`);
  const order = sql.raw(query.sortOrder);
  const offset = after === undefined ? (query.page - 1) * query.limit : 0;
  const limit = (rows: number) => (usualLimits.has(rows - 1) ? sql.lit(rows) : sql`${rows}`);
  const skipped = offset === 0 ? sql`` : sql` offset ${offset}`;
  const some = (more: Sql<unknown>[], end: Sql<unknown>) => sql`
    select ${sql.ref(statement.alias)}.*, ${sort.column} as sort_key
    from ${statement.from}
    where ${sql.join([...statement.where, ...more], sql` and `)}
    order by ${sort.column} ${order}, ${id} ${order}
    limit ${end}`;
  const start = after === undefined ? [] : [behind(sort, id, query.sortOrder, after)];
  const page = sql`${limit(query.limit + 1)}${skipped}`;
  if (sort.nullable !== true) return some(start, page);
  const nulls = sql`${sort.column} is null`;
  if (after?.key === null) return some([nulls, ...start], page);
  // No index has nulls last both ways. Each half is in the order of one, and as long as the page at most.
  const half = limit(query.limit + 1 + offset);
  return sql`
    select half.* from (
      (${some([sql`${sort.column} is not null`, ...start], half)})
      union all
      (${some([nulls], half)})
    ) half
    order by half.sort_key ${order} nulls last, half.id ${order}
    limit ${page}`;
}

/**
 * Sizes of pages that are written into the statement: PostgreSQL takes a limit that it does not know for a tenth
 * of all rows, and would plan each page anew (0.7 ms for a page of orders).
 */
const usualLimits = new Set([10, 20, 25, 50, 100]);

interface Position {
  key: string | null;
  id: string;
}

/** The rows behind a position, in the order of `sort`; of those that have a value as it has, or none. */
function behind(sort: Sort, id: Sql<unknown>, sortOrder: 'asc' | 'desc', after: Position) {
  const compare = sql.raw(sortOrder === 'asc' ? '>' : '<');
  const type = sql.raw(sort.type);
  if (after.key === null) return sql`${id} ${compare} ${after.id}::uuid`;
  const key = sql`${after.key}::${type}`;
  // Where column and id are of different tables, only the first half can use an index.
  return sql`(${sort.column} ${compare}= ${key}
    and (${sort.column}, ${id}) ${compare} (${key}, ${after.id}::uuid))`;
}

function filterFingerprint(organizationId: string, list: string, sortBy: string, query: ListQuery): string {
  const { limit: _limit, page: _page, cursor: _cursor, sortBy: _sortBy, ...filters } = query;
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([organizationId, list, sortBy, sorted]))
    .digest('base64url')
    .slice(0, 16);
}

function writeCursor(fingerprint: string, key: string | null, id: string): string {
  return Buffer.from(JSON.stringify([fingerprint, key, id])).toString('base64url');
}

function readCursor(cursor: string, fingerprint: string, sort: Sort): Position {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw new ApiError('invalid_cursor');
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== fingerprint)
    throw new ApiError('invalid_cursor');
  const [, key, id] = parts as [string, unknown, unknown];
  if (typeof id !== 'string' || !isId(id) || !isKey(key, sort)) throw new ApiError('invalid_cursor');
  return { key, id };
}

function isKey(key: unknown, sort: Sort): key is string | null {
  if (key === null) return sort.nullable === true;
  if (typeof key !== 'string' || key.includes('\0')) return false;
  if (sort.type === 'timestamptz') return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.+:-]*$/.test(key);
  if (sort.type === 'text') return true;
  return /^-?\d+(\.\d+)?$/.test(key);
}

/** `like` pattern for a case-insensitive part of a lower-case search text. */
export function searchPattern(search: string): string {
  return `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
}
