// The carriers of the test environment: they sell, remember and fail as real ones do, and post nothing.
import type { Database } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import type { Address } from '../../http/schemas.ts';
import * as limits from '../../limits.ts';
import {
  type Bought,
  type Carrier,
  type CarrierAccount,
  CarrierError,
  type Label,
  type Purchase,
  type Tracked,
  type VoidOutcome,
} from '../carrier.ts';
import { boughtAs, ratesOf, takeTrackingCodes } from '../rate-card/carrier.ts';
import { exampleCard } from '../rate-card/example-cards.ts';
import { type Fault, faultOf } from './faults.ts';
import {
  findSimulatedLabel,
  insertSimulatedLabel,
  readSimulatedLabel,
  voidSimulatedLabel,
} from './queries.ts';
import { scansUntil } from './scans.ts';
import { carrierOf, settingsOf } from './settings.ts';

export function makeSimulatedCarrier(database: Database): Carrier {
  return {
    // As with most carriers: who asks twice pays twice.
    buysOncePerReference: false,
    drawsLabels: true,
    trackEveryMs: limits.simulatedTrackMs,
    async rate(account, request, signal) {
      const { fault, settings } = conditionsOf(account, request.shipTo);
      if (fault === 'rate-timeout') await silence(signal, 'no');
      if (fault === 'rate-error') throw broken('no');
      if (fault === 'rate-malformed') throw malformed('no');
      if (fault === 'rate-slow') await pause(settings.slowSeconds * 1000, signal, 'no');
      return ratesOf(exampleCard(carrierOf(account)), request);
    },
    buy: (account, purchase, signal) => buy(database, account, purchase, signal),
    async find(account, purchase) {
      const { fault, settings } = conditionsOf(account, purchase.shipTo);
      if (fault === 'buy-outcome-hidden' && isYoung(purchase.reference, settings)) throw broken('unknown');
      const label = await findSimulatedLabel(database, account, purchase.reference);
      return label && boughtOf(account, label);
    },
    void: (account, label, signal) => voidLabel(database, account, label, signal),
    track: (account, label) => track(database, account, label),
  };
}

function conditionsOf(account: CarrierAccount, shipTo: Address) {
  const settings = settingsOf(account);
  return { settings, fault: faultOf(settings, shipTo) };
}

async function buy(
  database: Database,
  account: CarrierAccount,
  purchase: Purchase,
  signal: AbortSignal,
): Promise<Bought> {
  const { settings, fault } = conditionsOf(account, purchase.shipTo);
  if (fault === 'buy-slow') await pause(settings.slowSeconds * 1000, signal, 'unknown');
  const passes = fault === 'buy-timeout-at-first' && !isYoung(purchase.reference, settings);
  if (!passes) await failBefore(fault, signal);
  const card = exampleCard(carrierOf(account));
  const trackingCodes = await takeTrackingCodes(database, account, card, purchase);
  const id = newId();
  await insertSimulatedLabel(database, account, {
    id,
    reference: purchase.reference,
    trackingCodes,
    charged: purchase.rate.rateTotal,
    boughtAt: new Date(),
  });
  if (fault === 'buy-timeout-after' || fault === 'buy-outcome-hidden') await silence(signal, 'unknown');
  if (fault === 'buy-malformed-after') throw malformed('unknown');
  return boughtOf(account, { id, trackingCodes });
}

/** What goes wrong before anything is bought, which the caller cannot always know. */
async function failBefore(fault: Fault | undefined, signal: AbortSignal): Promise<void> {
  switch (fault) {
    case 'buy-timeout-before':
    case 'buy-timeout-at-first':
      return silence(signal, 'unknown');
    case 'buy-malformed-before':
      throw malformed('unknown');
    case 'buy-overloaded':
      throw new CarrierError('carrier_unavailable', 'it is overloaded', {
        bought: 'no',
        carrierErrorCode: '429',
        carrierMessage: 'Too many requests',
      });
    case 'buy-refused':
      throw new CarrierError('carrier_rejected', 'it refused the address', {
        bought: 'no',
        carrierErrorCode: 'ADDRESS.UNDELIVERABLE',
        carrierMessage: 'No mail is delivered to this address',
      });
    default:
      return undefined;
  }
}

function boughtOf(account: CarrierAccount, label: { id: string; trackingCodes: string[] }): Bought {
  return { ...boughtAs(exampleCard(carrierOf(account)), label.trackingCodes), carrierReference: label.id };
}

async function voidLabel(
  database: Database,
  account: CarrierAccount,
  label: Label,
  signal: AbortSignal,
): Promise<VoidOutcome> {
  const { settings, fault } = conditionsOf(account, label.shipTo);
  if (fault === 'void-timeout') await silence(signal, 'no');
  if (fault === 'void-refused') return 'rejected';
  const now = new Date();
  const voidedAt = await voidSimulatedLabel(database, account, label.carrierReference, now);
  if (voidedAt === undefined) throw unknownLabel(label);
  const settled = now.getTime() >= voidedAt.getTime() + settings.trackingPaceSeconds * 1000;
  return fault === 'void-submitted' && !settled ? 'submitted' : 'voided';
}

async function track(database: Database, account: CarrierAccount, label: Label): Promise<Tracked> {
  const { settings, fault } = conditionsOf(account, label.shipTo);
  if (fault === 'track-error') throw broken('no');
  const bought = await readSimulatedLabel(database, account, label.carrierReference);
  if (bought === undefined) throw unknownLabel(label);
  const events = scansUntil(new Date(), {
    carrierCode: account.carrierCode,
    boughtAt: bought.boughtAt,
    voidedAt: bought.voidedAt,
    shipFrom: label.shipFrom,
    shipTo: label.shipTo,
    paceSeconds: settings.trackingPaceSeconds,
    fault,
  });
  const isDelivered = events.some(({ status }) => status === 'delivered');
  const receiver = label.shipTo.name || label.shipTo.company || 'Resident';
  return {
    events,
    estDeliveryDate: label.estDeliveryDate,
    trackingUrl: null,
    signedBy: isDelivered ? receiver : null,
  };
}

/** Our references are UUIDs of version 7, which begin with the millisecond in which they were made. */
function isYoung(reference: string, { faultSeconds }: { faultSeconds: number }): boolean {
  const madeAt = Number.parseInt(reference.replaceAll('-', '').slice(0, 12), 16);
  return Date.now() < madeAt + faultSeconds * 1000;
}

/** Ends with the caller's patience; a caller that waits for ever gets what a dead connection would give in the end. */
async function silence(signal: AbortSignal, bought: 'no' | 'unknown'): Promise<never> {
  await pause(limits.simulatedSilenceMs, signal, bought);
  throw timeout(bought);
}

function pause(durationMs: number, signal: AbortSignal, bought: 'no' | 'unknown'): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(timeout(bought));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, durationMs);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

const timeout = (bought: 'no' | 'unknown') =>
  new CarrierError('carrier_timeout', 'it did not answer in time', { bought });

const broken = (bought: 'no' | 'unknown') =>
  new CarrierError('carrier_unavailable', 'it answered with an error of its own', {
    bought,
    carrierErrorCode: '500',
    carrierMessage: 'Internal server error',
  });

const malformed = (bought: 'no' | 'unknown') =>
  new CarrierError('carrier_unavailable', 'its answer cannot be understood', { bought });

const unknownLabel = ({ carrierReference }: Label) =>
  new CarrierError('carrier_rejected', `it knows no label ${carrierReference}`, { bought: 'no' });
