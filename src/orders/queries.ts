// Every SQL statement that reads orders, and the inserts of a new one.
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { type Parts, partsByOrganization } from '../http/parts.ts';
import { recount } from '../http/totals.ts';
import type { NewLine, NewOrder } from './new-order.ts';
import { countedOrder, countOrders, datedConditions } from './order-count.ts';
import { partsOfOrders } from './order-parts.ts';
import { orderJson, orderSummaryJson } from './present.ts';
import type { ListOrdersQuery, orderSorts } from './schema.ts';

const sorts: Record<(typeof orderSorts)[number], Sort> = {
  orderDate: { column: column('o.order_date'), type: 'timestamptz' },
  createdAt: { column: column('o.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('o.updated_at'), type: 'timestamptz' },
  name: { column: column('o.name'), type: 'text' },
  alias: { column: column('o.alias'), type: 'text', nullable: true },
  price: { column: column('o.price'), type: 'numeric' },
  financialStatus: {
    column: column('o.financial_status'),
    type: 'text',
    part: column('part.financial_status'),
  },
  fulfillmentStatus: {
    column: column('o.fulfillment_status'),
    type: 'text',
    part: column('part.fulfillment_status'),
  },
  targetDeliveryDate: { column: column('o.target_delivery_date'), type: 'timestamptz', nullable: true },
};

/** Orders of one organisation, or, for a parent that asks for its children's too, of several. */
export function listOrders(
  database: Executor,
  organizationIds: Organizations,
  query: ListOrdersQuery,
): Promise<Page> {
  const where = datedConditions(organizationIds, query);
  const parts = partsOf(organizationIds, query);
  if (parts === undefined) where.push(...stateConditions(query));
  if (query.name !== undefined) where.push(sql`o.name = ${query.name}`);
  if (query.alias !== undefined) where.push(sql`o.alias = ${query.alias}`);
  if (query.search !== undefined) {
    const pattern = searchPattern(query.search);
    where.push(sql`(o.search_text like ${pattern} or o.customer_id = any(array(
      select c.id from customers c where ${owned('c', organizationIds)} and c.search_text like ${pattern})))`);
  }
  const count = countOrders(organizationIds, query);
  const oldestFirst = query.readyToShip === true && query.sortBy === undefined;
  const page = oldestFirst ? { ...query, sortOrder: 'asc' as const } : query;
  return listPage(database, [organizationIds].flat().join(' '), page, {
    name: 'listOrders',
    alias: 'o',
    from: sql`orders o`,
    where,
    sorts,
    defaultSort: 'orderDate',
    json: orderSummaryJson(organizationIds),
    parts,
    ...(count === undefined ? {} : { count }),
  });
}

/** What is searched for has to be found first, and of one name or alias there are few. */
function partsOf(organizations: Organizations, query: ListOrdersQuery): Parts | undefined {
  const {
    name,
    alias,
    search,
    sortBy = 'orderDate',
    financialStatus,
    fulfillmentStatus,
    readyToShip,
  } = query;
  if (name !== undefined || alias !== undefined || search !== undefined) return undefined;
  const ofAnyState = [financialStatus, fulfillmentStatus, readyToShip].every((state) => state === undefined);
  if (sortBy === 'orderDate' && ofAnyState && !query.includeArchived) {
    // All of them are in the order of one index by date.
    return partsByOrganization('orders', 'o', organizations, [sql`o.archived_at is null`]);
  }
  return partsOfOrders(organizations, query);
}

function stateConditions(query: ListOrdersQuery): Sql<unknown>[] {
  const { financialStatus, fulfillmentStatus, readyToShip, includeArchived } = query;
  return [
    ...(includeArchived ? [] : [sql`o.archived_at is null`]),
    ...(financialStatus === undefined ? [] : [sql`o.financial_status = ${sql.lit(financialStatus)}`]),
    ...(fulfillmentStatus === undefined ? [] : [sql`o.fulfillment_status = ${sql.lit(fulfillmentStatus)}`]),
    ...(readyToShip === undefined ? [] : [readyToShip ? sql`o.ready_to_ship` : sql`not o.ready_to_ship`]),
  ];
}

export async function findOrder(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${orderJson(organizationId)}::text as json, o.version from orders o
    where o.organization_id = ${organizationId} and o.id = ${id}`);
  return found;
}

/** Which of the records that an order refers to exist, and who has its alias. */
export async function checkReferences(
  write: Write,
  references: { customerId: string | null; warehouseId: string | null; alias: string | null },
): Promise<{ customer: boolean; warehouse: boolean; aliasOrderId: string | null }> {
  const { organizationId } = write.scope;
  const { customerId, warehouseId, alias } = references;
  const [row] = await write.transaction.query<{
    customer: boolean;
    warehouse: boolean;
    aliasOrderId: string | null;
  }>(sql`
    select
      exists (select 1 from customers c
        where c.organization_id = ${organizationId} and c.id = ${customerId}::uuid) as customer,
      exists (select 1 from warehouses w
        where w.organization_id = ${organizationId} and w.id = ${warehouseId}::uuid
          and w.archived_at is null) as warehouse,
      (select o.id from orders o
        where o.organization_id = ${organizationId} and o.alias = ${alias}::text limit 1) as "aliasOrderId"`);
  return row!;
}

/** Those of these aliases that orders have. */
export async function findOrderAliases(
  database: Executor,
  organizationId: string,
  aliases: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ alias: string }>(sql`
    select o.alias from orders o where o.organization_id = ${organizationId} and o.alias = any(${aliases}::text[])`);
  return new Set(rows.map(({ alias }) => alias));
}

export function insertOrder(write: Write, order: NewOrder): void {
  const o = order;
  write.transaction.send(sql`
    insert into orders (organization_id, id, name, alias, unique_alias, price, compare_at_price, currency,
      financial_status, fulfillment_status, status_before_hold, order_date, target_delivery_date,
      ship_to_address, ship_method, insurance_request, customer_id, warehouse_id, tags, notes, tasks, metadata,
      search_text, ready_to_ship, created_at, updated_at)
    values (${write.scope.organizationId}, ${o.id}, ${o.name}, ${o.alias}, ${o.uniqueAlias}, ${o.price},
      ${o.compareAtPrice}, ${o.currency}, ${o.financialStatus}, ${o.fulfillmentStatus}, ${o.statusBeforeHold},
      ${o.orderDate}, ${o.targetDeliveryDate}, ${json(o.shipToAddress)}, ${json(o.shipMethod)},
      ${json(o.insuranceRequest)}, ${o.customerId}, ${o.warehouseId}, ${json(o.tags)}, ${json(o.notes)},
      ${json(o.tasks)}, ${json(o.metadata)}, ${o.searchText}, ${o.readyToShip}, ${write.now}, ${write.now})`);
  recount(write, 'order', undefined, countedOrder({ ...o, archivedAt: null }));
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

export function insertLines(write: Write, order: NewOrder, lines: readonly NewLine[]): void {
  if (lines.length === 0) return;
  const { organizationId } = write.scope;
  const all = <T>(pick: (line: NewLine) => T): T[] => lines.map(pick);
  write.transaction.send(sql`
    insert into order_line_items (organization_id, order_id, currency, order_date, id, position,
      product_variant_id, price, compare_at_price, quantity, quantity_allocated, quantity_backordered,
      quantity_fulfilled, is_bundle, tracks_inventory, requires_shipping)
    select ${organizationId}, ${order.id}, ${order.currency}, ${order.orderDate}, l.*
    from unnest(${all((l) => l.id)}::uuid[], ${all((l) => l.position)}::int[],
      ${all((l) => l.variant.id)}::uuid[], ${all((l) => l.price)}::numeric[],
      ${all((l) => l.compareAtPrice)}::numeric[], ${all((l) => l.quantity)}::int[],
      ${all((l) => l.quantityAllocated)}::int[], ${all((l) => l.quantityBackordered)}::int[],
      ${all((l) => l.quantityFulfilled)}::int[], ${all((l) => l.variant.is_bundle)}::bool[],
      ${all((l) => l.variant.tracks_inventory)}::bool[], ${all((l) => l.variant.requires_shipping)}::bool[]) l`);
  const components = lines.flatMap((line) =>
    line.variant.components.map((component) => ({ ...component, lineId: line.id })),
  );
  if (components.length === 0) return;
  write.transaction.send(sql`
    insert into order_line_components (organization_id, order_line_item_id, product_variant_id,
      quantity_per_unit, tracks_inventory)
    select ${organizationId}, c.*
    from unnest(${components.map((c) => c.lineId)}::uuid[], ${components.map((c) => c.productVariantId)}::uuid[],
      ${components.map((c) => c.quantity)}::int[], ${components.map((c) => c.tracksInventory)}::bool[]) c`);
}
