// Creates a webhook endpoint with a signing secret of its own.
import { newId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';
import { checkUrl } from './check-url.ts';
import { countWebhookEndpoints, findWebhookEndpoint, insertWebhookEndpoint } from './queries.ts';
import type { CreateWebhookEndpointBody } from './schema.ts';
import { makeWebhookSecret, sealWebhookSecret } from './secret.ts';

export interface WebhookSettings {
  secrets: Secrets;
  /** Whether http and private addresses are allowed. */
  allowPrivate: boolean;
}

export interface EndpointWithSecret {
  found: Found;
  /** Shown once. */
  secret: string;
}

/** @throws 400 for a URL that is not allowed, 409 too_many_endpoints */
export async function createWebhookEndpoint(
  write: Write,
  body: CreateWebhookEndpointBody,
  { secrets, allowPrivate }: WebhookSettings,
): Promise<EndpointWithSecret> {
  checkUrl(body.url, allowPrivate);
  const { organizationId } = write.scope;
  if ((await countWebhookEndpoints(write.transaction, organizationId)) >= limits.webhookEndpointsMax) {
    throw new ApiError('too_many_endpoints');
  }
  const id = newId();
  const secret = makeWebhookSecret();
  insertWebhookEndpoint(write, id, {
    url: body.url,
    description: body.description ?? null,
    eventTypes: body.eventTypes ?? null,
    includeChildren: body.includeChildren,
    secret: sealWebhookSecret(secrets, id, secret),
  });
  return { found: (await findWebhookEndpoint(write.transaction, organizationId, id))!, secret };
}
