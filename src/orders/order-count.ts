// How many orders a list has in all: from the kept totals wherever the filters allow it.
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { inSpan, type Span, spanOfDateRange } from '../http/date-range.ts';
import { type Counted, countedRecords } from '../http/totals.ts';
import type { OrderRow } from './open-order.ts';
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

/** The conditions that the totals know of, over an alias `o`. */
export function countableConditions(
  organizations: Organizations,
  query: ListOrdersQuery,
  span: Span = spanOfDateRange(query),
): Sql<unknown>[] {
  const where = [owned('o', organizations), ...inSpan(column('o.order_date'), span)];
  if (!query.includeArchived) where.push(sql`o.archived_at is null`);
  const { financialStatus, fulfillmentStatus, sortBy } = query;
  // How many orders are in a state decides which index helps, and PostgreSQL knows it of a constant. By date that is
  // the state's own, even of a state that most are in: the newest orders are in another.
  const state = (status: string) =>
    sortBy === undefined || sortBy === 'orderDate' ? sql`(select ${status}::text)` : sql.lit(status);
  if (financialStatus) where.push(sql`o.financial_status = ${state(financialStatus)}`);
  if (fulfillmentStatus) where.push(sql`o.fulfillment_status = ${state(fulfillmentStatus)}`);
  return where;
}

/** Undefined where a filter is finer than the totals: what is left is few, or has to be looked for anyway. */
export function countOrders(
  organizations: Organizations,
  query: ListOrdersQuery,
): Sql<{ count: number }> | undefined {
  const { name, alias, search, readyToShip, financialStatus, fulfillmentStatus, includeArchived } = query;
  if (name !== undefined || alias !== undefined || search !== undefined || readyToShip === true)
    return undefined;
  const counting = (more: Sql<unknown>[]) => sql`(
    select count(*) from orders o where ${sql.join(more, sql` and `)})`;
  const all = countedRecords('order', organizations, {
    states: [financialStatus, fulfillmentStatus],
    includeArchived,
    span: spanOfDateRange(query),
    withinDay: (span) => counting(countableConditions(organizations, query, span)),
  });
  if (readyToShip === undefined) return sql`select ${all} as count`;
  // Those that are ready are few, and have an index.
  const ready = counting([...countableConditions(organizations, query), sql`o.ready_to_ship`]);
  return sql`select ${all} - ${ready} as count`;
}
