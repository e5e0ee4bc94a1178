// The total of a list of orders: kept by the writes, and at every moment what counting would find.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { addStock, make, makeOrder, makePlace, makeVariant } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const home = await startTestApp();
const { request, database, organizationId } = home;
after(() => home.close());

async function totalOf(query: string): Promise<number> {
  const answer = await request('GET', `/orders?limit=1${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.totalCount;
}

/** Asks for every combination of filters, each against a walk through the table. */
async function requireRightTotals(): Promise<void> {
  const states = [
    ['', 'true'],
    ['&financialStatus=paid', "financial_status = 'paid'"],
    ['&fulfillmentStatus=open', "fulfillment_status = 'open'"],
    [
      '&financialStatus=pending&fulfillmentStatus=fulfilled',
      "financial_status = 'pending' and fulfillment_status = 'fulfilled'",
    ],
    ['&readyToShip=false', 'not ready_to_ship'],
    ['&readyToShip=true', 'ready_to_ship'],
  ] as const;
  const archived = [
    ['', 'archived_at is null'],
    ['&includeArchived=true', 'true'],
  ] as const;
  const spans = [
    ['', 'true'],
    [
      '&dateRange[from]=2026-03-01&dateRange[to]=2026-03-02',
      "order_date >= '2026-03-01Z' and order_date < '2026-03-03Z'",
    ],
    ['&dateRange[from]=2026-03-02', "order_date >= '2026-03-02Z'"],
    ['&dateRange[to]=2026-03-01', "order_date < '2026-03-02Z'"],
    [
      '&dateRange[from]=2026-03-01&dateRange[to]=2026-03-02&timezone=America/New_York',
      "order_date >= '2026-03-01 05:00Z' and order_date < '2026-03-03 05:00Z'",
    ],
    [
      '&dateRange[from]=2026-03-02&dateRange[to]=2026-03-02&timezone=Asia/Kolkata',
      "order_date >= '2026-03-01 18:30Z' and order_date < '2026-03-02 18:30Z'",
    ],
  ] as const;
  for (const [state, stateSql] of states) {
    for (const [archive, archiveSql] of archived) {
      for (const [span, spanSql] of spans) {
        const [row] = await database.query<{ count: number }>(sql`
          select count(*) as count from orders where organization_id = ${organizationId}
            and ${sql.raw(stateSql)} and ${sql.raw(archiveSql)} and ${sql.raw(spanSql)}`);
        const query = state + archive + span;
        assert.equal(await totalOf(query), row!.count, `total of ${query}`);
      }
    }
  }
}

test('the total is what counting finds, under every filter, through the whole life of orders', async () => {
  const place = await makePlace(request);
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 8);
  const dates = [
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T00:00:00Z',
    '2026-03-01T04:59:59Z',
    '2026-03-01T18:30:00Z',
    '2026-03-02T18:29:59Z',
    '2026-03-02T23:59:59.999Z',
    '2026-03-03T04:59:59Z',
    '2026-03-03T05:00:00Z',
  ];
  const ids: string[] = [];
  for (const [n, orderDate] of dates.entries()) {
    const financialStatus = n % 3 === 0 ? 'paid' : 'pending';
    const order = await makeOrder(request, { orderDate, financialStatus }, [[variant.id, 2]]);
    ids.push(order.id);
  }
  await requireRightTotals();

  await make(request, `/orders/${ids[0]}/archive`);
  await make(request, `/orders/${ids[1]}/fulfillments`);
  await make(request, `/orders/${ids[2]}/hold`);
  await make(request, `/orders/${ids[3]}`, { orderDate: '2026-03-05T00:00:00Z' });
  await make(request, `/orders/${ids[4]}/cancel`);
  await make(request, `/orders/${ids[5]}`, { financialStatus: 'voided' });
  await requireRightTotals();

  await make(request, `/orders/${ids[0]}/restore`);
  await make(request, `/orders/${ids[2]}/release`);
  await make(request, '/orders/bulk', {
    atomic: true,
    orders: dates.map((orderDate) => ({ name: 'SO-', price: 1, orderDate, fulfillmentStatus: 'fulfilled' })),
  });
  await requireRightTotals();
});

test('orders at the ends of time are counted', async () => {
  const before = await totalOf('');
  await makeOrder(request, { orderDate: '9999-12-31T23:30:00Z' });
  await makeOrder(request, { orderDate: '1900-01-01T00:30:00Z' });
  assert.equal(await totalOf(''), before + 2);
  assert.equal(await totalOf('&dateRange[from]=9999-12-31'), 1);
  assert.equal(await totalOf('&dateRange[from]=9999-12-31&dateRange[to]=9999-12-31'), 1);
  assert.equal(await totalOf('&dateRange[from]=9999-12-31&timezone=America/New_York'), 1);
  assert.equal(await totalOf('&dateRange[to]=1900-01-01'), 1);
});

test('400 for an order date that is outside the years in UTC, in which it would be answered', async () => {
  for (const orderDate of ['9999-12-31T23:30:00-05:00', '1900-01-01T00:30:00+05:00']) {
    const answer = await request('POST', '/orders', { name: 'SO-', price: 1, orderDate });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.details.issues[0].path, '/orderDate');
  }
});

test('a write that fails counts nothing, and concurrent ones are all counted', async () => {
  const before = await totalOf('');
  const fields = { name: 'SO-', price: 1, orderDate: '2026-03-01T00:00:00Z' };
  const refused = await request('POST', '/orders', {
    ...fields,
    lineItems: [{ productVariantSku: 'none', quantity: 1 }],
  });
  assert.equal(refused.status, 400);
  const made = await Promise.all(Array.from({ length: 30 }, () => makeOrder(request, fields)));
  assert.equal(await totalOf(''), before + made.length);
});

test('the total of a list costs no walk through its orders', async () => {
  const [, count] = await home.statements(() => request('GET', '/orders?dateRange[from]=2026-03-01'));
  assert.match(count!, /from record_totals t/);
  assert.doesNotMatch(count!, /from orders/);
});
