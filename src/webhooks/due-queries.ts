// Every SQL statement of the work on deliveries: what is due, what is taken on, what became of it.
import { type Database, type Executor, sql } from '../database/connect.ts';
import { eventJson } from '../events/present.ts';
import * as limits from '../limits.ts';

export interface EndpointKey {
  organizationId: string;
  id: string;
}

/** Endpoints for which something is due. */
export function findDueEndpoints(database: Database, now: Date): Promise<EndpointKey[]> {
  return database.query<EndpointKey>(sql`
    select w.organization_id as "organizationId", w.id from webhook_endpoints w
    where w.disabled_at is null and w.archived_at is null and exists (
      select 1 from webhook_deliveries d
      where d.organization_id = w.organization_id and d.webhook_endpoint_id = w.id and d.next_attempt_at <= ${now})`);
}

export interface Target {
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  failingSince: Date | null;
}

/** Undefined where nothing may be sent to it. */
export async function findTarget(
  database: Executor,
  { organizationId, id }: EndpointKey,
): Promise<Target | undefined> {
  const [row] = await database.query<Target>(sql`
    select url, secret, previous_secret as "previousSecret",
      previous_secret_expires_at as "previousSecretExpiresAt", failing_since as "failingSince"
    from webhook_endpoints
    where organization_id = ${organizationId} and id = ${id} and disabled_at is null and archived_at is null`);
  return row;
}

export interface Claimed {
  id: string;
  eventOrganizationId: string;
  eventId: string;
  tries: number;
}

/** Takes on what is due of one endpoint, oldest first; nobody else does until the lease ends. */
export function claimDue(
  database: Executor,
  { organizationId, id }: EndpointKey,
  now: Date,
  limit: number,
): Promise<Claimed[]> {
  const leaseEnd = new Date(now.getTime() + limits.webhookLeaseMs);
  return database.query<Claimed>(sql`
    with due as materialized (
      select id from webhook_deliveries
      where organization_id = ${organizationId} and webhook_endpoint_id = ${id} and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update webhook_deliveries d set next_attempt_at = ${leaseEnd}
    from due where d.organization_id = ${organizationId} and d.id = due.id
    returning d.id, d.event_organization_id as "eventOrganizationId", d.event_id as "eventId", d.tries`);
}

/** Event id -> the event as the feed shows it; null while it has no number, missing once it is no longer kept. */
export async function findBodies(
  database: Executor,
  organizationId: string,
  ids: string[],
): Promise<Map<string, string | null>> {
  const rows = await database.query<{ id: string; json: string | null }>(sql`
    select e.id, case when e.sequence is not null then ${eventJson}::text end as json from events e
    where e.organization_id = ${organizationId} and e.id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, json }) => [id, json]));
}

export interface Outcome {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  tries: number;
  nextAttemptAt: Date | null;
  completedAt: Date | null;
  /** As the API shows it; none where there was nothing to send yet. */
  attempt: Record<string, unknown> | null;
}

/** What was cancelled meanwhile stays so, unless it got through. */
export async function storeOutcomes(
  database: Executor,
  organizationId: string,
  outcomes: Outcome[],
  now: Date,
): Promise<void> {
  const attempts = outcomes.map(({ attempt }) => JSON.stringify(attempt === null ? [] : [attempt]));
  await database.query(sql`
    update webhook_deliveries d set attempts = d.attempts || o.attempt, tries = o.tries,
      status = case when d.status = 'pending' or o.status = 'succeeded' then o.status else d.status end,
      next_attempt_at = case when d.status = 'pending' then o.next_attempt_at end,
      completed_at = case when d.status = 'pending' or o.status = 'succeeded' then o.completed_at
        else d.completed_at end,
      updated_at = ${now}
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ status }) => status)}::text[],
      ${outcomes.map(({ tries }) => tries)}::integer[],
      ${outcomes.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
      ${outcomes.map(({ completedAt }) => completedAt)}::timestamptz[], ${attempts}::jsonb[])
      o (id, status, tries, next_attempt_at, completed_at, attempt)
    where d.organization_id = ${organizationId} and d.id = o.id`);
}

/** Undefined: something got through. */
export async function storeFailingSince(
  database: Executor,
  { organizationId, id }: EndpointKey,
  failingSince: Date | null,
): Promise<void> {
  await database.query(sql`
    update webhook_endpoints set failing_since = ${failingSince}
    where organization_id = ${organizationId} and id = ${id}`);
}
