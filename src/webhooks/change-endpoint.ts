// What every change of a webhook endpoint does: lock, check, change, store, read back.
import { ApiError, notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import {
  type EndpointRow,
  findWebhookEndpoint,
  lockWebhookEndpoint,
  storeWebhookEndpoint,
} from './queries.ts';

/** @throws 404, 412, 409 archived */
export async function changeEndpoint(
  write: Write,
  id: string,
  change: (row: EndpointRow) => EndpointRow,
): Promise<Found> {
  const { organizationId } = write.scope;
  const row = await lockWebhookEndpoint(write, organizationId, id);
  if (row === undefined) throw notFound('webhook endpoint');
  requireVersion(write, row.version);
  if (row.archivedAt !== null) throw new ApiError('archived');
  storeWebhookEndpoint(write, id, change(row));
  return (await findWebhookEndpoint(write.transaction, organizationId, id))!;
}
