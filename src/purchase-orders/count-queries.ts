// How many purchase orders there are: counted as they change, so that a list of millions need not count them.
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import { inSpan, type Span, spanOfFromTo } from '../http/date-range.ts';
import { type Counted, countedRecords, recountStatement } from '../http/totals.ts';
import { partsByWarehouse } from './list-parts.ts';
import type { PurchaseOrderRow } from './queries.ts';
import type { ListPurchaseOrdersQuery } from './schema.ts';

type Row = Pick<PurchaseOrderRow, 'supplierId' | 'warehouseId' | 'status' | 'archivedAt' | 'createdAt'>;

const countedOrder = ({ status, warehouseId, archivedAt, createdAt }: Row): Counted => ({
  at: createdAt,
  states: [status, warehouseId],
  archived: archivedAt !== null,
});

/** The same of every order. */
export function countedPurchaseOrders(organizationId: string): Sql<unknown> {
  return sql`select p.created_at as at, concat_ws(' ', p.status, p.warehouse_id) as states,
    p.archived_at is not null as archived from purchase_orders p where p.organization_id = ${organizationId}`;
}

const keyOf = ({ supplierId, warehouseId, status, archivedAt }: Row) =>
  [supplierId, warehouseId, status, archivedAt !== null] as const;

/**
 * Counts a new order, or a changed one as what it has become: among all, by day, and among its supplier's. Sent last: whoever
 * else changes an order of the same supplier, warehouse and status waits for this transaction's commit and nothing more. The
 * keys are in one order in all transactions.
 */
export function recount(write: Write, before: Row | undefined, after: Row): void {
  const steps = [
    ...(before === undefined ? [] : [{ key: keyOf(before), step: -1 }]),
    { key: keyOf(after), step: 1 },
  ].sort((a, b) => (a.key.join() < b.key.join() ? -1 : 1));
  if (steps.length === 2 && steps[0]!.key.join() === steps[1]!.key.join()) return;
  const ofAll = recountStatement(
    write,
    'purchase-order',
    before && countedOrder(before),
    countedOrder(after),
  );
  write.transaction.send(sql`
    ${ofAll === undefined ? sql`` : sql`with counted as (${ofAll})`}
    insert into purchase_order_totals as t
      (organization_id, supplier_id, warehouse_id, status, archived, purchase_orders)
    select ${write.scope.organizationId}, s.supplier_id, s.warehouse_id, s.status, s.archived, s.step
    from unnest(${steps.map(({ key }) => key[0])}::uuid[], ${steps.map(({ key }) => key[1])}::uuid[],
      ${steps.map(({ key }) => key[2])}::text[], ${steps.map(({ key }) => key[3])}::bool[],
      ${steps.map(({ step }) => step)}::int[]) with ordinality s (supplier_id, warehouse_id, status, archived, step, n)
    order by s.n
    on conflict (organization_id, supplier_id, warehouse_id, status, archived) do update
    set purchase_orders = t.purchase_orders + excluded.purchase_orders`);
}

/** From the totals; one supplier's of some days are counted, in the parts of the list. Undefined for a search. */
export function countOf(
  organizations: Organizations,
  query: ListPurchaseOrdersQuery,
): Sql<{ count: number }> | undefined {
  if (query.search !== undefined) return undefined;
  const span = spanOfFromTo(query);
  if (query.supplierId === undefined) {
    const all = countedRecords('purchase-order', organizations, {
      states: [query.status, query.warehouseId],
      includeArchived: query.includeArchived,
      span,
      withinDay: (within) => countInParts(organizations, query, within),
    });
    return sql`select ${all} as count`;
  }
  if (query.from !== undefined || query.to !== undefined) {
    return sql`select ${countInParts(organizations, query, span)} as count`;
  }
  const where = [owned('t', organizations), sql`t.supplier_id = ${query.supplierId}`];
  if (!query.includeArchived) where.push(sql`not t.archived`);
  if (query.status !== undefined) where.push(sql`t.status = ${query.status}`);
  if (query.warehouseId !== undefined) where.push(sql`t.warehouse_id = ${query.warehouseId}`);
  return sql`select coalesce(sum(t.purchase_orders), 0)::bigint as count from purchase_order_totals t
    where ${sql.join(where, sql` and `)}`;
}

/** A scalar subquery. */
function countInParts(
  organizations: Organizations,
  query: ListPurchaseOrdersQuery,
  span: Span,
): Sql<unknown> {
  const { from, of } = partsByWarehouse(organizations, query);
  const where = [owned('p', organizations), ...inSpan(column('p.created_at'), span), ...of];
  if (query.supplierId !== undefined) where.push(sql`p.supplier_id = ${query.supplierId}`);
  return sql`(select coalesce(sum(counted.orders), 0)::bigint from ${from}
    cross join lateral (select count(*) as orders from purchase_orders p
      where ${sql.join(where, sql` and `)}) counted)`;
}

/** What a verification compares: rows `counted, expected, actual`. */
export function purchaseOrderFigures(organizationId: string): Sql<unknown> {
  const counted = (
    of: Sql<unknown>,
    archived: Sql<unknown>,
  ) => sql`concat_ws(' ', 'purchase-order', ${of}.status,
    case when ${archived} then 'archived' end, 'supplier', ${of}.supplier_id, 'warehouse', ${of}.warehouse_id)`;
  return sql`
    select ${counted(sql`p`, sql`p.archived_at is not null`)} as counted, 1 as expected, 0 as actual
    from purchase_orders p where p.organization_id = ${organizationId}
    union all
    select ${counted(sql`t`, sql`t.archived`)}, 0, t.purchase_orders
    from purchase_order_totals t where t.organization_id = ${organizationId}`;
}
