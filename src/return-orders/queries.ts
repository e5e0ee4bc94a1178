// SQL of return orders: lists, one record, its lock, and the insert of a new one.
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import { inDateRange } from '../http/date-range.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { eachOrganization, listed, ofOrganization, type Parts, partsByOrganization } from '../http/parts.ts';
import { returnOrderJson } from './present.ts';
import {
  type ListReturnOrdersQuery,
  type ReturnOrderStatus,
  type returnOrderSorts,
  returnOrderStatuses,
} from './schema.ts';

const sorts: Record<(typeof returnOrderSorts)[number], Sort> = {
  createdAt: { column: column('r.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('r.updated_at'), type: 'timestamptz' },
  name: { column: column('r.name'), type: 'text' },
  status: { column: column('r.status'), type: 'text', part: column('part.status') },
};

/** Of one organisation, or, for a parent that asks for its children's too, of several. */
export function listReturnOrders(
  database: Executor,
  organizations: Organizations,
  query: ListReturnOrdersQuery,
): Promise<Page> {
  const where = [owned('r', organizations), ...inDateRange(column('r.created_at'), query)];
  const parts = partsOf(organizations, query);
  if (query.status !== undefined) where.push(sql`r.status = ${query.status}`);
  if (query.orderId !== undefined) where.push(sql`r.order_id = ${query.orderId}`);
  if (query.search !== undefined) where.push(sql`r.search_text like ${searchPattern(query.search)}`);
  return listPage(database, [organizations].flat().join(' '), query, {
    name: 'listReturnOrders',
    alias: 'r',
    from: sql`return_orders r`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: returnOrderJson(organizations),
    parts,
  });
}

/** By status: each part is in the order of an index for every sort. Of one order there are few. */
function partsOf(organizations: Organizations, query: ListReturnOrdersQuery): Parts | undefined {
  const { search, orderId, sortBy = 'createdAt', status } = query;
  if (search !== undefined || orderId !== undefined) return undefined;
  if (sortBy === 'createdAt' && status === undefined)
    return partsByOrganization('return_orders', 'r', organizations);
  const states = sql`unnest(${status === undefined ? returnOrderStatuses : [status]}::text[]) part (status)`;
  return {
    from:
      typeof organizations === 'string'
        ? states
        : sql`${eachOrganization(organizations)} cross join ${states}`,
    of: [...ofOrganization('r', organizations), sql`r.status = part.status`],
    ...listed('return_orders', 'r', organizations),
  };
}

export async function findReturnOrder(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${returnOrderJson(organizationId)}::text as json, r.version from return_orders r
    where r.organization_id = ${organizationId} and r.id = ${id}`);
  return found;
}

export interface ReturnOrderRow {
  orderId: string | null;
  status: ReturnOrderStatus;
  version: number;
}

/** The row, locked until the transaction ends. */
export async function lockReturnOrder(write: Write, id: string): Promise<ReturnOrderRow | undefined> {
  const [row] = await write.transaction.query<ReturnOrderRow>(sql`
    select order_id as "orderId", status, version from return_orders
    where organization_id = ${write.scope.organizationId} and id = ${id} for update`);
  return row;
}

/** Sets the status; `skus` of lines that were added can be searched by from then on. */
export function updateReturnOrder(
  write: Write,
  id: string,
  status: ReturnOrderStatus,
  skus: readonly string[] = [],
): void {
  const added = skus.map((sku) => `\n${sku.toLowerCase()}`).join('');
  write.transaction.send(sql`
    update return_orders set status = ${status}, search_text = search_text || ${added}::text,
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export interface NewReturnLine {
  id: string;
  orderLineItemId: string | null;
  productVariantId: string;
  sku: string;
  quantity: number;
}

export interface NewReturnOrder {
  id: string;
  name: string;
  reason: string | null;
  label: { carrierCode: string; serviceCode: string; labelFormat?: 'pdf' | 'zpl' } | null;
  metadata?: Record<string, string>;
  lineItems: NewReturnLine[];
}

export function insertReturnOrder(
  write: Write,
  order: { id: string; name: string } | null,
  returnOrder: NewReturnOrder,
): void {
  const { id, name, reason, label, metadata = {}, lineItems } = returnOrder;
  const searched = new Set([name, order?.name ?? '', ...lineItems.map(({ sku }) => sku)]);
  write.transaction.send(sql`
    insert into return_orders (organization_id, id, name, order_id, status, reason, label, label_wanted_at,
      metadata, search_text, created_at, updated_at)
    values (${write.scope.organizationId}, ${id}, ${name}, ${order?.id ?? null}, 'requested', ${reason},
      ${label === null ? null : JSON.stringify({ ...label, labelFormat: label.labelFormat ?? 'pdf' })},
      ${label === null ? null : write.now}, ${metadata}, ${[...searched].join('\n').toLowerCase()}, ${write.now}, ${write.now})`);
  insertReturnLines(write, id, 0, lineItems);
}

/** Lines take their places one after the other, from `position` on. */
export function insertReturnLines(
  write: Write,
  returnOrderId: string,
  position: number,
  lines: readonly NewReturnLine[],
): void {
  if (lines.length === 0) return;
  const { organizationId } = write.scope;
  write.transaction.send(sql`
    insert into return_order_line_items (organization_id, return_order_id, id, position, order_line_item_id,
      product_variant_id, quantity)
    select ${organizationId}, ${returnOrderId}, l.*
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map((_, index) => position + index)}::int[],
      ${lines.map(({ orderLineItemId }) => orderLineItemId)}::uuid[],
      ${lines.map(({ productVariantId }) => productVariantId)}::uuid[],
      ${lines.map(({ quantity }) => quantity)}::int[]) l`);
}
