// What tests of carriers begin with: a small card of prices, and an account that has it.
import type { Request } from './app.ts';
import { make, makeCarrierAccount, unique } from './factories.ts';

type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

/** One zone, everywhere: `same-day` for 12.50 and `economy` for 5, up to 50 lb. */
export function rateCard(fields: Fields = {}): Json {
  const service = (code: string, name: string, price: number) => ({
    code,
    name,
    transitDays: { '*': code === 'economy' ? 4 : 0 },
    breaks: [{ weightUpTo: '50 lb', prices: { all: price } }],
  });
  return {
    name: 'Vans',
    effectiveFrom: '2020-01-01',
    currency: 'usd',
    carrierName: 'Own vans',
    trackingNumbers: { form: 'prefix', prefix: 'VANS', digits: 8 },
    zones: [{ by: 'country', countries: { '*': 'all' } }],
    services: [service('same-day', 'Same day', 12.5), service('economy', 'Economy', 5)],
    ...fields,
  };
}

/** An account of own vans with that card. */
export const makeVans = (request: Request, fields: Fields = {}): Promise<Json> =>
  makeCarrierAccount(request, { rateCard: rateCard(), ...fields });

export const reno = {
  name: 'Warehouse',
  street1: '500 E 4th St',
  city: 'Reno',
  state: 'NV',
  postalCode: '89512',
  country: 'US',
};
export const mountainView = {
  name: 'Ada Byron',
  street1: '1600 Amphitheatre Pkwy',
  city: 'Mountain View',
  state: 'CA',
  postalCode: '94043',
  country: 'US',
};

/** A parcel of 12 oz from Reno to Mountain View. */
export const quoteBody = (fields: Fields = {}): Json => ({
  shipToAddress: mountainView,
  shipFromAddress: reno,
  packages: [{ weight: 12, dimensions: { length: 8, width: 6, height: 4 } }],
  ...fields,
});

/** A quote over one account of vans. */
export async function makeQuote(request: Request, fields: Fields = {}): Promise<Json> {
  await makeVans(request, { description: unique('Vans ') });
  return make(request, '/shipping-quotes', quoteBody(fields));
}
