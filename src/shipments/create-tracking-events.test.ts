// A tracker follows what is told, whoever tells it, in whatever order and however often.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { quoteBody } from '../../test/support/carriers.ts';
import {
  make,
  makeCarrierAccount,
  makeCustomer,
  makeOrder,
  makeStocked,
} from '../../test/support/factories.ts';
import { scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { sql } from '../database/connect.ts';
import { makeShipping } from '../shipping.ts';
import { buyReturnLabels } from './buy-return-labels.ts';
import { trackDue } from './watch-carriers.ts';

const script = scriptedCarrier({ trackEveryMs: 60_000 });
const shipping = { carriers: { 'rate-card': script.carrier } };
const home = await startTestApp({ shipping, logLevel: 'silent' });
after(home.close);
const { request, database } = home;
await makeCarrierAccount(request, { carrierCode: 'scripted' });
const config = { secret: testSecret, easypostUrl: 'http://127.0.0.1:1' };
const access = makeShipping({ database, config, log: { error: () => {} }, ...shipping });

const ship = () => make(request, '/shipments', quoteBody({ carrierCode: 'scripted', serviceCode: 'ground' }));
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
const tell = (id: string, ...details: [string, number, string?][]) =>
  make(request, `/shipments/${id}/tracking-events`, {
    trackingDetails: details.map(([status, hour, message]) => ({
      status,
      occurredAt: at(hour).toISOString(),
      message: message ?? null,
      trackingLocation: { city: 'Reno', state: 'NV', country: 'us' },
    })),
  });
const updates = async (id: string) => {
  const text = `select data->'object'->'tracker'->>'status' as status from events
    where object_id = $1 and type = 'tracker.updated' order by created_at, id`;
  return (await database.pool.query(text, [id])).rows.map(({ status }) => status);
};

test('scans out of order and told twice: each is kept once, and a final status stays', async () => {
  const { id } = await ship();
  await tell(id, ['in-transit', 3, 'Arrived']);
  await tell(id, ['in-transit', 3, 'Arrived'], ['in-transit', 2, 'Left']);
  const { tracker } = await tell(id, ['delivered', 9, 'Left at the door']);
  assert.deepEqual([tracker.status, tracker.statusDetail], ['delivered', 'Left at the door']);
  const late = await tell(id, ['out-for-delivery', 8], ['delivered', 9, 'Left at the door']);
  assert.equal(late.tracker.status, 'delivered');
  assert.deepEqual(
    late.tracker.trackingDetails.map((d: Record<string, unknown>) => [
      d['status'],
      d['occurredAt'],
      d['source'],
    ]),
    [
      ['in-transit', at(2).toISOString(), null],
      ['in-transit', at(3).toISOString(), null],
      ['out-for-delivery', at(8).toISOString(), null],
      ['delivered', at(9).toISOString(), null],
    ],
  );
  assert.deepEqual(late.tracker.trackingDetails[0].trackingLocation, {
    city: 'Reno',
    state: 'NV',
    postalCode: null,
    country: 'US',
  });
  await tell(id, ['delivered', 9, 'Left at the door']);
  assert.deepEqual(await updates(id), ['in-transit', 'in-transit', 'delivered', 'delivered']);
  assert.equal((await request('GET', '/shipments?trackingStatus=delivered')).body.totalCount, 1);
});

test('20 clients that tell the same scan leave one, and one event', async () => {
  const { id } = await ship();
  await Promise.all(Array.from({ length: 20 }, () => tell(id, ['in-transit', 4])));
  assert.equal((await request('GET', `/shipments/${id}`)).body.data.tracker.trackingDetails.length, 1);
  assert.deepEqual(await updates(id), ['in-transit']);
});

test('a carrier that can be asked is asked when it is due, until the parcel is there', async () => {
  const { id } = await ship();
  const due = () =>
    database.query(sql`
      update shipments set next_track_at = ${new Date(0)}
      where organization_id = ${home.organizationId} and id = ${id} and next_track_at is not null returning 1`);
  const scan = (status: 'in-transit' | 'delivered', hour: number) => ({
    ...{ status, message: null, source: 'scripted', occurredAt: at(hour), location: null },
  });
  script.tracked = {
    ...{ events: [scan('in-transit', 5)], estDeliveryDate: at(30), trackingUrl: 'https://track.example/1' },
    signedBy: null,
  };
  assert.equal((await due()).length, 1);
  await trackDue(access);
  const { tracker } = (await request('GET', `/shipments/${id}`)).body.data;
  assert.deepEqual(
    [tracker.status, tracker.estDeliveryDate, tracker.trackingUrl],
    ['in-transit', at(30).toISOString(), 'https://track.example/1'],
  );
  script.tracked = {
    ...script.tracked,
    events: [scan('in-transit', 5), scan('delivered', 6)],
    signedBy: 'A. Byron',
  };
  await due();
  const asked = script.calls.track;
  await Promise.all([trackDue(access), trackDue(access)]);
  assert.equal(script.calls.track, asked + 1, 'two processes ask once');
  assert.equal((await request('GET', `/shipments/${id}`)).body.data.tracker.signedBy, 'A. Byron');
  assert.equal((await due()).length, 0);
  assert.deepEqual(await updates(id), ['in-transit', 'delivered']);
});

test('409 for a shipment without a parcel', async () => {
  script.buyFaults = [
    {
      before: () => {
        throw new TypeError('no label');
      },
    },
  ];
  const body = quoteBody({ carrierCode: 'scripted', serviceCode: 'ground' });
  const { shipmentId } = (await request('POST', '/shipments', body)).body.error.details;
  const trackingDetails = [{ status: 'in-transit', occurredAt: at(1).toISOString() }];
  const answer = await request('POST', `/shipments/${shipmentId}/tracking-events`, { trackingDetails });
  assert.equal(`${answer.status} ${answer.body.error.details.code}`, '409 conflict');
});

async function orderWithReturn(fields: Record<string, unknown>, address: object | null) {
  const { variant } = await makeStocked(request, 5, fields);
  return makeOrder(request, {
    customerId: (await makeCustomer(request)).id,
    shipToAddress: address,
    lineItems: [{ productVariantId: variant.id, quantity: 2, price: 1 }],
    returnOrder: { label: { carrierCode: 'scripted', serviceCode: 'ground' } },
  });
}
const customer = {
  ...{ name: 'Ada Byron', street1: '1600 Amphitheatre Pkwy', city: 'Mountain View', state: 'CA' },
  ...{ postalCode: '94043', country: 'US' },
};
const warehouse = { street1: '500 E 4th St', city: 'Reno', state: 'NV', postalCode: '89512', country: 'US' };

test('a return’s label is bought after it was opened, once, and its first scan moves the return', async () => {
  const { body } = await request('GET', '/warehouses?limit=100');
  for (const { id } of body.data) await make(request, `/warehouses/${id}`, { address: warehouse });
  const order = await orderWithReturn({ weight: 8, weightUnit: 'oz' }, customer);
  for (const one of (await request('GET', '/warehouses?limit=100')).body.data) {
    if (one.address === null) await make(request, `/warehouses/${one.id}`, { address: warehouse });
  }
  const sold = script.sold.length;
  await Promise.all([buyReturnLabels(access), buyReturnLabels(access)]);
  await buyReturnLabels(access);
  assert.equal(script.sold.length, sold + 1);
  const path = `/return-orders/${order.returnOrders[0].id}`;
  const returned = (await request('GET', path)).body.data;
  assert.deepEqual([returned.labelFailure, returned.status], [null, 'requested']);
  const shipment = (await request('GET', `/shipments/${returned.shipment.id}`)).body.data;
  assert.equal(shipment.shippingQuote.shipToAddress.city, 'Reno');
  assert.equal(shipment.shippingQuote.shipFromAddress.city, 'Mountain View');
  const shown = (await request('GET', `/orders/${order.id}`)).body.data;
  assert.deepEqual(shown.shipments, []);
  assert.equal(shown.returnOrders[0].shipment.trackingCode, shipment.trackingCode);
  await tell(shipment.id, ['in-transit', 12]);
  assert.equal((await request('GET', path)).body.data.status, 'in-transit');
});

test('a label that cannot be had never fails the order, and the return says why', async () => {
  for (const [fields, address, words] of [
    [{ weight: 8 }, null, /address of the customer/],
    [{}, customer, /weight/],
  ] as const) {
    const order = await orderWithReturn(fields, address);
    await buyReturnLabels(access);
    const returned = (await request('GET', `/return-orders/${order.returnOrders[0].id}`)).body.data;
    assert.match(returned.labelFailure, words);
    assert.equal(returned.shipment, null);
  }
});
