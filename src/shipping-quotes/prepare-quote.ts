// A quote before it is stored: addresses checked, customs filled in, every account asked. Holds no connection meanwhile.
import { address } from '../address.ts';
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import type { CarrierAccount, CarrierError, Parcel, RateRequest } from '../carriers/carrier.ts';
import type { CarrierAccess } from '../carriers/carriers.ts';
import type { Database } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { type Issue, invalid } from '../errors.ts';
import type { Address } from '../http/schemas.ts';
import { checkAddress } from './check-address.ts';
import { customsFor } from './customs.ts';
import { type AccountRate, rateAccounts } from './rate-accounts.ts';
import { type PackageInput, type QuoteInput, returnAddress } from './schema-parts.ts';

export interface QuotePackage extends Parcel {
  packaging: { name: string | null; type: string | null } | null;
}

/** What was asked, and what the carriers said. */
export interface PreparedQuote extends RateRequest {
  id: string;
  orderId: string | null;
  packages: QuotePackage[];
  metadata: Record<string, string>;
  /** The cheapest first. */
  rates: AccountRate[];
  messages: string[];
  /** Of accounts that could not be asked; their words are in `messages` too. */
  failures: CarrierError[];
}

/** `accounts` are asked, or, where they are left out, all that are enabled. @throws 400, 400 customs_required */
export async function prepareQuote(
  access: CarrierAccess,
  database: Database,
  organizationId: string,
  body: QuoteInput,
  given: { accounts?: readonly CarrierAccount[] } = {},
): Promise<PreparedQuote> {
  const { shipTo, shipFrom, messages } = checkAddresses(body);
  const orderId = body.orderId?.toLowerCase() ?? null;
  const customsInput = body.customsInput ?? null;
  const [customs, accounts] = await Promise.all([
    customsFor(database, organizationId, { shipTo, shipFrom, orderId, customsInput }),
    given.accounts ?? loadCarrierAccounts(database, access.secrets, organizationId, 'enabled'),
  ]);
  const request: RateRequest = {
    reference: newId(),
    shipTo,
    shipFrom,
    returnAddress: body.returnAddress == null ? null : returnAddress(body.returnAddress),
    parcels: body.packages.map(parcelOf),
    shippingDate: body.shippingDate == null ? new Date() : new Date(body.shippingDate),
    customs,
    insurance: body.insuranceRequest ?? null,
  };
  const rated = await rateAccounts(access, accounts, request);
  if (accounts.length === 0) messages.push('There is no enabled carrier account to ask');
  return {
    ...request,
    id: request.reference,
    orderId,
    packages: request.parcels.map((parcel, index) => ({
      ...parcel,
      packaging: packagingOf(body.packages[index]!),
    })),
    metadata: body.metadata ?? {},
    rates: rated.rates,
    messages: [...messages, ...rated.messages],
    failures: rated.failures,
  };
}

/** @throws 400 where the request wants verified addresses, naming every part that is at fault */
function checkAddresses(body: QuoteInput): { shipTo: Address; shipFrom: Address; messages: string[] } {
  const messages: string[] = [];
  const issues: Issue[] = [];
  const check = (field: 'shipToAddress' | 'shipFromAddress'): Address => {
    const given = address(body[field]);
    const faults = checkAddress(given);
    for (const { part, code, message } of faults) {
      issues.push({ path: `/${field}/${part}`, code, message });
      messages.push(`${field}.${part} ${message}`);
    }
    return { ...given, isVerified: faults.length === 0 };
  };
  const addresses = { shipTo: check('shipToAddress'), shipFrom: check('shipFromAddress') };
  if (body.requireVerified && issues.length > 0) throw invalid(issues);
  return { ...addresses, messages };
}

function parcelOf({ weight, weightUnit, dimensions, dimensionsUnit }: PackageInput): Parcel {
  const { length = null, width = null, height = null } = dimensions ?? {};
  return {
    id: newId(),
    weight,
    weightUnit,
    dimensions: dimensions == null ? null : { length, width, height },
    dimensionsUnit,
  };
}

function packagingOf({ packaging }: PackageInput): QuotePackage['packaging'] {
  return packaging == null ? null : { name: packaging.name ?? null, type: packaging.type ?? null };
}
