// What becomes of a purchase, each in one transaction: a label, nothing, or not known yet.
import type { Bought, CarrierError } from '../carriers/carrier.ts';
import { withoutSecrets } from '../carriers/without-secrets.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import { forgetIntent, type IdempotentRequest, keep } from '../http/idempotency.ts';
import { undoFulfillment } from '../orders/cancel-fulfillment.ts';
import { holdShippedOrder } from '../orders/note-shipment.ts';
import { lockQuote, setQuoteShipment } from '../shipping-quotes/queries.ts';
import { labelContents } from './label-contents.ts';
import type { Attempt } from './purchase.ts';
import {
  type Failure,
  lockUndecided,
  storeFailed,
  storePurchased,
  storeUnknown,
  type UndecidedShipment,
} from './purchase-queries.ts';
import { findShipment } from './queries.ts';
import { recountShipment } from './shipment-count.ts';

/** Another attempt was quicker, or is at it now; what this transaction has begun is undone. */
export class DecidedMeanwhile extends Error {}

/** Somebody else claimed it when this attempt's claim had run out: what comes of it is theirs to say. */
const hasLostClaim = ({ claimedUntil }: UndecidedShipment, attempt: Attempt) =>
  claimedUntil?.getTime() !== attempt.claimedUntil.getTime();

/** A label was bought: it, the order's word of it and the kept answer commit together. */
export async function settlePurchase(write: Write, attempt: Attempt, bought: Bought): Promise<void> {
  const { access, id, row, account } = attempt;
  const { orderId, fulfillmentId } = attempt.shipment;
  const order = orderId === null ? undefined : await holdShippedOrder(write, orderId);
  const shipment = await lockUndecided(write, id);
  if (shipment === undefined) return;
  const contents = labelContents(row, bought);
  const { trackEveryMs } = access.carriers[account.kind];
  storePurchased(write, id, {
    trackingCode: bought.trackingCode,
    trackingUrl: bought.trackingUrl,
    carrierReference: bought.carrierReference,
    chargedTotal: bought.rateTotal,
    nextTrackAt: trackEveryMs === null ? null : new Date(write.now.getTime() + trackEveryMs),
    packages: row.parcels.map((parcel, index) => ({
      id: parcel.id,
      trackingCode: bought.parcels[index]!.trackingCode,
      content: contents?.[index] ?? null,
      label: bought.parcels[index]!.label?.bytes ?? null,
    })),
  });
  const codes = [bought.trackingCode, ...bought.parcels.map(({ trackingCode }) => trackingCode)];
  await order?.note({ fulfillmentId, codes: [...new Set(codes)], carrierCode: account.carrierCode });
  recountShipment(write, shipment, {
    ...shipment,
    purchaseStatus: 'purchased',
    trackerStatus: 'pre-transit',
  });
  const found = (await findShipment(write.transaction, access.links, write.scope.organizationId, id))!;
  appendEvent(write, { type: 'shipment.purchased', objectId: id, object: found.json });
  const key = keyOf(write, shipment);
  if (key !== undefined) keep(write.transaction, key, single('shipment', found));
}

/** Nothing was bought: stock and allocation return to the order, quote, reference and key are free again. */
export async function failPurchase(write: Write, attempt: Attempt, error: CarrierError): Promise<void> {
  const { access, id, account } = attempt;
  const { orderId, fulfillmentId, shippingQuoteId } = attempt.shipment;
  if (orderId !== null && fulfillmentId !== null) {
    if (!(await undoFulfillment(write, orderId, fulfillmentId, id))) throw new DecidedMeanwhile();
  }
  const shipment = await lockUndecided(write, id);
  if (shipment === undefined || hasLostClaim(shipment, attempt)) throw new DecidedMeanwhile();
  storeFailed(write, id, failureOf(account, error));
  const quote = await lockQuote(write, shippingQuoteId);
  if (quote?.shipmentId === id) setQuoteShipment(write, quote, null);
  recountShipment(write, shipment, { ...shipment, purchaseStatus: 'failed' });
  const found = (await findShipment(write.transaction, access.links, write.scope.organizationId, id))!;
  appendEvent(write, { type: 'shipment.failed', objectId: id, object: found.json });
  const key = keyOf(write, shipment);
  if (key !== undefined) forgetIntent(write.transaction, key);
}

/** Whether there is a label is not known: it is asked again after a while. */
export async function keepOpen(
  write: Write,
  attempt: Attempt,
  error: CarrierError,
  waitMs: number,
): Promise<void> {
  const { id, account } = attempt;
  const shipment = await lockUndecided(write, id);
  if (shipment === undefined || hasLostClaim(shipment, attempt)) return;
  storeUnknown(write, id, failureOf(account, error), new Date(write.now.getTime() + waitMs));
  recountShipment(write, shipment, { ...shipment, purchaseStatus: 'unknown' });
}

function failureOf(account: Attempt['account'], error: CarrierError): Failure {
  const { failure, message, carrierErrorCode, carrierMessage } = error;
  const words = (text: string | null) => (text === null ? null : withoutSecrets(account, text));
  return { code: failure, message: words(message)!, carrierErrorCode, carrierMessage: words(carrierMessage) };
}

function keyOf(write: Write, shipment: UndecidedShipment): IdempotentRequest | undefined {
  const { idempotencyKey: key, idempotencyFingerprint: fingerprint } = shipment;
  if (key === null || fingerprint === null) return undefined;
  return { organizationId: write.scope.organizationId, key, fingerprint };
}
