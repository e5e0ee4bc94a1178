// Every SQL statement about webhook endpoints.
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { endpointJson } from './present.ts';
import type { ListWebhookEndpointsQuery, webhookEndpointSorts } from './schema.ts';

const sorts: Record<(typeof webhookEndpointSorts)[number], Sort> = {
  createdAt: { column: ref('w.created_at'), type: 'timestamptz' },
  updatedAt: { column: ref('w.updated_at'), type: 'timestamptz' },
  url: { column: ref('w.url'), type: 'text' },
};

export function listWebhookEndpoints(
  database: Executor,
  organizationId: string,
  query: ListWebhookEndpointsQuery,
): Promise<Page> {
  const where = [sql`w.organization_id = ${organizationId}`];
  if (!query.includeArchived) where.push(sql`w.archived_at is null`);
  if (query.search !== undefined) {
    where.push(sql`lower(w.url || ' ' || coalesce(w.description, '')) like ${searchPattern(query.search)}`);
  }
  return listPage(database, organizationId, query, {
    name: 'listWebhookEndpoints',
    alias: 'w',
    from: sql`webhook_endpoints w`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: endpointJson,
  });
}

export async function findWebhookEndpoint(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${endpointJson}::text as json, w.version from webhook_endpoints w
    where w.organization_id = ${organizationId} and w.id = ${id}`);
  return found;
}

export interface EndpointRow {
  url: string;
  description: string | null;
  eventTypes: string[] | null;
  includeChildren: boolean;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  disabledAt: Date | null;
  disabledReason: 'request' | 'gone' | 'failing' | null;
  failingSince: Date | null;
  archivedAt: Date | null;
  version: number;
}

/** The row, locked until the transaction ends. */
export async function lockWebhookEndpoint(
  { transaction }: UnscopedWrite,
  organizationId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await transaction.query<EndpointRow>(sql`
    select url, description, event_types as "eventTypes", include_children as "includeChildren", secret,
      previous_secret as "previousSecret", previous_secret_expires_at as "previousSecretExpiresAt",
      disabled_at as "disabledAt", disabled_reason as "disabledReason", failing_since as "failingSince",
      archived_at as "archivedAt", version
    from webhook_endpoints where organization_id = ${organizationId} and id = ${id} for update`);
  return row;
}

export async function countWebhookEndpoints(database: Executor, organizationId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from webhook_endpoints
    where organization_id = ${organizationId} and archived_at is null`);
  return row!.count;
}

export function insertWebhookEndpoint(
  write: Write,
  id: string,
  row: Pick<EndpointRow, 'url' | 'description' | 'eventTypes' | 'includeChildren' | 'secret'>,
): void {
  write.transaction.send(sql`
    insert into webhook_endpoints (organization_id, id, url, description, event_types, include_children, secret,
      created_at, updated_at)
    values (${write.scope.organizationId}, ${id}, ${row.url}, ${row.description}, ${row.eventTypes}::text[],
      ${row.includeChildren}, ${row.secret}, ${write.now}, ${write.now})`);
}

export function storeWebhookEndpoint(write: Write, id: string, row: EndpointRow): void {
  write.transaction.send(sql`
    update webhook_endpoints set url = ${row.url}, description = ${row.description},
      event_types = ${row.eventTypes}::text[], include_children = ${row.includeChildren}, secret = ${row.secret},
      previous_secret = ${row.previousSecret}, previous_secret_expires_at = ${row.previousSecretExpiresAt},
      disabled_at = ${row.disabledAt}, disabled_reason = ${row.disabledReason},
      failing_since = ${row.failingSince}, archived_at = ${row.archivedAt}, version = ${row.version + 1},
      updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** What was on its way to an endpoint that takes nothing any more. */
export function cancelDeliveries(write: Write, endpointId: string): void {
  write.transaction.send(sql`
    update webhook_deliveries set status = 'cancelled', next_attempt_at = null, completed_at = ${write.now},
      updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and webhook_endpoint_id = ${endpointId}
      and next_attempt_at is not null`);
}
