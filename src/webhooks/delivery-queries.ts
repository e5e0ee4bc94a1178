// Every SQL statement about webhook deliveries as the API shows them.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import * as limits from '../limits.ts';
import { deliveryJson } from './present.ts';
import type { ListWebhookDeliveriesQuery, webhookDeliverySorts } from './schema.ts';

const sorts: Record<(typeof webhookDeliverySorts)[number], Sort> = {
  createdAt: { column: ref('d.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('d.updated_at'), type: 'timestamptz' },
};

export function listWebhookDeliveries(
  database: Executor,
  organizationId: string,
  endpointId: string,
  query: ListWebhookDeliveriesQuery,
): Promise<Page> {
  const where = [sql`d.organization_id = ${organizationId}`, sql`d.webhook_endpoint_id = ${endpointId}`];
  if (query.status !== undefined) where.push(sql`d.status = ${query.status}`);
  if (query.eventId !== undefined) where.push(sql`d.event_id = ${query.eventId}`);
  if (query.search !== undefined) where.push(sql`d.event_type like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: `listWebhookDeliveries ${endpointId}`,
    alias: 'd',
    from: sql`webhook_deliveries d`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: deliveryJson,
  });
}

export async function findWebhookDelivery(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${deliveryJson}::text as json, 1 as version from webhook_deliveries d
    where d.organization_id = ${organizationId} and d.id = ${id}`);
  return found;
}

export interface NewDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
}

/** Events of one organisation on their way to endpoints of one; a pair that is there already stays as it is. */
export async function insertDeliveries(
  database: Executor,
  eventOrganizationId: string,
  endpointOrganizationId: string,
  rows: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  await database.query(sql`
    insert into webhook_deliveries (organization_id, id, webhook_endpoint_id, event_organization_id, event_id,
      event_type, next_attempt_at, created_at, updated_at)
    select ${endpointOrganizationId}, d.id, d.endpoint_id, ${eventOrganizationId}, d.event_id, d.event_type,
      ${now}, ${now}, ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ endpointId }) => endpointId)}::uuid[],
      ${rows.map(({ eventId }) => eventId)}::uuid[], ${rows.map(({ eventType }) => eventType)}::text[])
      d (id, endpoint_id, event_id, event_type)
    on conflict do nothing`);
}

export interface DeliveryRow {
  eventId: string;
  eventOrganizationId: string;
}

/** The row, locked until the transaction ends. */
export async function lockWebhookDelivery(
  write: Write,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await write.transaction.query<DeliveryRow>(sql`
    select event_id as "eventId", event_organization_id as "eventOrganizationId" from webhook_deliveries
    where organization_id = ${write.scope.organizationId} and webhook_endpoint_id = ${endpointId}
      and id = ${id} for update`);
  return row;
}

/** Begins another round of tries, the first of them at once. */
export function restartDelivery(write: Write, id: string): void {
  write.transaction.send(sql`
    update webhook_deliveries set status = 'pending', tries = 0, next_attempt_at = ${write.now},
      completed_at = null, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export async function eventExists(database: Executor, organizationId: string, id: string): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from events where organization_id = ${organizationId} and id = ${id}`);
  return rows.length > 0;
}

/** Deletes deliveries that are done and as old as events get, a bounded number at a time. */
export async function purgeDeliveries(database: Executor, retentionDays: number): Promise<void> {
  const before = new Date(Date.now() - retentionDays * 86_400_000);
  await database.query(sql`
    delete from webhook_deliveries where (organization_id, id) in (
      select organization_id, id from webhook_deliveries
      where created_at < ${before} and next_attempt_at is null limit ${limits.purgeBatch})`);
}
