// Changes what the body names of a webhook endpoint, and turns it off and on.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { checkUrl } from './check-url.ts';
import { cancelDeliveries } from './queries.ts';
import type { UpdateWebhookEndpointBody } from './schema.ts';

export async function updateWebhookEndpoint(
  write: Write,
  id: string,
  { enabled, ...fields }: UpdateWebhookEndpointBody,
  { allowPrivate }: { allowPrivate: boolean },
): Promise<Found> {
  if (fields.url !== undefined) checkUrl(fields.url, allowPrivate);
  return changeEndpoint(write, id, (row) => {
    const changed = { ...row, ...fields };
    if (enabled === true) return { ...changed, disabledAt: null, disabledReason: null, failingSince: null };
    if (enabled === undefined || row.disabledAt !== null) return changed;
    cancelDeliveries(write, id);
    return { ...changed, disabledAt: write.now, disabledReason: 'request' };
  });
}
