// Every SQL statement that reads the feed, and the one that shortens it.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import * as limits from '../limits.ts';
import { eventJson } from './present.ts';

const sorts: Record<string, Sort> = { sequence: { column: ref('e.sequence'), type: 'bigint' } };

export interface Feed {
  limit: number;
  page: number;
  cursor?: string;
  search?: string;
  after: number;
  types?: string[];
  objectId?: string;
}

/** The numbered events behind `after`, in order. */
export function listEvents(database: Executor, organizationId: string, feed: Feed): Promise<Page> {
  const { after, types, objectId, ...rest } = feed;
  const where = [sql`e.organization_id = ${organizationId}`, sql`e.sequence > ${after}`];
  if (types !== undefined) where.push(sql`e.type = any(${types}::text[])`);
  if (objectId !== undefined) where.push(sql`e.object_id = ${objectId}`);
  if (feed.search !== undefined) where.push(sql`e.type like ${searchPattern(feed.search)}`);
  // A cursor goes on with or without `after`: what is behind both is the same.
  const query = { ...rest, sortOrder: 'asc' as const, types, objectId };
  return listPage(database, organizationId, query, {
    name: 'listEvents',
    alias: 'e',
    from: sql`events e`,
    where,
    sorts,
    defaultSort: 'sequence',
    json: eventJson,
    ...(where.length === 2 ? { count: countAfter(organizationId, after) } : {}),
  });
}

/** Numbers have no gaps, so that all events behind one are counted by a subtraction. */
function countAfter(organizationId: string, after: number) {
  return sql<{ count: number }>`
    select coalesce(max(greatest(last_sequence - greatest(oldest_sequence - 1, ${after}), 0)), 0) as count
    from event_counters where organization_id = ${organizationId}`;
}

export interface Kept {
  oldest: number;
  last: number;
}

/** The oldest number that is kept, and the last that was given out. */
export async function findKept(database: Executor, organizationId: string): Promise<Kept> {
  const [row] = await database.query<Kept>(sql`
    select oldest_sequence as oldest, last_sequence as last from event_counters
    where organization_id = ${organizationId}`);
  return row ?? { oldest: 1, last: 0 };
}

/** The last numbers of several organisations. */
export async function findLastSequences(
  database: Executor,
  organizationIds: string[],
): Promise<Map<string, number>> {
  const rows = await database.query<{ id: string; last: number }>(sql`
    select organization_id as id, last_sequence as last from event_counters
    where organization_id = any(${organizationIds}::uuid[])`);
  return new Map(rows.map(({ id, last }) => [id, last]));
}

export async function findEvent(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${eventJson}::text as json, 1 as version from events e
    where e.organization_id = ${organizationId} and e.id = ${id} and e.sequence is not null`);
  return found;
}

/** Organisations whose oldest event is older than `before`. */
export async function findExpired(database: Executor, before: Date): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select c.organization_id as id from event_counters c
    join events e on e.organization_id = c.organization_id and e.sequence = c.oldest_sequence
    where e.created_at < ${before}`);
  return rows.map(({ id }) => id);
}

/** Locks the oldest kept number. */
export async function lockOldest(database: Executor, organizationId: string): Promise<number | undefined> {
  const [row] = await database.query<{ oldest: number }>(sql`
    select oldest_sequence as oldest from event_counters
    where organization_id = ${organizationId} for update skip locked`);
  return row?.oldest;
}

/** How many events from `oldest` on, at most a batch, come before the first that is young enough to stay. */
export async function countExpired(
  database: Executor,
  organizationId: string,
  oldest: number,
  before: Date,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    with old as (
      select sequence, created_at from events
      where organization_id = ${organizationId} and sequence >= ${oldest}
      order by sequence limit ${limits.purgeBatch}
    )
    select count(*) from old
    where sequence < coalesce((select min(sequence) from old where created_at >= ${before}), 9223372036854775807)`);
  return row!.count;
}

export async function deleteEvents(
  database: Executor,
  organizationId: string,
  from: number,
  to: number,
): Promise<void> {
  await database.query(sql`
    delete from events
    where organization_id = ${organizationId} and sequence >= ${from} and sequence < ${to}`);
  await database.query(sql`
    update event_counters set oldest_sequence = ${to} where organization_id = ${organizationId}`);
}
