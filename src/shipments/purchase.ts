// Carries a purchase on, from wherever it was left: claims it, asks or buys, and stores what came of it.

import type { Scope } from '../auth/scope.ts';
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { type Bought, type CarrierAccount, CarrierError, type Purchase } from '../carriers/carrier.ts';
import { within } from '../carriers/within.ts';
import { withoutSecrets } from '../carriers/without-secrets.ts';
import type { Write } from '../http/api.ts';
import { writeOf } from '../http/write.ts';
import * as limits from '../limits.ts';
import { leaseMs, type ShippingAccess } from './access.ts';
import { DecidedMeanwhile, failPurchase, keepOpen, settlePurchase } from './outcome.ts';
import {
  claimUntil,
  countAttempt,
  lockUndecided,
  type PurchaseRow,
  readPurchase,
  type UndecidedShipment,
} from './purchase-queries.ts';

/** `decided`: there is nothing left to do; `busy`: somebody else is at it; `open`: the carrier could not say. */
export type Progress = 'decided' | 'busy' | 'open';

/**
 * One attempt, in three phases: the claim commits before the carrier is called, the call is made with no transaction
 * open, and its outcome commits after it. Whatever fails between them, the next attempt asks the carrier first for a label
 * with this shipment's reference, and buys only where there can be none.
 */
export async function carryOn(access: ShippingAccess, scope: Scope, id: string): Promise<Progress> {
  const begun = await begin(access, scope, id);
  if (begun === undefined) return 'decided';
  if (begun === 'busy') return 'busy';
  const { shipment, row, claimedUntil } = begun;
  const [account] = await loadCarrierAccounts(access.database, access.secrets, scope.organizationId, {
    ids: [shipment.carrierAccountId],
  });
  const purchase = purchaseOf(id, row);
  const attempt = { access, scope, id, shipment, claimedUntil, row, purchase, account: account! };
  let bought: Bought | undefined;
  try {
    bought = (await findBought(attempt)) ?? (await buy(attempt));
  } catch (error) {
    return failed(attempt, failureOf(access, account!, error));
  }
  if (bought === undefined) return stayOpen(attempt, notSettled);
  const label = bought;
  await inTransaction(attempt, (write) => settlePurchase(write, attempt, label));
  return 'decided';
}

export interface Attempt {
  access: ShippingAccess;
  scope: Scope;
  id: string;
  /** As it was before this attempt. */
  shipment: UndecidedShipment;
  /** How long nobody else works on it. */
  claimedUntil: Date;
  row: PurchaseRow;
  purchase: Purchase;
  account: CarrierAccount;
}

function inTransaction<T>({ access, scope }: Attempt, work: (write: Write) => Promise<T>): Promise<T> {
  return access.database.transaction((transaction) => work(writeOf(transaction, scope)));
}

/** The intent is committed already; this commits that there may be a label from now on. */
function begin({ database, timing }: ShippingAccess, scope: Scope, id: string) {
  return database.transaction(
    async (transaction): Promise<Pick<Attempt, 'shipment' | 'claimedUntil' | 'row'> | 'busy' | undefined> => {
      const write: Write = writeOf(transaction, scope);
      const shipment = await lockUndecided(write, id);
      if (shipment === undefined) return undefined;
      if (shipment.claimedUntil !== null && shipment.claimedUntil > write.now) return 'busy';
      const claimedUntil = new Date(write.now.getTime() + leaseMs(timing));
      claimUntil(write, id, claimedUntil);
      if (shipment.purchaseAttempts === 0) countAttempt(write, id);
      return { shipment, claimedUntil, row: await readPurchase(transaction, scope.organizationId, id) };
    },
  );
}

function purchaseOf(id: string, row: PurchaseRow): Purchase {
  const { shipTo, shipFrom, returnAddress, shippingDate, customs, insurance, ...more } = row;
  const { parcels, labelFormat, zplDpi, reference: _reference, orderName: _name, ...rate } = more;
  const sent = { shipTo, shipFrom, returnAddress, shippingDate, customs, insurance, parcels };
  return { reference: id, ...sent, labelFormat, zplDpi, rate };
}

/** What an earlier attempt bought. */
async function findBought({ access, shipment, purchase, account }: Attempt): Promise<Bought | undefined> {
  if (shipment.purchaseAttempts === 0) return undefined;
  const carrier = access.carriers[account.kind];
  return within(access.timing.askMs, 'unknown', (signal) => carrier.find(account, purchase, signal));
}

/** Undefined where another attempt may have become a label, or may yet. */
async function buy(attempt: Attempt): Promise<Bought | undefined> {
  const { access, id, shipment, purchase, account } = attempt;
  const carrier = access.carriers[account.kind];
  if (shipment.purchaseAttempts > 0) {
    const settled = shipment.attemptedAt!.getTime() + access.timing.settleMs <= Date.now();
    if (!carrier.buysOncePerReference && !settled) return undefined;
    if (shipment.purchaseAttempts >= limits.purchaseAttemptsMax) throw tooOften();
    await inTransaction(attempt, async (write) => countAttempt(write, id));
  }
  // A machine that slept has lost its claim: another may have bought.
  if (attempt.claimedUntil.getTime() <= Date.now()) return undefined;
  return within(access.timing.buyMs, 'unknown', (signal) => carrier.buy(account, purchase, signal));
}

const notSettled = new CarrierError('carrier_timeout', 'The carrier may still be making the label', {
  bought: 'unknown',
});

function tooOften(): CarrierError {
  return new CarrierError('carrier_unavailable', 'The carrier sold no label in several attempts', {
    bought: 'no',
  });
}

/** What a carrier's code throws that is no CarrierError leaves everything open. */
function failureOf({ log }: ShippingAccess, account: CarrierAccount, error: unknown): CarrierError {
  if (error instanceof CarrierError) return error;
  const { name, stack = String(error) } = error as Error;
  const failure = { type: name, stack: withoutSecrets(account, stack) };
  log.error({ failure, carrierAccountId: account.id }, 'a purchase could not be carried on');
  return new CarrierError('carrier_unavailable', 'The answer of the carrier could not be used', {
    bought: 'unknown',
    cause: error,
  });
}

async function failed(attempt: Attempt, error: CarrierError): Promise<Progress> {
  const { shipment } = attempt;
  // A later attempt that is refused for now says nothing about an earlier one.
  const passing = error.failure !== 'carrier_rejected' && shipment.purchaseAttempts > 0;
  if (error.bought === 'unknown' || (passing && shipment.purchaseAttempts < limits.purchaseAttemptsMax)) {
    return stayOpen(attempt, error);
  }
  try {
    await inTransaction(attempt, (write) => failPurchase(write, attempt, error));
  } catch (caught) {
    if (!(caught instanceof DecidedMeanwhile)) throw caught;
  }
  return 'decided';
}

async function stayOpen(attempt: Attempt, error: CarrierError): Promise<Progress> {
  const { retryMs, settleMs } = attempt.access.timing;
  const sinceMs = Date.now() - attempt.shipment.createdAt.getTime();
  // As long again as it has been open, within bounds.
  const waitMs = Math.min(Math.max(retryMs, sinceMs), settleMs);
  await inTransaction(attempt, (write) => keepOpen(write, attempt, error, waitMs));
  return 'open';
}
