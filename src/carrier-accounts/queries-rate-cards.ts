// Every SQL statement that this feature sends about rate cards; src/carriers/rate-card reads those that are in force.
import type { RateCard } from '../carriers/rate-card/schema.ts';
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { rateCardJson, rateCardSummaryJson } from './present.ts';
import type { ListRateCardsQuery, rateCardSorts } from './schema.ts';

const sorts: Record<(typeof rateCardSorts)[number], Sort> = {
  effectiveFrom: { column: sql`c.effective_from::timestamptz`, type: 'timestamptz' },
  createdAt: { column: column('c.created_at'), type: 'timestamptz' },
  name: { column: column('c.name'), type: 'text' },
};

export function listRateCards(
  database: Executor,
  organizationId: string,
  carrierAccountId: string,
  query: ListRateCardsQuery,
): Promise<Page> {
  const where = [sql`c.organization_id = ${organizationId}`, sql`c.carrier_account_id = ${carrierAccountId}`];
  if (query.search !== undefined) where.push(sql`lower(c.name) like ${searchPattern(query.search)}`);
  return listPage(database, `${organizationId} ${carrierAccountId}`, query, {
    name: 'listRateCards',
    alias: 'c',
    from: sql`rate_cards c`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: rateCardSummaryJson,
  });
}

export async function findRateCard(
  database: Executor,
  organizationId: string,
  carrierAccountId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${rateCardJson}::text as json, 1 as version from rate_cards c
    where c.organization_id = ${organizationId} and c.carrier_account_id = ${carrierAccountId} and c.id = ${id}`);
  return found;
}

/** The card that begins on this calendar day. */
export async function findRateCardFrom(
  database: Executor,
  organizationId: string,
  carrierAccountId: string,
  effectiveFrom: string,
): Promise<RateCard | undefined> {
  const [row] = await database.query<{ card: RateCard }>(sql`
    select c.card from rate_cards c
    where c.organization_id = ${organizationId} and c.carrier_account_id = ${carrierAccountId}
      and c.effective_from = ${effectiveFrom}::date`);
  return row?.card;
}

export function insertRateCard(write: Write, carrierAccountId: string, id: string, card: RateCard): void {
  write.transaction.send(sql`
    insert into rate_cards (organization_id, id, carrier_account_id, name, effective_from, card, created_at)
    values (${write.scope.organizationId}, ${id}, ${carrierAccountId}, ${card.name}, ${card.effectiveFrom},
      ${JSON.stringify(card)}, ${write.now})`);
}
