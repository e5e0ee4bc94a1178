// Signing secrets of webhook endpoints, and the headers that they sign (Standard Webhooks).
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';

export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(limits.webhookSecretBytes).toString('base64')}`;
}

/** Where an endpoint's secret belongs: sealed for it, it opens for no other. */
const place = (endpointId: string) => `webhook endpoint ${endpointId}`;

export function sealWebhookSecret(secrets: Secrets, endpointId: string, secret: string): Buffer {
  return secrets.seal(secret, place(endpointId));
}

export function openWebhookSecret(secrets: Secrets, endpointId: string, sealed: Buffer): string {
  return secrets.open(sealed, place(endpointId));
}

/** The three headers; one signature for each secret that is valid at the time. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
