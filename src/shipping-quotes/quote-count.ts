// How many quotes a list has in all: from the kept totals, unless it searches.
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { inSpan, type Span, spanOfDateRange } from '../http/date-range.ts';
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

/** The conditions that the totals know of, over an alias `q`. */
export function countableConditions(
  organizationId: string,
  { hasShipment }: ListShippingQuotesQuery,
  span: Span,
): Sql<unknown>[] {
  const where = [sql`q.organization_id = ${organizationId}`, ...inSpan(column('q.created_at'), span)];
  if (hasShipment === true) where.push(sql`q.shipment_id is not null`);
  if (hasShipment === false) where.push(sql`q.shipment_id is null`);
  return where;
}

/** Undefined for a search, which has to look at the quotes anyway. */
export function countQuotes(
  organizationId: string,
  query: ListShippingQuotesQuery,
): Sql<{ count: number }> | undefined {
  if (query.search !== undefined) return undefined;
  const { hasShipment } = query;
  const all = countedRecords('shipping-quote', organizationId, {
    states: [hasShipment === undefined ? undefined : stateOf(hasShipment)],
    includeArchived: true,
    span: spanOfDateRange(query),
    withinDay: (span) => sql`(
      select count(*) from shipping_quotes q
      where ${sql.join(countableConditions(organizationId, query, span), sql` and `)})`,
  });
  return sql`select ${all} as count`;
}
