// Archives a webhook endpoint: nothing is sent to it any more, what was sent stays to be looked at.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import {
  cancelDeliveries,
  findWebhookEndpoint,
  lockWebhookEndpoint,
  storeWebhookEndpoint,
} from './queries.ts';

export async function archiveWebhookEndpoint(write: Write, id: string): Promise<Found> {
  const { organizationId } = write.scope;
  const row = await lockWebhookEndpoint(write, organizationId, id);
  if (row === undefined) throw notFound('webhook endpoint');
  requireVersion(write, row.version);
  if (row.archivedAt === null) {
    cancelDeliveries(write, id);
    storeWebhookEndpoint(write, id, { ...row, archivedAt: write.now });
  }
  return (await findWebhookEndpoint(write.transaction, organizationId, id))!;
}
