// The test environment from end to end: every scripted fault ends with one label or with none, and the stock agrees.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Request, startTestApp, testSecret } from '../../test/support/app.ts';
import { mountainView, quoteBody } from '../../test/support/carriers.ts';
import { make, makeOrder, makeStocked } from '../../test/support/factories.ts';
import { identify } from '../carriers/tracking-number.ts';
import { sql } from '../database/connect.ts';
import { makeShipping } from '../shipping.ts';
import { settleDue, trackDue } from './watch-carriers.ts';

const timing = { buyMs: 400, askMs: 400, settleMs: 0, retryMs: 0 };
const home = await startTestApp({ environment: 'test', logLevel: 'silent', shipping: { timing } });
after(home.close);
const { database } = home;
const client = await make(home.request, '/clients', { name: 'Client', slug: 'client' });
const request: Request = (method, path, body, headers = {}) =>
  home.request(method, path, body, { ...headers, 'x-service-client': 'client' });
const accounts = (await request('GET', '/carrier-accounts')).body.data;
for (const { id } of accounts) {
  const settings = { slowSeconds: 0.05, faultSeconds: 0.5, trackingPaceSeconds: 0.05 };
  await make(request, `/carrier-accounts/${id}`, { settings });
}
const config = { secret: testSecret, easypostUrl: 'http://127.0.0.1:1' };
const access = makeShipping({ database, config, log: { error: () => {} }, timing });

/** What the carriers sold, as they remember it. */
const sold = (reference: string) =>
  database.query<{ trackingCodes: string[]; voided: boolean }>(sql`
    select tracking_codes as "trackingCodes", voided_at is not null as voided from simulated_labels
    where organization_id = ${client.id} and reference = ${reference}`);

const due = (column: string) =>
  database.query(sql`
    update shipments set claimed_until = null, ${sql.ref(column)} = ${new Date(0)}
    where organization_id = ${client.id} and ${sql.ref(column)} is not null`);

async function settled(id: string) {
  for (let round = 0; round < 60; round += 1) {
    const shipment = (await request('GET', `/shipments/${id}`)).body.data;
    if (['purchased', 'failed'].includes(shipment.purchaseStatus)) return shipment;
    await due('next_attempt_at');
    await settleDue(access);
  }
  throw new Error('It is never settled');
}

test('an organisation has three carriers from its creation, whose labels are samples', async () => {
  assert.deepEqual(
    accounts.map(({ carrierCode, kind }: Record<string, string>) => [carrierCode, kind]).sort(),
    ['fedex', 'ups', 'usps'].map((code) => [code, 'simulated']),
  );
  const services: Record<string, string[]> = {
    usps: ['ground_advantage', 'priority', 'priority_express'],
    ups: ['ground', '2nd_day_air', 'next_day_air'],
    fedex: ['ground', '2day', 'priority_overnight'],
  };
  for (const [carrierCode, codes] of Object.entries(services)) {
    for (const serviceCode of codes) {
      const body = quoteBody({ carrierCode, serviceCode, labelFormat: 'zpl' });
      const shipment = await make(request, '/shipments', body);
      const couriers = identify(shipment.trackingCode).map(({ courierCode }) => courierCode);
      assert.ok(couriers.includes(carrierCode), `${shipment.trackingCode}: ${couriers}`);
      const label = await home.app.inject(shipment.packages[0].shippingLabel.url);
      assert.match(label.body, /SAMPLE/);
    }
  }
});

const outcomes: [postalCode: string, status: number, ending: 'purchased' | 'failed'][] = [
  ['00001', 504, 'failed'],
  ['00002', 504, 'purchased'],
  ['00003', 504, 'purchased'],
  ['00004', 200, 'purchased'],
  ['00005', 502, 'failed'],
  ['00006', 502, 'purchased'],
  ['00007', 502, 'failed'],
  ['00008', 502, 'failed'],
  ['00009', 504, 'purchased'],
];
for (const [postalCode, status, ending] of outcomes) {
  test(`to ${postalCode}: ${status}, and ${ending} in the end`, async () => {
    const { variant, level } = await makeStocked(request, 10);
    const order = await makeOrder(request, {}, [[variant.id, 4]]);
    const answer = await request(
      'POST',
      '/shipments',
      quoteBody({
        ...{ carrierCode: 'usps', serviceCode: 'priority', orderId: order.id },
        shipToAddress: { ...mountainView, postalCode },
        lineItems: [{ lineItemId: order.lineItems[0].id, quantity: 4 }],
      }),
    );
    assert.equal(answer.status, status, answer.text);
    const id = status === 200 ? answer.body.data.id : answer.body.error.details.shipmentId;
    const shipment = await settled(id);
    assert.equal(shipment.purchaseStatus, ending);
    const labels = await sold(id);
    assert.deepEqual(
      labels.map(({ trackingCodes }) => trackingCodes[0]),
      ending === 'purchased' ? [shipment.trackingCode] : [],
    );
    const { onHandQuantity, committedQuantity } = await level();
    assert.deepEqual([onHandQuantity, committedQuantity], ending === 'purchased' ? [6, 0] : [10, 4]);
    const { fulfillmentStatus, shipments } = (await request('GET', `/orders/${order.id}`)).body.data;
    assert.deepEqual(
      [fulfillmentStatus, shipments.length],
      ending === 'purchased' ? ['fulfilled', 1] : ['open', 0],
    );
  });
}

test('tracking advances by itself, from the first scan to the door', async () => {
  const shipment = await make(
    request,
    '/shipments',
    quoteBody({ carrierCode: 'ups', serviceCode: 'ground' }),
  );
  const seen = new Set<string>();
  for (let round = 0; round < 200 && !seen.has('delivered'); round += 1) {
    await due('next_track_at');
    await trackDue(access);
    seen.add((await request('GET', `/shipments/${shipment.id}`)).body.data.tracker.status);
  }
  assert.ok(seen.has('delivered'), [...seen].join());
  const { tracker } = (await request('GET', `/shipments/${shipment.id}`)).body.data;
  assert.equal(tracker.signedBy, 'Ada Byron');
  assert.ok(tracker.trackingDetails.length >= 3);
});

test('a void that is submitted first is voided in the end, and its stock is back at once', async () => {
  const shipToAddress = { ...mountainView, postalCode: '00022' };
  const body = quoteBody({ carrierCode: 'fedex', serviceCode: '2day', shipToAddress });
  const { id } = await make(request, '/shipments', body);
  assert.equal((await make(request, `/shipments/${id}/void`)).voidStatus, 'submitted');
  for (let round = 0; round < 60; round += 1) {
    await due('next_attempt_at');
    await settleDue(access);
    if ((await request('GET', `/shipments/${id}`)).body.data.voidStatus === 'voided') break;
  }
  assert.deepEqual(
    (await sold(id)).map(({ voided }) => voided),
    [true],
  );
  assert.equal((await request('GET', `/shipments/${id}`)).body.data.refundStatus, 'refunded');
});
