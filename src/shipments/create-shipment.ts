// Creates a shipment: a quote, and its label bought in one step, exactly once.
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { ApiError } from '../errors.ts';
import type { Steps } from '../http/api.ts';
import type { Sent } from '../http/write.ts';
import { type PreparedQuote, prepareQuote } from '../shipping-quotes/prepare-quote.ts';
import { insertQuote } from '../shipping-quotes/queries.ts';
import { returnAddress } from '../shipping-quotes/schema-parts.ts';
import type { ShippingAccess } from './access.ts';
import {
  begin,
  findBegun,
  fingerprintOf,
  insertIntent,
  packedLines,
  requirePrintable,
} from './begin-purchase.ts';
import { answerPurchase } from './finish-purchase.ts';
import type { CreateShipmentBody } from './schema.ts';

/**
 * @throws 400, customs_required, service_unavailable, unprintable; 409 reference_taken and what fulfilling says;
 * 502 and 504 of the carrier, with the shipment's id
 */
export async function createShipment(
  access: ShippingAccess,
  steps: Steps,
  body: CreateShipmentBody,
  returnOrderId: string | null = null,
): Promise<Sent> {
  const fingerprint = fingerprintOf('shipment', body);
  const lineItems = packedLines(body, body.orderId ?? null, body.packages.length);
  const begun = await findBegun(steps, body.reference, fingerprint);
  if (begun !== undefined) return answerPurchase(access, steps, begun);

  const quote = await quoteFor(access, steps, body);
  const rate = quote.rates.find(({ serviceCode }) => serviceCode === body.serviceCode);
  if (rate === undefined) throw await notOffered(access, steps, quote);
  const { shipTo, shipFrom } = quote;
  const goesBackTo = quote.returnAddress ?? returnAddress(shipFrom);
  requirePrintable(access.carriers, rate.account.kind, {
    ...{ shipToAddress: shipTo, shipFromAddress: shipFrom, returnAddress: quote.returnAddress },
    ...{ reference: body.reference, customsInput: quote.customs },
  });
  const now = await begin(steps, body.reference, fingerprint, async (write, id) => {
    const intent = {
      ...{ orderId: quote.orderId, returnOrderId, shippingQuoteId: quote.id, shipTo, shipFrom },
      ...{ returnAddress: goesBackTo, packages: quote.packages, rate, account: rate.account },
      ...{ body, lineItems, fingerprint },
    };
    await insertIntent(write, steps, id, intent, () => insertQuote(write, quote, id));
    return undefined;
  });
  return answerPurchase(access, steps, now);
}

async function quoteFor(
  access: ShippingAccess,
  { database, scope }: Steps,
  body: CreateShipmentBody,
): Promise<PreparedQuote> {
  const enabled = await loadCarrierAccounts(database, access.secrets, scope.organizationId, 'enabled');
  const accounts = enabled.filter(({ carrierCode }) => carrierCode === body.carrierCode);
  const packages = body.packages.map(({ lineItems: _, ...parcel }) => parcel);
  return prepareQuote(access, database, scope.organizationId, { ...body, packages }, { accounts });
}

/** Lists what is offered instead, and says what the carrier said. */
async function notOffered(
  { secrets }: ShippingAccess,
  { database, scope }: Steps,
  { rates, messages, failures }: PreparedQuote,
): Promise<ApiError> {
  const [failure] = failures;
  if (rates.length === 0 && failure !== undefined) {
    const { carrierErrorCode, carrierMessage } = failure;
    return new ApiError(failure.failure, {
      details: { source: 'carrier', carrierErrorCode, carrierMessage, messages },
    });
  }
  const enabled = await loadCarrierAccounts(database, secrets, scope.organizationId, 'enabled');
  return new ApiError('service_unavailable', {
    details: {
      carrierCodes: [...new Set(enabled.map(({ carrierCode }) => carrierCode))],
      serviceCodes: [...new Set(rates.map(({ serviceCode }) => serviceCode))],
      messages,
    },
  });
}
