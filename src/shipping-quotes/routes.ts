// The endpoints of shipping quotes.
import type { CarrierAccess } from '../carriers/carriers.ts';
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { createShippingQuote } from './create-shipping-quote.ts';
import { findShippingQuote, listShippingQuotes } from './queries.ts';
import { CreateShippingQuoteBody, ListShippingQuotesQuery, ShippingQuote } from './schema.ts';

const kind = 'shipping-quote';

export function shippingQuoteRoutes(api: Api, access: CarrierAccess): void {
  api.get(
    '/shipping-quotes',
    {
      operationId: 'listShippingQuotes',
      permission: 'quotes:read',
      summary: 'List shipping quotes',
      description: '`search` matches name, company, city and postal code of where it goes.',
      query: ListShippingQuotesQuery,
      response: listOf(ShippingQuote),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) =>
      list(await listShippingQuotes(database, scope.organizationId, query)),
  );
  api.steps(
    '/shipping-quotes',
    {
      operationId: 'createShippingQuote',
      permission: 'quotes:write',
      summary: 'Create a shipping quote',
      description:
        'Asks every enabled carrier account at the same time, each for at most 8 seconds. One that fails, or has no service for the parcels, is a line in `messages`; the answer is 200 also when all do. Both addresses are checked: `isVerified` says with what result, `messages` what is wrong. A quote expires after 24 hours.',
      body: CreateShippingQuoteBody,
      response: singleOf(kind, ShippingQuote),
      errors: ['customs_required'],
    },
    (steps, body) => createShippingQuote(steps, body, access),
  );
  api.get(
    '/shipping-quotes/{shippingQuoteId}',
    {
      operationId: 'getShippingQuote',
      permission: 'quotes:read',
      summary: 'Get a shipping quote',
      ids: { shippingQuoteId: 'shipping quote' },
      response: singleOf(kind, ShippingQuote),
    },
    async ({ database, scope, ids }) => {
      const found = await findShippingQuote(database, scope.organizationId, ids['shippingQuoteId']!);
      if (found === undefined) throw notFound('shipping quote');
      return single(kind, found);
    },
  );
}
