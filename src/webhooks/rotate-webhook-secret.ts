// Gives an endpoint another signing secret; for a day both sign, so that receivers can change over without a gap.
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';
import { changeEndpoint } from './change-endpoint.ts';
import type { EndpointWithSecret } from './create-webhook-endpoint.ts';
import { makeWebhookSecret, sealWebhookSecret } from './secret.ts';

export async function rotateWebhookSecret(
  write: Write,
  id: string,
  secrets: Secrets,
): Promise<EndpointWithSecret> {
  const secret = makeWebhookSecret();
  const overlapMs = limits.webhookSecretOverlapHours * 3_600_000;
  const found = await changeEndpoint(write, id, (row) => ({
    ...row,
    secret: sealWebhookSecret(secrets, id, secret),
    previousSecret: row.secret,
    previousSecretExpiresAt: new Date(write.now.getTime() + overlapMs),
  }));
  return { found, secret };
}
