// Gives a label back: the carrier is asked, and what it accepts returns stock and allocation to the order at once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../auth/scope.ts';
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { type CarrierAccount, CarrierError, type VoidOutcome } from '../carriers/carrier.ts';
import { within } from '../carriers/within.ts';
import { withoutSecrets } from '../carriers/without-secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Steps, type Write } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import { findStored } from '../http/idempotency.ts';
import { runWrite, type Sent, writeOf } from '../http/write.ts';
import * as limits from '../limits.ts';
import { undoFulfillment } from '../orders/cancel-fulfillment.ts';
import { leaseMs, type ShippingAccess } from './access.ts';
import { DecidedMeanwhile } from './outcome.ts';
import { findShipment } from './queries.ts';
import { wasScanned } from './tracker.ts';
import {
  beginVoid,
  type LabelRow,
  leaveVoid,
  lockShipment,
  readBought,
  readScans,
  storeVoid,
} from './void-queries.ts';

const pollMs = 100;

/** @throws 404; 409 not_voidable, purchase_running; 502 and 504 of the carrier */
export async function voidShipment(access: ShippingAccess, steps: Steps): Promise<Sent> {
  const { database, scope, ifMatch, idempotent, ids } = steps;
  const id = ids['shipmentId']!;
  // Before anything is done: a key that was used for another request is 422.
  const stored = idempotent === undefined ? undefined : await findStored(database, idempotent);
  if (stored !== undefined) return { ...stored, replayed: true };
  const until = performance.now() + limits.purchaseWaitMs;
  for (;;) {
    const begun = await begin(access, scope, id, { ifMatch });
    if (begun === 'done') break;
    if (begun !== 'busy') {
      await askAndStore(access, scope, id, begun);
      break;
    }
    if (performance.now() > until) throw new ApiError('purchase_running', { details: { shipmentId: id } });
    await sleep(pollMs);
  }
  return runWrite(database, { scope, ifMatch: undefined }, idempotent, {
    prepare: async () => undefined,
    answer: async ({ transaction }) =>
      single('shipment', (await findShipment(transaction, access.links, scope.organizationId, id))!),
  });
}

/** Goes on with a void that somebody began and nobody answered for, or that the carrier has not decided yet. */
export async function resumeVoid(access: ShippingAccess, scope: Scope, id: string): Promise<void> {
  try {
    const begun = await begin(access, scope, id, 'resume');
    if (begun !== 'done' && begun !== 'busy') await askAndStore(access, scope, id, begun);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_voidable') throw error;
    // Scanned since: what was asked has come to nothing.
    await access.database.transaction(async (transaction) =>
      leaveVoid(writeOf(transaction, scope), id, null),
    );
  }
}

/** Claims the void, or says that it is decided, or that somebody else is at it. */
function begin(
  { database, timing }: ShippingAccess,
  scope: Scope,
  id: string,
  asked: { ifMatch: number | undefined } | 'resume',
): Promise<LabelRow | 'done' | 'busy'> {
  const ifMatch = asked === 'resume' ? undefined : asked.ifMatch;
  return database.transaction(async (transaction) => {
    const write: Write = { transaction, scope, now: new Date(), ifMatch };
    const row = await lockShipment(write, id);
    if (row === undefined) throw notFound('shipment');
    const { refundStatus, claimedUntil, voidStatus } = row;
    if (voidStatus === 'voided' || refundStatus === 'rejected') return 'done';
    if (asked === 'resume' ? row.voidRequestedAt === null : voidStatus === 'submitted') return 'done';
    if (claimedUntil !== null && claimedUntil > write.now) return 'busy';
    if (voidStatus === null) {
      requireVersion(write, row.version);
      await requireVoidable(write, id, row);
    }
    beginVoid(write, id, new Date(write.now.getTime() + leaseMs(timing)));
    return row;
  });
}

