// Sends an endpoint an event that tells of nothing but itself.
import { newId } from '../database/ids.ts';
import { ApiError, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findWebhookDelivery, insertDeliveries } from './delivery-queries.ts';
import { findWebhookEndpoint, lockWebhookEndpoint } from './queries.ts';

/** @throws 404, 409 archived, 409 endpoint_disabled */
export async function testWebhookEndpoint(write: Write, endpointId: string): Promise<Found> {
  const { organizationId } = write.scope;
  await requireEnabled(write, endpointId);
  const endpoint = (await findWebhookEndpoint(write.transaction, organizationId, endpointId))!;
  const eventType = 'webhook_endpoint.test';
  const eventId = appendEvent(write, { type: eventType, objectId: endpointId, object: endpoint.json });
  const delivery = { id: newId(), endpointId, eventId, eventType };
  await insertDeliveries(write.transaction, organizationId, organizationId, [delivery], write.now);
  return (await findWebhookDelivery(write.transaction, organizationId, delivery.id))!;
}

/** The endpoint stays as it is until the transaction ends. */
export async function requireEnabled(write: Write, endpointId: string): Promise<void> {
  const row = await lockWebhookEndpoint(write, write.scope.organizationId, endpointId);
  if (row === undefined) throw notFound('webhook endpoint');
  if (row.archivedAt !== null) throw new ApiError('archived');
  if (row.disabledAt !== null) throw new ApiError('endpoint_disabled');
}
