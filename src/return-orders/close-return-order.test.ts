// What closing a return order promises.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { makeVariant } from '../../test/support/factories.ts';
import { returnsOf } from '../../test/support/returns.ts';
import { eventsOf } from '../../test/support/rows.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { receive, returned, blind, refused } = returnsOf(() => test);
const close = (id: string, headers?: Record<string, string>) =>
  test.request('POST', `/return-orders/${id}/close`, undefined, headers);
const discarded = (lineItemId: string, quantity: number) => ({
  lineItemId,
  quantity,
  disposition: 'discard',
});

async function partReturned() {
  const variant = await makeVariant(test.request);
  const { order, returnOrder, lines } = await returned([[variant.id, 5]]);
  await receive(returnOrder.id, [discarded(lines[0].id, 2)]);
  return { order, returnOrder, line: lines[0] };
}

describe('closeReturnOrder', () => {
  it('200 takes nothing more; its order shows it, and tells of it', async () => {
    const { order, returnOrder, line } = await partReturned();
    const before = await eventsOf(test.database, test.organizationId);
    const answer = await close(returnOrder.id);
    assert.equal(answer.status, 200, answer.text);
    const { status, lineItems } = answer.body.data;
    assert.deepEqual([status, lineItems[0].quantityReceived], ['closed', 2]);
    assert.deepEqual((await eventsOf(test.database, test.organizationId)).slice(before.length), [
      'order.updated',
    ]);
    const { data } = (await test.request('GET', `/orders/${order.id}`)).body;
    assert.equal(data.returnOrders[0].status, 'closed');
    await refused(409, () => receive(returnOrder.id, [discarded(line.id, 1)]));
  });

  it('what did not come back may be asked back anew, and no more than that', async () => {
    const { order, returnOrder } = await partReturned();
    const ask = (quantity: number) =>
      test.request('POST', '/return-orders', {
        orderId: order.id,
        lineItems: [{ lineItemId: order.lineItems[0].id, quantity }],
      });
    assert.equal((await ask(1)).status, 409);
    await close(returnOrder.id);
    assert.equal((await ask(4)).body.error.details.code, 'quantity_exceeded');
    assert.equal((await ask(3)).status, 200);
  });

  it('one of which nothing came, one that is complete and a blind one are closed alike', async () => {
    const variant = await makeVariant(test.request);
    const { returnOrder } = await returned([[variant.id, 1]]);
    assert.equal((await close(returnOrder.id)).body.data.status, 'closed');
    const complete = await returned([[variant.id, 1]]);
    await receive(complete.returnOrder.id, [discarded(complete.lines[0].id, 1)]);
    assert.equal((await close(complete.returnOrder.id)).body.data.status, 'closed');
    const { id } = await blind();
    assert.equal((await close(id)).body.data.status, 'closed');
  });

  it('409 for a second close and for a cancelled one, 412 when the ETag is stale, 404 when there is none', async () => {
    const { returnOrder } = await partReturned();
    await refused(412, () => close(returnOrder.id, { 'if-match': '"7"' }));
    await close(returnOrder.id);
    const details = await refused(409, () => close(returnOrder.id));
    assert.deepEqual([details.code, details.from, details.to], ['invalid_transition', 'closed', 'closed']);
    const { id } = await blind();
    await test.request('POST', `/return-orders/${id}/cancel`);
    assert.equal((await refused(409, () => close(id))).from, 'cancelled');
    await refused(404, () => close('019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90'));
  });

  it('of a close and a receipt at the same time the later sees the earlier', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { returnOrder, line } = await partReturned();
      const [closed, received] = await Promise.all([
        close(returnOrder.id),
        receive(returnOrder.id, [discarded(line.id, 3)]),
      ]);
      assert.equal(closed.status, 200);
      const { data } = (await test.request('GET', `/return-orders/${returnOrder.id}`)).body;
      assert.equal(data.status, 'closed');
      assert.equal(data.lineItems[0].quantityReceived, received.status === 200 ? 5 : 2);
    }
  });
});
