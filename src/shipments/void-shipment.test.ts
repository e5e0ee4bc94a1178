// A label is given back once, whoever asks, and the order has its stock again in the same moment.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { quoteBody } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, makeOrder, makeStocked, unique } from '../../test/support/factories.ts';
import { fail, never, scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { makeShipping } from '../shipping.ts';
import { settleDue } from './watch-carriers.ts';

const script = scriptedCarrier();
const shipping = {
  carriers: { 'rate-card': script.carrier },
  timing: { buyMs: 300, askMs: 300, settleMs: 0, retryMs: 0 },
};
const home = await startTestApp({ shipping, logLevel: 'silent' });
after(home.close);
const { request, database } = home;
await makeCarrierAccount(request, { carrierCode: 'scripted' });
const access = makeShipping({
  database,
  config: { secret: testSecret, easypostUrl: 'http://127.0.0.1:1' },
  log: { error: () => {} },
  ...shipping,
});

beforeEach(() => {
  script.voided.length = 0;
  script.voidAnswers = [];
  script.voidFaults = [];
});

async function shipped() {
  const { variant, level } = await makeStocked(request, 10);
  const order = await makeOrder(request, {
    lineItems: [{ productVariantId: variant.id, quantity: 4, price: 1 }],
  });
  const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 4 }];
  const shipment = await make(
    request,
    '/shipments',
    quoteBody({ carrierCode: 'scripted', serviceCode: 'ground', orderId: order.id, lineItems }),
  );
  const state = async () => {
    const { onHandQuantity, committedQuantity } = await level();
    const { fulfillmentStatus } = (await request('GET', `/orders/${order.id}`)).body.data;
    return [fulfillmentStatus, onHandQuantity, committedQuantity];
  };
  const read = async () => (await request('GET', `/shipments/${shipment.id}`)).body.data;
  return { id: shipment.id, path: `/shipments/${shipment.id}/void`, state, read, shipment };
}

const left = ['fulfilled', 6, 0];
const back = ['open', 10, 4];

async function settle(): Promise<void> {
  await database.query(sql`
    update shipments set claimed_until = null, next_attempt_at = ${new Date(0)}
    where organization_id = ${home.organizationId} and next_attempt_at is not null`);
  await settleDue(access);
}

test('the order has its stock and allocation back, and the label is gone', async () => {
  const { path, state, read, shipment, id } = await shipped();
  assert.deepEqual(await state(), left);
  const voided = await make(request, path);
  assert.deepEqual([voided.voidStatus, voided.refundStatus], ['voided', 'refunded']);
  assert.deepEqual(await state(), back);
  assert.equal((await home.app.inject(shipment.packages[0].shippingLabel.url)).statusCode, 404);
  assert.equal((await read()).packages[0].shippingLabel, null);
  const again = await make(request, path);
  assert.deepEqual(again, voided);
  assert.deepEqual(script.voided, [id]);
  const { rows } = await database.pool.query(
    'select type from events where object_id = $1 order by created_at, id',
    [id],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['shipment.purchased', 'shipment.voided'],
  );
});

test('20 clients at once void once', async () => {
  const { path, state, id } = await shipped();
  const all = await Promise.all(Array.from({ length: 20 }, () => request('POST', path)));
  for (const answer of all) assert.deepEqual([answer.status, answer.body.data.voidStatus], [200, 'voided']);
  assert.deepEqual(script.voided, [id]);
  assert.deepEqual(await state(), back);
});

test('what the carrier accepts returns at once; its later word is awaited', async () => {
  const { path, state, read } = await shipped();
  script.voidAnswers = ['submitted', 'voided'];
  const { voidStatus, refundStatus } = await make(request, path);
  assert.deepEqual([voidStatus, refundStatus], ['submitted', 'submitted']);
  assert.deepEqual(await state(), back);
  await settle();
  assert.deepEqual([(await read()).voidStatus, (await read()).refundStatus], ['voided', 'refunded']);
  assert.deepEqual(await state(), back);
});

test('a refund that is refused later leaves the void as it was', async () => {
  const { path, state, read } = await shipped();
  script.voidAnswers = ['submitted', 'rejected'];
  await make(request, path);
  await settle();
  assert.deepEqual([(await read()).voidStatus, (await read()).refundStatus], ['submitted', 'rejected']);
  assert.deepEqual(await state(), back);
});

test('a refused void changes nothing, and a repeat answers the same', async () => {
  const { path, state } = await shipped();
  script.voidAnswers = ['rejected'];
  for (const _ of [1, 2]) {
    const { voidStatus, refundStatus, packages } = await make(request, path);
    assert.deepEqual([voidStatus, refundStatus], [null, 'rejected']);
    assert.notEqual(packages[0].shippingLabel, null);
  }
  assert.deepEqual(await state(), left);
});

test('an answer that was not heard is asked for again, and returns the stock once', async () => {
  for (const fault of [{ before: never }, { after: never }]) {
    const { path, state, read } = await shipped();
    script.voidFaults = [fault];
    const lost = await request('POST', path);
    assert.equal(`${lost.status} ${lost.body.error.details.code}`, '504 carrier_timeout');
    assert.deepEqual(await state(), left);
    await settle();
    assert.equal((await read()).voidStatus, 'voided');
    assert.deepEqual(await state(), back);
  }
});

test('a carrier that cannot be reached is as if it had never been asked', async () => {
  const { path, state } = await shipped();
  script.voidFaults = [{ before: fail('carrier_unavailable', 'no') }];
  const answer = await request('POST', path);
  assert.equal(`${answer.status} ${answer.body.error.details.code}`, '502 carrier_unavailable');
  await settle();
  assert.deepEqual(await state(), left);
  assert.equal((await make(request, path)).voidStatus, 'voided');
});

test('409 not_voidable once the carrier has scanned the parcel, and while nothing was bought', async () => {
  const { path, state, id } = await shipped();
  await make(request, `/shipments/${id}/tracking-events`, {
    trackingDetails: [{ status: 'in-transit', occurredAt: new Date().toISOString() }],
  });
  const answer = await request('POST', path);
  assert.equal(`${answer.status} ${answer.body.error.details.code}`, '409 not_voidable');
  assert.deepEqual(await state(), left);
  script.buyFaults = [{ before: fail('carrier_rejected', 'no') }];
  const body = quoteBody({ carrierCode: 'scripted', serviceCode: 'ground' });
  const { shipmentId } = (await request('POST', '/shipments', body)).body.error.details;
  const failed = await request('POST', `/shipments/${shipmentId}/void`);
  assert.equal(`${failed.status} ${failed.body.error.details.code}`, '409 not_voidable');
});

test('412 for a stale ETag, 404 for no such shipment, and a key answers the same again', async () => {
  const { path, state } = await shipped();
  const stale = await request('POST', path, undefined, { 'if-match': '"99"' });
  assert.equal(stale.status, 412);
  assert.deepEqual(await state(), left);
  assert.equal((await request('POST', `/shipments/${newId()}/void`)).status, 404);
  const headers = { 'idempotency-key': unique('key') };
  const first = await request('POST', path, undefined, headers);
  const again = await request('POST', path, undefined, headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal(again.text, first.text);
  const other = await shipped();
  assert.equal((await request('POST', other.path, undefined, headers)).status, 422);
  assert.deepEqual(await other.state(), left);
});
