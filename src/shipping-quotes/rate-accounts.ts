// Asks many accounts for their rates at once: what one of them cannot say is a line of text, and the others count.
import Big from 'big.js';
import {
  type CarrierAccount,
  CarrierError,
  type CarrierRate,
  type RateRequest,
} from '../carriers/carrier.ts';
import type { CarrierAccess } from '../carriers/carriers.ts';
import { within } from '../carriers/within.ts';
import { withoutSecrets } from '../carriers/without-secrets.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';
import { money } from '../money.ts';

export interface AccountRate extends CarrierRate {
  id: string;
  account: CarrierAccount;
}

export interface Rated {
  /** The cheapest first; those of one currency together. */
  rates: AccountRate[];
  /** One line for each account that has no rates, or none that can be used. */
  messages: string[];
  /** Of accounts that could not be asked; their words are in `messages` too. */
  failures: CarrierError[];
}

/**
 * Never fails, and answers within `timing.rateMs`, whatever carriers do. Call it outside of a transaction: carriers that
 * keep their prices here use the database too.
 */
export async function rateAccounts(
  access: CarrierAccess,
  accounts: readonly CarrierAccount[],
  request: RateRequest,
): Promise<Rated> {
  const answers = await Promise.all(accounts.map((account) => rateAccount(access, account, request)));
  return {
    rates: answers.flatMap(({ rates }) => rates).sort(byPrice),
    messages: answers.flatMap(({ messages }) => messages),
    failures: answers.flatMap(({ failures }) => failures),
  };
}

async function rateAccount(
  access: CarrierAccess,
  account: CarrierAccount,
  request: RateRequest,
): Promise<Rated> {
  const said = (text: string): string =>
    `${account.description} (${account.carrierCode}): ${text}`.slice(0, limits.textLengthMax);
  try {
    const carrier = access.carriers[account.kind];
    const rates = await within(access.timing.rateMs, 'no', (signal) =>
      carrier.rate(account, request, signal),
    );
    const usable = rates.filter(isUsable);
    const messages: string[] = [];
    if (rates.length === 0) messages.push(said('has no service for this'));
    if (rates.length > usable.length)
      messages.push(said(`${rates.length - usable.length} of its rates cannot be understood`));
    return {
      rates: usable.map((rate) => ({ ...rounded(rate), id: newId(), account })),
      messages,
      failures: [],
    };
  } catch (error) {
    const failure = failureOf(access, account, error);
    const { message, carrierMessage, carrierErrorCode } = failure;
    const code = carrierErrorCode === null ? '' : ` (${carrierErrorCode})`;
    return { rates: [], messages: [said((carrierMessage ?? message) + code)], failures: [failure] };
  }
}

/** The carrier's words, without the credentials that they may repeat. */
function failureOf({ log }: CarrierAccess, account: CarrierAccount, error: unknown): CarrierError {
  const clean = (text: string) => withoutSecrets(account, text);
  if (error instanceof CarrierError) {
    const { failure, message, carrierErrorCode, carrierMessage } = error;
    const words = carrierMessage === null ? null : clean(carrierMessage);
    const kept = { bought: 'no', carrierErrorCode, carrierMessage: words } as const;
    return new CarrierError(failure, clean(message), kept);
  }
  // Its stack alone: what hangs on an error of a client of HTTP may hold the credentials.
  const { name, stack = String(error) } = error as Error;
  log.error(
    { failure: { type: name, stack: clean(stack) }, carrierAccountId: account.id },
    'a carrier failed to rate',
  );
  return new CarrierError('carrier_unavailable', 'could not be asked', { bought: 'no' });
}

const amount = /^\d{1,11}(\.\d+)?$/;

/** What a carrier answers is not ours to believe: one wrong price must not lose the others. */
function isUsable(rate: CarrierRate): boolean {
  const { serviceCode, rateTotal, rateSurcharges, compareAtRate, currency, carrierReference } = rate;
  const amounts = [rateTotal, rateSurcharges, compareAtRate ?? '0'];
  return (
    serviceCode !== '' &&
    serviceCode.length <= limits.codeLengthMax &&
    amounts.every((text) => amount.test(text)) &&
    /^[a-z]{3}$/.test(currency) &&
    (carrierReference?.length ?? 0) <= limits.carrierReferenceLengthMax
  );
}

function rounded(rate: CarrierRate): CarrierRate {
  const { rateTotal, rateSurcharges, compareAtRate } = rate;
  return {
    ...rate,
    rateTotal: money(rateTotal),
    rateSurcharges: money(rateSurcharges),
    compareAtRate: compareAtRate === null ? null : money(compareAtRate),
  };
}

function byPrice(a: AccountRate, b: AccountRate): number {
  if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
  const difference = new Big(a.rateTotal).cmp(b.rateTotal);
  if (difference !== 0) return difference;
  const [first, second] = [a, b].map(({ account, serviceCode }) => `${account.carrierCode} ${serviceCode}`);
  return first! < second! ? -1 : 1;
}
