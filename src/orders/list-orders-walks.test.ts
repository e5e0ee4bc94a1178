// Lists of orders are put together from parts: what comes out is what one plain statement finds, in its order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestOrganization } from '../../test/support/app.ts';
import { type Filter, requireWalks, type Walked } from '../../test/support/walks.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { financialStatuses, fulfillmentStatuses } from './schema.ts';

const service = await startTestApp();
after(service.close);
const { database } = service;
let parent: TestOrganization;
let child: TestOrganization;

before(async () => {
  parent = await service.makeOrganization();
  child = await service.makeOrganization({ parentId: parent.id });
  const stranger = await service.makeOrganization();
  for (const { id } of [parent, child, stranger]) await insertOrders(id, 90);
});

/** Of every pair of states, with few different values, so that many are alike; the same each time. */
async function insertOrders(organizationId: string, orders: number): Promise<void> {
  await database.query(sql`
    insert into orders (organization_id, id, name, alias, price, currency, financial_status, fulfillment_status,
      order_date, target_delivery_date, search_text, ready_to_ship, created_at, updated_at, archived_at)
    select ${organizationId}, o.id, 'SO-' || n, case when n % 4 > 0 then 'shop-' || n % 9 end, n * 7 % 5, 'usd',
      (${financialStatuses}::text[])[1 + n * n % 8], (${fulfillmentStatuses}::text[])[1 + n * 5 % 6],
      '2026-03-01'::timestamptz + n * 11 % 17 * interval '7 hours',
      case when n % 3 > 0 then '2026-04-01'::timestamptz + n % 5 * interval '1 day' end, 'so-' || n,
      n % 5 = 0, '2026-03-01'::timestamptz + n * 13 % 19 * interval '1 hour',
      '2026-03-02'::timestamptz + n * 17 % 23 * interval '1 hour', case when n % 7 = 0 then '2026-05-01'::timestamptz end
    from unnest(${Array.from({ length: orders }, newId)}::uuid[]) with ordinality o (id, n)`);
  await database.query(sql`
    insert into record_totals (organization_id, kind, day, states, archived, slot, records)
    select ${organizationId}, 'order', coalesce(day, '-infinity'), states, archived, 0, count(*)
    from (select (order_date at time zone 'UTC')::date as day, financial_status || ' ' || fulfillment_status as states,
        archived_at is not null as archived
      from orders where organization_id = ${organizationId}) o
    group by grouping sets ((day, states, archived), (states, archived))`);
}

const every: Filter = ['', ''];
const filters: Filter[][] = [
  [
    every,
    ...['paid', 'pending'].map(
      (state): Filter => [`financialStatus=${state}`, `o.financial_status = '${state}'`],
    ),
  ],
  [
    every,
    ...['open', 'fulfilled'].map(
      (state): Filter => [`fulfillmentStatus=${state}`, `o.fulfillment_status = '${state}'`],
    ),
  ],
  [every, ['readyToShip=true', 'o.ready_to_ship'], ['readyToShip=false', 'not o.ready_to_ship']],
  [
    ['', 'o.archived_at is null'],
    ['includeArchived=true', ''],
  ],
  [
    every,
    every,
    [
      'dateRange[from]=2026-03-02&dateRange[to]=2026-03-04',
      "o.order_date >= '2026-03-02Z' and o.order_date < '2026-03-05Z'",
    ],
    [
      'dateRange[from]=2026-03-03&dateRange[to]=2026-03-03&timezone=America/New_York',
      "o.order_date >= '2026-03-03 05:00Z' and o.order_date < '2026-03-04 05:00Z'",
    ],
  ],
  [
    every,
    every,
    every,
    ['alias=shop-1', "o.alias = 'shop-1'"],
    ['name=SO-17', "o.name = 'SO-17'"],
    ['search=o-1', "o.search_text like '%o-1%'"],
  ],
];
const orders: Omit<Walked, 'organizationIds'> = {
  path: '/orders',
  from: 'orders o',
  alias: 'o',
  filters,
  sorts: {
    orderDate: 'o.order_date',
    createdAt: 'o.created_at',
    updatedAt: 'o.updated_at',
    name: 'o.name',
    alias: 'o.alias',
    price: 'o.price',
    financialStatus: 'o.financial_status',
    fulfillmentStatus: 'o.fulfillment_status',
    targetDeliveryDate: 'o.target_delivery_date',
  },
};

test('under all filters and in every order, cursors and pages go through just the orders that match', async () => {
  await requireWalks(parent.request, database, { ...orders, organizationIds: [parent.id] }, 5);
});

test("so they do through a parent's and its clients' orders together", async () => {
  const family = [['childOrders=true', '']] as const;
  const both = { ...orders, filters: [...filters, family], organizationIds: [parent.id, child.id] };
  await requireWalks(parent.request, database, both, 2);
});

test('without any filter too, archived or not, in every order', async () => {
  const alone = [filters[3]!];
  await requireWalks(
    parent.request,
    database,
    { ...orders, filters: alone, organizationIds: [parent.id] },
    2,
  );
});

test('a page costs two statements, however many parts it is put together from', async () => {
  const path = '/orders?financialStatus=paid&sortBy=price&includeArchived=true&limit=';
  for (const limit of [1, 100]) {
    const statements = await service.statements(() => parent.request('GET', path + limit));
    assert.equal(statements.length, 2);
  }
});
