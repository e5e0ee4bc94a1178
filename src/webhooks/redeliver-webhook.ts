// Sends a delivery again, whatever became of it: the same event under the same webhook-id.
import { ApiError, notFound } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import {
  eventExists,
  findWebhookDelivery,
  lockWebhookDelivery,
  restartDelivery,
} from './delivery-queries.ts';
import { requireEnabled } from './test-webhook-endpoint.ts';

/** @throws 404, 409 archived, 409 endpoint_disabled, 410 events_expired */
export async function redeliverWebhook(write: Write, endpointId: string, id: string): Promise<Found> {
  await requireEnabled(write, endpointId);
  const row = await lockWebhookDelivery(write, endpointId, id);
  if (row === undefined) throw notFound('webhook delivery');
  if (!(await eventExists(write.transaction, row.eventOrganizationId, row.eventId))) {
    throw new ApiError('events_expired', { message: 'The event is no longer kept' });
  }
  restartDelivery(write, id);
  return (await findWebhookDelivery(write.transaction, write.scope.organizationId, id))!;
}
