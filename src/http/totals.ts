// Exact totals of lists at any size: kept by the writes themselves, summed over few rows.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import * as limits from '../limits.ts';
import type { Write } from './api.ts';
import type { Span } from './date-range.ts';

export type CountedKind = 'order' | 'purchase-order' | 'shipping-quote' | 'shipment';

/** A record as lists count it. */
export interface Counted {
  /** The time that date ranges go by. */
  at: Date;
  /** What lists filter by, always in the same order; without spaces. */
  states: readonly string[];
  archived: boolean;
}

const dayMs = 86_400_000;
/** Counts the records of all days. */
const everyDay = '-infinity';

/**
 * Counts a record anew: `before` is what it was, undefined where it is new. Send it last: whoever else adds in the
 * same slot waits from here to the commit.
 */
export function recount(write: Write, kind: CountedKind, before: Counted | undefined, after: Counted): void {
  const statement = recountStatement(write, kind, before, after);
  if (statement !== undefined) write.transaction.send(statement);
}

/** Undefined where nothing changes for lists. */
export function recountStatement(
  write: Write,
  kind: CountedKind,
  before: Counted | undefined,
  after: Counted,
): Sql<unknown> | undefined {
  const changes = new Map<string, { day: string; states: string; archived: boolean; records: number }>();
  const add = ({ at, states, archived }: Counted, records: number) => {
    for (const day of [everyDay, dayOf(at)]) {
      const change = { day, states: states.join(' '), archived, records };
      const key = `${day} ${archived} ${change.states}`;
      change.records += changes.get(key)?.records ?? 0;
      changes.set(key, change);
    }
  };
  if (before !== undefined) add(before, -1);
  add(after, 1);
  const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
  const rows = sorted.filter(({ records }) => records !== 0);
  if (rows.length === 0) return undefined;
  return sql`
    insert into record_totals as t (organization_id, kind, day, states, archived, slot, records)
    select ${write.scope.organizationId}, ${kind}, c.day, c.states, c.archived,
      pg_backend_pid() % ${sql.lit(limits.totalSlots)}, c.records
    from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ states }) => states)}::text[],
      ${rows.map(({ archived }) => archived)}::bool[], ${rows.map(({ records }) => records)}::bigint[])
      c (day, states, archived, records)
    on conflict (organization_id, kind, day, states, archived, slot)
    do update set records = t.records + excluded.records`;
}

/** West of Greenwich the year 9999 lasts until the year 10000, which has no text of this form. */
function dayOf(at: Date): string {
  return at.getUTCFullYear() > 9999 ? 'infinity' : at.toISOString().slice(0, 10);
}

export interface Counting {
  /** In the order of the record's own; undefined is any. */
  states: readonly (string | undefined)[];
  includeArchived: boolean;
  /** Which times count. */
  span: Span;
  /** Counts within a span that is less than a day, in the list's own table: a scalar subquery. */
  withinDay: (span: Span) => Sql<unknown>;
}

/** How many records there are, as an expression. */
export function countedRecords(
  kind: CountedKind,
  organizations: Organizations,
  { states, includeArchived, span, withinDay }: Counting,
): Sql<unknown> {
  const { from, to } = span;
  const first = from === undefined ? undefined : new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const end = to === undefined ? undefined : new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  // No day in it is a whole one.
  if (first !== undefined && end !== undefined && first > end) return withinDay(span);

  const where = [owned('t', organizations), sql`t.kind = ${sql.lit(kind)}`];
  if (first === undefined && end === undefined) where.push(sql`t.day = ${sql.lit(everyDay)}`);
  else where.push(sql`t.day > ${sql.lit(everyDay)}`);
  if (first !== undefined) where.push(sql`t.day >= ${dayOf(first)}::date`);
  if (end !== undefined) where.push(sql`t.day < ${dayOf(end)}::date`);
  if (!includeArchived) where.push(sql`not t.archived`);
  for (const [index, state] of states.entries()) {
    if (state !== undefined) where.push(sql`split_part(t.states, ' ', ${sql.lit(index + 1)}) = ${state}`);
  }
  const sum = [
    sql`(select coalesce(sum(t.records), 0)::bigint from record_totals t where ${sql.join(where, sql` and `)})`,
  ];
  // Days of other zones begin and end within those that are counted.
  if (from !== undefined && from < first!) sum.push(withinDay({ from, to: first }));
  if (to !== undefined && to > end!) sum.push(withinDay({ from: end, to }));
  return sql.join(sum, sql` + `);
}

/**
 * What a verification compares: rows `counted, expected, actual`, several for one `counted`, to be added up.
 * `records` are rows `at, states, archived` of an organisation's records of this kind, as recount is given them.
 */
export function totalFigures(kind: CountedKind, organizationId: string, records: Sql<unknown>): Sql<unknown> {
  const counted = (day: Sql<unknown>, of: Sql<unknown>) => sql`concat_ws(' ', ${kind}::text,
    case when ${day} <> '-infinity' then ${day} end, ${of}.states, case when ${of}.archived then 'archived' end)`;
  return sql`
    select ${counted(sql`d.day`, sql`r`)} as counted, 1 as expected, 0 as actual
    from (${records}) r
    cross join lateral (values ('-infinity'::date), ((r.at at time zone 'UTC')::date)) d (day)
    union all
    select ${counted(sql`t.day`, sql`t`)}, 0, t.records
    from record_totals t where ${owned('t', organizationId)} and t.kind = ${kind}`;
}
