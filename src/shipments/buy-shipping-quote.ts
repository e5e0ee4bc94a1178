// Buys one of a quote's rates: once, whoever asks again.
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import type { CarrierAccount } from '../carriers/carrier.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Steps, Write } from '../http/api.ts';
import type { Sent } from '../http/write.ts';
import {
  findRate,
  findShippingQuote,
  lockQuote,
  type QuoteRow,
  type StoredRate,
  setQuoteShipment,
} from '../shipping-quotes/queries.ts';
import { returnAddress } from '../shipping-quotes/schema-parts.ts';
import type { ShippingAccess } from './access.ts';
import {
  type Begun,
  begin,
  findBegun,
  fingerprintOf,
  insertIntent,
  packedLines,
  requirePrintable,
} from './begin-purchase.ts';
import { answerPurchase } from './finish-purchase.ts';
import { readFingerprint } from './queries.ts';
import type { BuyShippingQuoteBody } from './schema.ts';

/** @throws 400, unprintable; 404; 409 quote_expired, quote_bought, reference_taken; 502 and 504 of the carrier */
export async function buyShippingQuote(
  access: ShippingAccess,
  steps: Steps,
  body: BuyShippingQuoteBody,
): Promise<Sent> {
  const { database, scope } = steps;
  const quoteId = steps.ids['shippingQuoteId']!;
  const fingerprint = fingerprintOf('quote', quoteId, body);
  const earlier = await findBegun(steps, body.reference, fingerprint);
  if (earlier !== undefined) return answerPurchase(access, steps, earlier);

  const rate = await findRate(database, scope.organizationId, quoteId, body.shippingRateId.toLowerCase());
  if (rate === undefined) throw await noRate(steps, quoteId);
  const enabled = await loadCarrierAccounts(database, access.secrets, scope.organizationId, 'enabled');
  const account = enabled.find(({ id }) => id === rate.carrierAccountId);
  const begun = await begin(steps, body.reference, fingerprint, async (write, id) => {
    const quote = await openQuote(write, quoteId, fingerprint);
    if ('begun' in quote) return quote.begun;
    if (account === undefined) {
      throw new ApiError('service_unavailable', { message: 'The account of this rate is no longer enabled' });
    }
    const bought = { steps, id, quote, rate, account, body, fingerprint };
    return insertBought(write, access, bought);
  });
  return answerPurchase(access, steps, begun);
}

async function noRate({ database, scope }: Steps, quoteId: string): Promise<ApiError> {
  const quote = await findShippingQuote(database, scope.organizationId, quoteId);
  if (quote === undefined) return notFound('shipping quote');
  return invalid([{ path: '/shippingRateId', code: 'not_found', message: 'is no rate of this quote' }]);
}

/** The quote under lock; or, where the same request has bought it, what that has begun. */
async function openQuote(
  write: Write,
  quoteId: string,
  fingerprint: Buffer,
): Promise<QuoteRow | { begun: Begun }> {
  const quote = await lockQuote(write, quoteId);
  if (quote === undefined) throw notFound('shipping quote');
  const { shipmentId, expiresAt } = quote;
  if (shipmentId !== null) {
    const first = await readFingerprint(write, shipmentId);
    if (first?.equals(fingerprint)) return { begun: { id: shipmentId } };
    throw new ApiError('quote_bought', { details: { shipmentId } });
  }
  if (expiresAt <= write.now) throw new ApiError('quote_expired');
  return quote;
}

interface BoughtRate {
  steps: Steps;
  id: string;
  quote: QuoteRow;
  rate: StoredRate;
  account: CarrierAccount;
  body: BuyShippingQuoteBody;
  fingerprint: Buffer;
}

async function insertBought(
  write: Write,
  access: ShippingAccess,
  { steps, id, quote, rate, account, body, fingerprint }: BoughtRate,
): Promise<undefined> {
  const { orderId, shipTo, shipFrom, packages } = quote;
  requirePrintable(access.carriers, account.kind, {
    ...{ shipToAddress: shipTo, shipFromAddress: shipFrom, returnAddress: quote.returnAddress },
    ...{ reference: body.reference, customsInput: quote.customs },
  });
  const intent = {
    ...{ orderId, returnOrderId: null, shippingQuoteId: quote.id, shipTo, shipFrom, packages, rate, account },
    returnAddress: quote.returnAddress ?? returnAddress(shipFrom),
    ...{ body, fingerprint, lineItems: packedLines(body, orderId, packages.length) },
  };
  await insertIntent(write, steps, id, intent, () => setQuoteShipment(write, quote, id));
}
