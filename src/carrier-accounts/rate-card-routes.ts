// The endpoints of an account's rate cards.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { createRateCard } from './create-rate-card.ts';
import { findCarrierAccount } from './queries.ts';
import { findRateCard, listRateCards } from './queries-rate-cards.ts';
import { CreateRateCardBody, ListRateCardsQuery, RateCardRecord, RateCardSummary } from './schema.ts';

const kind = 'rate-card';
const path = '/carrier-accounts/{carrierAccountId}/rate-cards';
const ids = { carrierAccountId: 'carrier account' };

export function rateCardRoutes(api: Api): void {
  api.get(
    path,
    {
      operationId: 'listRateCards',
      permission: 'shipments:read',
      summary: 'List the rate cards of an account',
      description:
        'Cards are the owner’s alone: of an account that a parent shares, none. `search` matches the name.',
      ids,
      query: ListRateCardsQuery,
      response: listOf(RateCardSummary),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope: { organizationId }, query, ids: { carrierAccountId } }) => {
      const account = await findCarrierAccount(database, organizationId, carrierAccountId!);
      if (account === undefined) throw notFound(ids.carrierAccountId);
      return list(await listRateCards(database, organizationId, carrierAccountId!, query));
    },
  );
  api.post(
    path,
    {
      operationId: 'createRateCard',
      permission: 'shipments:write',
      summary: 'Add a rate card to an account',
      description:
        'The card itself, or `csv` alone. The newest card that is in force on the shipping date counts; none is ever changed: a correction is a card with a later `effectiveFrom`. Every wrong field, or row of the CSV, is named.',
      ids,
      body: CreateRateCardBody,
      bodyLimit: limits.rateCardBodyBytes,
      response: singleOf(kind, RateCardRecord),
      errors: ['shared_carrier_account', 'conflict', 'rate_card_taken'],
    },
    async (write) => single(kind, await createRateCard(write, write.ids['carrierAccountId']!, write.body)),
  );
  api.get(
    `${path}/{rateCardId}`,
    {
      operationId: 'getRateCard',
      permission: 'shipments:read',
      summary: 'Get a rate card',
      ids: { ...ids, rateCardId: 'rate card' },
      response: singleOf(kind, RateCardRecord),
    },
    async ({ database, scope, ids: { carrierAccountId, rateCardId } }) => {
      const found = await findRateCard(database, scope.organizationId, carrierAccountId!, rateCardId!);
      if (found === undefined) throw notFound('rate card');
      return single(kind, found);
    },
  );
}
