// How many orders a list has in all: from the kept totals wherever the filters allow it.
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { inSpan, type Span, spanOfDateRange } from '../http/date-range.ts';
import { type Counted, countedRecords } from '../http/totals.ts';
import type { OrderRow } from './open-order.ts';
import { partsOfOrders } from './order-parts.ts';
import type { ListOrdersQuery } from './schema.ts';

type CountedColumns = Pick<OrderRow, 'orderDate' | 'financialStatus' | 'fulfillmentStatus' | 'archivedAt'>;

export function countedOrder(order: CountedColumns): Counted {
  const { orderDate, financialStatus, fulfillmentStatus, archivedAt } = order;
  return { at: orderDate, states: [financialStatus, fulfillmentStatus], archived: archivedAt !== null };
}

/** The same of every order. */
export function countedOrders(organizationId: string): Sql<unknown> {
  return sql`select o.order_date as at, o.financial_status || ' ' || o.fulfillment_status as states,
    o.archived_at is not null as archived from orders o where o.organization_id = ${organizationId}`;
}

/** Of whom the list is, and between which dates. */
export function datedConditions(
  organizations: Organizations,
  query: ListOrdersQuery,
  span: Span = spanOfDateRange(query),
): Sql<unknown>[] {
  return [owned('o', organizations), ...inSpan(column('o.order_date'), span)];
}

/** Undefined where a filter is finer than the totals: what is left is few, or has to be looked for anyway. */
export function countOrders(
  organizations: Organizations,
  query: ListOrdersQuery,
): Sql<{ count: number }> | undefined {
  const { name, alias, search, readyToShip, financialStatus, fulfillmentStatus, includeArchived } = query;
  if (name !== undefined || alias !== undefined || search !== undefined) return undefined;
  const counting = (span?: Span, ready?: boolean) => {
    const { from, of } = partsOfOrders(organizations, { ...query, readyToShip: ready });
    const where = [...datedConditions(organizations, query, span), ...of];
    return sql`(select coalesce(sum(counted.orders), 0)::bigint from ${from}
      cross join lateral (select count(*) as orders from orders o where ${sql.join(where, sql` and `)}) counted)`;
  };
  // Those that are ready are few.
  if (readyToShip === true) return sql`select ${counting(undefined, true)} as count`;
  const all = countedRecords('order', organizations, {
    states: [financialStatus, fulfillmentStatus],
    includeArchived,
    span: spanOfDateRange(query),
    withinDay: (span) => counting(span),
  });
  if (readyToShip === undefined) return sql`select ${all} as count`;
  return sql`select ${all} - ${counting(undefined, true)} as count`;
}
