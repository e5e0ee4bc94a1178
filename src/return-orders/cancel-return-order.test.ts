// What cancelling a return order promises.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeOrder, makeVariant } from '../../test/support/factories.ts';
import { eventsOf } from '../../test/support/rows.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const cancel = (id: string, headers?: Record<string, string>) =>
  test.request('POST', `/return-orders/${id}/cancel`, undefined, headers);

async function returned() {
  const variant = await makeVariant(test.request);
  const order = await makeOrder(test.request, {}, [[variant.id, 2]]);
  const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 2 }];
  return { order, returnOrder: await make(test.request, '/return-orders', { orderId: order.id, lineItems }) };
}

const eventsFrom = async (work: () => Promise<unknown>) => {
  const before = await eventsOf(test.database, test.organizationId);
  await work();
  return (await eventsOf(test.database, test.organizationId)).slice(before.length);
};

describe('cancelReturnOrder', () => {
  it('200 with the cancelled return order; its order shows it, and tells of it', async () => {
    const { order, returnOrder } = await returned();
    const events = await eventsFrom(async () => {
      const answer = await cancel(returnOrder.id);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data.status, 'cancelled');
      assert.equal(answer.headers['etag'], '"2"');
    });
    assert.deepEqual(events, ['order.updated']);
    const shown = (await test.request('GET', `/orders/${order.id}`)).body.data.returnOrders;
    assert.deepEqual(
      shown.map(({ status }: { status: string }) => status),
      ['cancelled'],
    );
  });

  it('a blind one has no order to tell of it', async () => {
    const { id } = await make(test.request, '/return-orders', { lineItems: [] });
    assert.deepEqual(await eventsFrom(() => cancel(id)), []);
    assert.equal((await test.request('GET', `/return-orders/${id}`)).body.data.status, 'cancelled');
  });

  it('409 for a second cancel, and once anything has come back', async () => {
    const { returnOrder } = await returned();
    await cancel(returnOrder.id);
    const second = await cancel(returnOrder.id);
    assert.equal(second.status, 409);
    const { code, from, to } = second.body.error.details;
    assert.deepEqual([code, from, to], ['invalid_transition', 'cancelled', 'cancelled']);

    const other = (await returned()).returnOrder;
    await make(test.request, `/return-orders/${other.id}/receive`, {
      lineItems: [{ lineItemId: other.lineItems[0].id, quantity: 1, disposition: 'discard' }],
    });
    const late = await cancel(other.id);
    assert.equal(late.status, 409, late.text);
    assert.equal(late.body.error.details.from, 'requested');
    assert.deepEqual(late.body.error.details.allowed, ['received', 'closed']);
  });

  it('412 when the ETag is stale, 404 when there is none', async () => {
    const { returnOrder } = await returned();
    assert.equal((await cancel(returnOrder.id, { 'if-match': '"7"' })).status, 412);
    assert.equal((await cancel('019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90')).status, 404);
    assert.equal((await cancel(returnOrder.id, { 'if-match': '"1"' })).status, 200);
  });

  it('of a cancel and a receipt at the same time one is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { returnOrder } = await returned();
      const receive = test.request('POST', `/return-orders/${returnOrder.id}/receive`, {
        lineItems: [{ lineItemId: returnOrder.lineItems[0].id, quantity: 2, disposition: 'discard' }],
      });
      const answers = await Promise.all([cancel(returnOrder.id), receive]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    }
  });
});
