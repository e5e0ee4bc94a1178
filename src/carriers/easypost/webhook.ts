// What EasyPost posts by itself: proved by its signature, then read. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierAccount, Tracked, VoidOutcome } from '../carrier.ts';
import { parseJson } from './json.ts';
import { readEvent, readRefund, readTracker, refundOutcome } from './responses.ts';
import { trackedOf } from './tracking.ts';

/** What is told of one parcel. Of a shipment with several, ask `track` instead: one delivery is not all of them. */
export type News = { trackingCode: string; shipmentId: string | null } & (
  | { about: 'tracker'; tracked: Tracked }
  | { about: 'refund'; outcome: VoidOutcome }
);

/**
 * Whether the body, byte for byte as it came, was signed with the secret. `header` is `X-Hmac-Signature`:
 * `hmac-sha256-hex=` and the HMAC-SHA256 in hexadecimal digits, the key being the secret's UTF-8 in Unicode's form NFKD.
 */
export function isSigned(body: Buffer, header: string | undefined, secret: string): boolean {
  if (header === undefined || secret === '') return false;
  const key = Buffer.from(secret.normalize('NFKD'));
  const expected = Buffer.from(`hmac-sha256-hex=${createHmac('sha256', key).update(body).digest('hex')}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Undefined for events of no interest here. @throws CarrierError carrier_unavailable where it cannot be understood */
export function readWebhook(account: CarrierAccount, body: Buffer): News | undefined {
  const { description, result } = readEvent(parsed(body));
  if (description === 'tracker.created' || description === 'tracker.updated') {
    const tracker = readTracker(result);
    return {
      about: 'tracker',
      trackingCode: tracker.tracking_code,
      shipmentId: tracker.shipment_id ?? null,
      tracked: trackedOf(tracker, account.carrierCode),
    };
  }
  if (description !== 'refund.successful') return undefined;
  const refund = readRefund(result);
  return {
    about: 'refund',
    trackingCode: refund.tracking_code,
    shipmentId: refund.shipment_id ?? null,
    outcome: refundOutcome(refund.status) ?? 'voided',
  };
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