async function requireVoidable(write: Write, id: string, row: LabelRow): Promise<void> {
  const because = (message: string) => new ApiError('not_voidable', { message });
  if (row.purchaseStatus !== 'purchased') throw because(`The purchase is ${row.purchaseStatus}`);
  if (row.trackerStatus === 'cancelled') return;
  if (wasScanned(await readScans(write.transaction, write.scope.organizationId, id))) {
    throw because('The carrier has the parcel');
  }
  // Another carrier may still say yes.
  if (row.manifestId !== null && row.kind === 'rate-card') {
    throw because('The parcel is on a manifest that was handed over');
  }
}

async function askAndStore(access: ShippingAccess, scope: Scope, id: string, row: LabelRow): Promise<void> {
  const { database, secrets, carriers, timing } = access;
  const { organizationId } = scope;
  const bought = await readBought(database, organizationId, id);
  const [account] = await loadCarrierAccounts(database, secrets, organizationId, {
    ids: [row.carrierAccountId],
  });
  let outcome: VoidOutcome;
  try {
    outcome = await within(timing.askMs, 'unknown', (signal) =>
      carriers[account!.kind].void(account!, { reference: id, ...bought }, signal),
    );
  } catch (error) {
    await leave(access, scope, id, row, error);
    throw apiError(account!, id, error);
  }
  try {
    await database.transaction((transaction) =>
      settleVoid(writeOf(transaction, scope), access, id, row, outcome),
    );
  } catch (error) {
    if (!(error instanceof DecidedMeanwhile)) throw error;
  }
}

/** An answer that was not heard may have been yes: only a refusal to talk leaves everything as it was. */
function leave(access: ShippingAccess, scope: Scope, id: string, row: LabelRow, error: unknown) {
  const heard = error instanceof CarrierError && error.bought === 'no' && row.voidRequestedAt === null;
  return access.database.transaction(async (transaction) => {
    const write = writeOf(transaction, scope);
    leaveVoid(write, id, heard ? null : new Date(write.now.getTime() + access.timing.settleMs));
  });
}

function apiError(account: CarrierAccount, shipmentId: string, error: unknown): unknown {
  if (!(error instanceof CarrierError)) return error;
  const { carrierErrorCode, carrierMessage } = error;
  const words = carrierMessage === null ? null : withoutSecrets(account, carrierMessage);
  return new ApiError(error.failure, {
    message: withoutSecrets(account, error.message),
    details: { source: 'carrier', shipmentId, carrierErrorCode, carrierMessage: words },
  });
}

/** In one transaction: what the carrier said, and what of the order returns. */
async function settleVoid(
  write: Write,
  access: ShippingAccess,
  id: string,
  claimed: LabelRow,
  outcome: VoidOutcome,
): Promise<void> {
  const { organizationId } = write.scope;
  const previous = (await findShipment(write.transaction, access.links, organizationId, id))!;
  const { orderId, fulfillmentId, voidStatus } = claimed;
  const accepted = outcome !== 'rejected';
  if (accepted && voidStatus === null && orderId !== null && fulfillmentId !== null) {
    if (!(await undoFulfillment(write, orderId, fulfillmentId, id))) throw new DecidedMeanwhile();
  }
  const row = (await lockShipment(write, id))!;
  // Somebody went on with it when this claim had run out.
  if (row.voidStatus !== voidStatus) throw new DecidedMeanwhile();
  const asked = outcome === 'submitted' ? new Date(write.now.getTime() + limits.refundPollMs) : null;
  storeVoid(write, id, {
    voidStatus: accepted ? outcome : voidStatus,
    refundStatus: refundOf[outcome],
    nextAttemptAt: asked,
  });
  const found = (await findShipment(write.transaction, access.links, organizationId, id))!;
  if (!accepted && voidStatus === null) return;
  appendEvent(write, {
    type: 'shipment.voided',
    objectId: id,
    object: found.json,
    previous: previous.json,
  });
}

const refundOf = { voided: 'refunded', submitted: 'submitted', rejected: 'rejected' } as const;
