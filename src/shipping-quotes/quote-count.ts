// How many quotes a list has in all: from the kept totals, unless it searches.
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { inSpan, type Span, spanOfDateRange } from '../http/date-range.ts';
import { listed, type Parts } from '../http/parts.ts';
import { type Counted, countedRecords } from '../http/totals.ts';
import type { ListShippingQuotesQuery } from './schema.ts';

export function countedQuote(quote: { createdAt: Date; shipmentId: string | null }): Counted {
  return { at: quote.createdAt, states: [stateOf(quote.shipmentId !== null)], archived: false };
}

const stateOf = (hasShipment: boolean) => (hasShipment ? 'bought' : 'open');

/** The same of every quote. */
export function countedQuotes(organizationId: string): Sql<unknown> {
  return sql`select q.created_at as at, case when q.shipment_id is null then ${stateOf(false)} else ${stateOf(true)} end
    as states, false as archived from shipping_quotes q where q.organization_id = ${organizationId}`;
}

/** Whose the list's quotes are, and between which dates. */
export function datedConditions(organizationId: string, span: Span): Sql<unknown>[] {
  return [sql`q.organization_id = ${organizationId}`, ...inSpan(column('q.created_at'), span)];
}

/** All in the order of their creation are in that of one index; what is searched for has to be found first. */
export function partsOf(organizationId: string, query: ListShippingQuotesQuery): Parts | undefined {
  const { search, sortBy = 'createdAt', hasShipment } = query;
  if (search !== undefined || (sortBy === 'createdAt' && hasShipment === undefined)) return undefined;
  return partsOfQuotes(organizationId, hasShipment);
}

/** Those that were bought and those that were not: both are in the order of an index by each time. */
function partsOfQuotes(organizationId: string, hasShipment: boolean | undefined): Parts {
  return {
    from: sql`unnest(${hasShipment === undefined ? [true, false] : [hasShipment]}::bool[]) part (bought)`,
    of: [sql`(q.shipment_id is not null) = part.bought`],
    ...listed('shipping_quotes', 'q', organizationId),
  };
}

/** Undefined for a search, which has to look at the quotes anyway. */
export function countQuotes(
  organizationId: string,
  query: ListShippingQuotesQuery,
): Sql<{ count: number }> | undefined {
  if (query.search !== undefined) return undefined;
  const { hasShipment } = query;
  const { from, of } = partsOfQuotes(organizationId, hasShipment);
  const all = countedRecords('shipping-quote', organizationId, {
    states: [hasShipment === undefined ? undefined : stateOf(hasShipment)],
    includeArchived: true,
    span: spanOfDateRange(query),
    withinDay: (span) => sql`(select coalesce(sum(counted.quotes), 0)::bigint from ${from}
      cross join lateral (select count(*) as quotes from shipping_quotes q
        where ${sql.join([...datedConditions(organizationId, span), ...of], sql` and `)}) counted)`,
  });
  return sql`select ${all} as count`;
}
