// Ranges of calendar days as lists take them: both ends inclusive, in UTC or in the zone that is named.
import { type Sql, sql } from '../database/connect.ts';
import { type Issue, invalid } from '../errors.ts';
import * as limits from '../limits.ts';
import { Day, requiredText, Type } from './schemas.ts';

const timezone = Type.Optional(
  requiredText(limits.codeLengthMax, {
    description: 'IANA time zone whose calendar days the dates are; UTC when left out',
    examples: ['America/New_York'],
  }),
);

/** The query parameters `dateRange[from]`, `dateRange[to]` and `timezone`. */
export const dateRangeParameters = {
  'dateRange[from]': Type.Optional({ ...Day, description: 'First day, inclusive' }),
  'dateRange[to]': Type.Optional({ ...Day, description: 'Last day, inclusive' }),
  timezone,
};
/** The same for a list whose parameters are called `from` and `to`. */
export const fromToParameters = {
  from: Type.Optional({ ...Day, description: 'First day, inclusive' }),
  to: Type.Optional({ ...Day, description: 'Last day, inclusive' }),
  timezone,
};

export interface DateRangeQuery {
  'dateRange[from]'?: string;
  'dateRange[to]'?: string;
  timezone?: string;
}

/** The moments between which a time lies: `from` itself, but not `to`. */
export interface Span {
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * The days asked for, from the first moment of the first to that after the last.
 * @throws 400 when the first day is after the last, or the zone is unknown
 */
export function spanOfDateRange(query: DateRangeQuery): Span {
  const { 'dateRange[from]': from, 'dateRange[to]': to } = query;
  return spanOfDays(from, to, query.timezone, '/dateRange[from]');
}

/** The conditions that keep a time within the days asked for; none when no day is named. @throws 400, as above */
export function inDateRange(column: Sql<unknown>, query: DateRangeQuery): Sql<unknown>[] {
  return inSpan(column, spanOfDateRange(query));
}

export interface FromToQuery {
  from?: string;
  to?: string;
  timezone?: string;
}

/** As spanOfDateRange, of a list whose parameters are called `from` and `to`. */
export function spanOfFromTo({ from, to, timezone }: FromToQuery): Span {
  return spanOfDays(from, to, timezone, '/from');
}

export function inFromTo(column: Sql<unknown>, query: FromToQuery): Sql<unknown>[] {
  return inSpan(column, spanOfFromTo(query));
}

function spanOfDays(from: string | undefined, to: string | undefined, zone = 'UTC', pathOfFrom = ''): Span {
  const issues: Issue[] = [];
  if (!isTimeZone(zone)) {
    issues.push({ path: '/timezone', code: 'invalid_format', message: 'must be an IANA time zone name' });
  }
  if (from !== undefined && to !== undefined && from > to) {
    issues.push({ path: pathOfFrom, code: 'out_of_range', message: 'must not be after the last day' });
  }
  if (issues.length > 0) throw invalid(issues);
  return {
    from: from === undefined ? undefined : startOfDay(from, zone),
    to: to === undefined ? undefined : startOfDay(dayAfter(to), zone),
  };
}

export function inSpan(column: Sql<unknown>, { from, to }: Span): Sql<unknown>[] {
  const conditions: Sql<unknown>[] = [];
  if (from !== undefined) conditions.push(sql`${column} >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`${column} < ${to}::timestamptz`);
  return conditions;
}

/** Offsets such as `+05:30` are no names: PostgreSQL and others read their sign the other way round. */
export function isTimeZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && clockOf(zone) !== undefined;
}

const dayMs = 86_400_000;

function dayAfter(day: string): string {
  const after = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString();
  return after.slice(0, after.indexOf('T'));
}

/**
 * The first moment of a calendar day in a zone. Where clocks go forward at midnight that is the moment of the
 * change; where they go back over midnight it is the first of the two midnights.
 */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const before = midnight - offsetAt(midnight - dayMs, zone);
  const after = midnight - offsetAt(midnight + dayMs, zone);
  const isMidnight = (moment: number) => moment + offsetAt(moment, zone) === midnight;
  return new Date(!isMidnight(before) && isMidnight(after) ? after : before);
}

/** Milliseconds that the zone's clocks are ahead of UTC. */
function offsetAt(moment: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(zone)!.formatToParts(moment)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - moment;
}

/** One per name that exists, and there are a few hundred: nothing is kept for a name that does not. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  const name = zone.toLowerCase();
  const known = clocks.get(name);
  if (known !== undefined) return known;
  try {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(name, clock);
    return clock;
  } catch {
    return undefined;
  }
}
