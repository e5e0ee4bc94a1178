// What it takes to buy labels: the carriers, the way to a label's address, and how long anything may take.
import type { CarrierAccess } from '../carriers/carriers.ts';
import type { Database } from '../database/connect.ts';
import type { Links } from '../http/document-links.ts';
import * as limits from '../limits.ts';

export interface Timing {
  /** An account's answer to what it costs. */
  rateMs: number;
  /** A carrier's answer to a purchase. */
  buyMs: number;
  /** Its answer to any other question. */
  askMs: number;
  /** How long after an attempt without an answer a carrier may still be making the label. */
  settleMs: number;
  /** The first wait before an open outcome is looked at again; it doubles. */
  retryMs: number;
}

export const defaultTiming: Timing = {
  rateMs: limits.carrierRateTimeoutMs,
  buyMs: limits.carrierBuyTimeoutMs,
  askMs: limits.carrierAskTimeoutMs,
  settleMs: limits.purchaseSettleMs,
  retryMs: limits.purchaseRetryMs,
};

export interface ShippingAccess extends CarrierAccess {
  database: Database;
  links: Links;
  timing: Timing;
}

/** Longer than all that is done under one claim. */
export function leaseMs({ buyMs, askMs }: Timing): number {
  return buyMs + askMs + limits.claimSlackMs;
}
