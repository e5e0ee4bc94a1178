// What listing and reading return orders promise.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeOrder, makeVariant, unique } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

async function returned(request: Request = test.request, fields: object = {}) {
  const variant = await makeVariant(request, { sku: unique('RETURNED-Sku-') });
  const order = await makeOrder(request, { name: unique('ret-Order-') }, [[variant.id, 2]]);
  const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 1 }];
  const returnOrder = await make(request, '/return-orders', { orderId: order.id, lineItems, ...fields });
  return { variant, order, returnOrder };
}

const blind = (fields: object = {}) => make(test.request, '/return-orders', { lineItems: [], ...fields });

async function found(query: Record<string, string>, request: Request = test.request): Promise<string[]> {
  const answer = await request('GET', `/return-orders?${new URLSearchParams({ limit: '100', ...query })}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.totalCount, answer.body.data.length);
  return answer.body.data.map(({ id }: { id: string }) => id);
}

describe('listReturnOrders', () => {
  it('200 with records as GET answers them, newest first', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await returned()).returnOrder.id);
    const { body } = await test.request('GET', '/return-orders?limit=3');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ids,
    );
    for (const record of body.data) {
      assert.deepEqual((await test.request('GET', `/return-orders/${record.id}`)).body.data, record);
    }
  });

  it("`search` finds a part of its name, of its order's name and of a line's sku, in any case", async () => {
    const { order, variant, returnOrder } = await returned(test.request, { name: unique('Prefix-') });
    await returned();
    for (const text of [returnOrder.name, order.name, variant.sku]) {
      assert.deepEqual(await found({ search: text.slice(1).toUpperCase() }), [returnOrder.id], text);
    }
  });

  it('`search` finds what came unexpected too', async () => {
    const variant = await makeVariant(test.request, { sku: unique('SURPRISE-') });
    const { id } = await blind();
    assert.deepEqual(await found({ search: variant.sku }), []);
    const line = { productVariantSku: variant.sku, quantity: 1, disposition: 'discard' };
    await make(test.request, `/return-orders/${id}/receive`, { lineItems: [line] });
    assert.deepEqual(await found({ search: variant.sku }), [id]);
  });

  it('`status` and `orderId` filter; an order that nobody knows has none', async () => {
    const { order, returnOrder } = await returned();
    const cancelled = await blind();
    await make(test.request, `/return-orders/${cancelled.id}/cancel`);
    assert.deepEqual(await found({ orderId: order.id.toUpperCase() }), [returnOrder.id]);
    assert.deepEqual(await found({ orderId: order.id, status: 'received' }), []);
    assert.deepEqual(await found({ orderId: cancelled.id }), []);
    assert.ok((await found({ status: 'cancelled' })).includes(cancelled.id));
    assert.ok(!(await found({ status: 'requested' })).includes(cancelled.id));
  });

  it('`dateRange` selects whole days of creation, both ends inclusive', async () => {
    const { id } = await blind();
    await test.database.query(sql`
      update return_orders set created_at = '2020-02-29T23:59:59.999Z'
      where organization_id = ${test.organizationId} and id = ${id}`);
    const range = (from: string, to: string) => found({ 'dateRange[from]': from, 'dateRange[to]': to });
    assert.deepEqual(await range('2020-02-29', '2020-02-29'), [id]);
    assert.deepEqual(await range('2020-03-01', '2020-03-02'), []);
    assert.deepEqual(
      await found({ 'dateRange[from]': '2020-03-01', 'dateRange[to]': '2020-03-01', timezone: 'Asia/Tokyo' }),
      [id],
    );
  });

  it('sorts by each of its names, both ways, with cursors that lose and repeat nothing', async () => {
    const other = await test.makeOrganization();
    for (const name of ['B-', 'A-', 'C-', 'A-', 'B-']) {
      await make(other.request, '/return-orders', { name, lineItems: [] });
    }
    for (const sortBy of ['createdAt', 'updatedAt', 'name', 'status']) {
      for (const sortOrder of ['asc', 'desc']) {
        const all = await found({ sortBy, sortOrder }, other.request);
        const walked: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const query = new URLSearchParams({ sortBy, sortOrder, limit: '2', ...(cursor && { cursor }) });
          const { body } = await other.request('GET', `/return-orders?${query}`);
          walked.push(...body.data.map(({ id }: { id: string }) => id));
          cursor = body.nextCursor;
        }
        assert.equal(all.length, 5);
        assert.deepEqual(walked, all, `${sortBy} ${sortOrder}`);
      }
    }
    const names = await other.request('GET', '/return-orders?sortBy=name&sortOrder=asc');
    assert.deepEqual(
      names.body.data.map(({ name }: { name: string }) => name),
      ['A-1001', 'A-1002', 'B-1001', 'B-1002', 'C-1001'],
    );
  });

  it("`childOrders` shows a parent its clients' return orders, and nobody else's", async () => {
    const parent = await test.makeOrganization();
    const child = await test.makeOrganization({ parentId: parent.id });
    const own = (await returned(parent.request)).returnOrder;
    const { returnOrder, order } = await returned(child.request);
    assert.deepEqual(await found({}, parent.request), [own.id]);
    assert.deepEqual(await found({ childOrders: 'true' }, parent.request), [returnOrder.id, own.id]);
    assert.deepEqual(await found({ childOrders: 'true' }, child.request), [returnOrder.id]);
    const { body } = await parent.request('GET', '/return-orders?childOrders=true');
    assert.deepEqual(body.data[0], returnOrder);
    assert.equal(body.data[0].order.name, order.name);
    const asked = await parent.request('GET', `/return-orders/${returnOrder.id}`);
    assert.equal(asked.status, 404);
  });

  it('a page costs two statements, whatever its size', async () => {
    for (const limit of [1, 100]) {
      const sent = await test.statements(() => test.request('GET', `/return-orders?limit=${limit}`));
      assert.equal(sent.length, 2);
    }
  });

  it('400 for a sort, a status, an order id and a range that cannot be', async () => {
    for (const query of [
      'sortBy=reason',
      'status=open',
      'orderId=x',
      'dateRange[from]=2026-02-02&dateRange[to]=2026-02-01',
      'cursor=x',
      'sku=A',
    ]) {
      assert.equal((await test.request('GET', `/return-orders?${query}`)).status, 400, query);
    }
  });
});
