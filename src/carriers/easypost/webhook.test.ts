// Webhooks of EasyPost: the signature of its own fixture, and what the events say.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { type Json, recording } from '../../../test/support/easypost.ts';
import { easypostAccount } from '../../../test/support/easypost-samples.ts';
import { trackerStatuses } from '../carrier.ts';
import { trackedOf, trackedTogether } from './tracking.ts';
import { isSigned, readWebhook } from './webhook.ts';

const body = await readFile(new URL('recordings/event-body.txt', import.meta.url));
// Of EasyPost's own tests.
const secret = 'sécret';
const signature = 'hmac-sha256-hex=38f3f53c103713df81616a0a186d77141957323ec21d5fe9363db93840f527db';
const account = easypostAccount({ carrierCode: 'fedex' });
const event = (description: string, result: unknown) => Buffer.from(JSON.stringify({ description, result }));

test("the signature of EasyPost's own fixture holds, however the secret's accent is written", () => {
  assert(isSigned(body, signature, secret.normalize('NFC')));
  assert(isSigned(body, signature, secret.normalize('NFD')));
});

test('anything else does not', () => {
  const changed = Buffer.from(body.toString().replace('in_transit', 'delivered'));
  assert(!isSigned(changed, signature, secret));
  assert(!isSigned(Buffer.concat([body, Buffer.from('\n')]), signature, secret));
  assert(!isSigned(body, signature, 'secret'));
  const bare = signature.slice('hmac-sha256-hex='.length);
  for (const header of [
    undefined,
    '',
    bare,
    `${signature}0`,
    signature.toUpperCase(),
    signature.slice(0, -1),
  ]) {
    assert(!isSigned(body, header, secret), header);
  }
  const empty = `hmac-sha256-hex=${createHmac('sha256', '').update(body).digest('hex')}`;
  assert(!isSigned(body, empty, ''), 'no secret signs nothing');
});

test('a tracker that was updated', () => {
  const news = readWebhook(account, body);
  assert(news?.about === 'tracker');
  assert.deepEqual([news.trackingCode, news.shipmentId], ['1', null]);
  const { events, ...others } = news.tracked;
  assert.deepEqual(others, {
    estDeliveryDate: new Date('2024-08-05T00:00:00Z'),
    trackingUrl: 'https://track.easypost.com/1',
    signedBy: null,
  });
  assert.equal(events.length, 7);
  assert.deepEqual(events[1], {
    status: 'in-transit',
    message: 'Picked up',
    source: 'fedex',
    occurredAt: new Date('2024-07-31T19:27:00Z'),
    location: { city: 'ORLANDO', state: 'FL', postalCode: '32809', country: 'US' },
  });
});

test('a refund that came', async () => {
  const [refunds] = await recording('creates-a-refund');
  const refund = refunds!.response.body[0];
  const news = (status: string) => readWebhook(account, event('refund.successful', { ...refund, status }));
  assert.deepEqual(news('refunded'), {
    about: 'refund',
    trackingCode: '9400100110368068953068',
    shipmentId: 'shp_d6a7ef3fbb364284a6814408a0f20269',
    outcome: 'voided',
  });
  assert.equal((news('rejected') as Json).outcome, 'rejected');
});

test('other events are of no interest; what cannot be understood is said to be that', () => {
  assert.equal(readWebhook(account, event('batch.updated', {})), undefined);
  for (const wrong of [Buffer.from('{'), Buffer.from('[]'), event('tracker.updated', { tracking_code: 7 })]) {
    assert.throws(() => readWebhook(account, wrong), { failure: 'carrier_unavailable' });
  }
});

const tracker = (given: object) => ({ tracking_code: '1', ...given });
const scan = (status: string, datetime: string | null, message = status) => ({ status, datetime, message });

test("every status of EasyPost's is one of ours, and one that is new is unknown", () => {
  for (const status of trackerStatuses) {
    const { events } = trackedOf(
      tracker({ tracking_details: [scan(status.replaceAll('-', '_'), '2024-08-01T00:00:00Z')] }),
      'usps',
    );
    assert.equal(events[0]!.status, status);
  }
  const odd = tracker({ tracking_details: [scan('teleported', '2024-08-01T00:00:00Z')] });
  assert.equal(trackedOf(odd, 'usps').events[0]!.status, 'unknown');
});

test('a status without a scan comes after the scans, at the same time whenever it is asked', () => {
  const cancelled = tracker({
    status: 'cancelled',
    created_at: '2024-07-30T00:00:00Z',
    tracking_details: [scan('pre_transit', '2024-08-01T00:00:00Z'), scan('in_transit', null)],
  });
  const { events } = trackedOf(cancelled, 'usps');
  assert.deepEqual(
    events.map(({ status, occurredAt }) => [status, occurredAt.toISOString()]),
    [
      ['pre-transit', '2024-08-01T00:00:00.000Z'],
      ['cancelled', '2024-08-01T00:00:00.001Z'],
    ],
  );
  const bare = trackedOf(tracker({ status: 'error', created_at: '2024-07-30T00:00:00Z' }), 'usps');
  assert.deepEqual(bare.events[0]!.occurredAt, new Date('2024-07-30T00:00:00.001Z'));
  assert.deepEqual(trackedOf(tracker({ status: 'error' }), 'usps').events, []);
});

test('several parcels are delivered when the last of them is', () => {
  const first = trackedOf(
    tracker({
      tracking_details: [
        scan('in_transit', '2024-08-01T00:00:00Z'),
        scan('delivered', '2024-08-02T00:00:00Z'),
      ],
    }),
    'usps',
  );
  const second = (...details: object[]) => trackedOf(tracker({ tracking_details: details }), 'usps');
  const statuses = (parcels: (typeof first)[]) => trackedTogether(parcels).events.map(({ status }) => status);
  assert.deepEqual(statuses([first]), ['in-transit', 'delivered']);
  assert.deepEqual(statuses([first, second()]), ['in-transit', 'in-transit']);
  const later = second(scan('delivered', '2024-08-03T00:00:00Z'));
  assert.deepEqual(statuses([first, later]), ['in-transit', 'in-transit', 'delivered']);
  assert.deepEqual(statuses([]), []);
});

test('links are web addresses', () => {
  const page = (public_url: unknown) => trackedOf(tracker({ public_url }) as never, 'usps').trackingUrl;
  assert.equal(page('https://track.easypost.com/1'), 'https://track.easypost.com/1');
  for (const url of ['javascript:alert(1)', 'nowhere', 7, null, `https://x/${'y'.repeat(3000)}`]) {
    assert.equal(page(url), null);
  }
});
