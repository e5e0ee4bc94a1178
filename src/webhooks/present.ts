// Row -> wire object of webhook endpoints and deliveries, as PostgreSQL builds it.
import { sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';

export const endpointJson = jsonObject({
  id: column('w.id'),
  organizationId: column('w.organization_id'),
  url: column('w.url'),
  eventTypes: column('w.event_types'),
  description: column('w.description'),
  includeChildren: column('w.include_children'),
  enabled: sql`w.disabled_at is null and w.archived_at is null`,
  disabledAt: time('w.disabled_at'),
  disabledReason: column('w.disabled_reason'),
  failingSince: time('w.failing_since'),
  previousSecretExpiresAt: time('w.previous_secret_expires_at'),
  createdAt: time('w.created_at'),
  updatedAt: time('w.updated_at'),
  archivedAt: time('w.archived_at'),
});

export const deliveryJson = jsonObject({
  id: column('d.id'),
  organizationId: column('d.organization_id'),
  webhookEndpointId: column('d.webhook_endpoint_id'),
  eventId: column('d.event_id'),
  eventType: column('d.event_type'),
  eventOrganizationId: column('d.event_organization_id'),
  status: column('d.status'),
  nextAttemptAt: time('d.next_attempt_at'),
  completedAt: time('d.completed_at'),
  attempts: column('d.attempts'),
  createdAt: time('d.created_at'),
  updatedAt: time('d.updated_at'),
});
