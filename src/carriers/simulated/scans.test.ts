// The way of a simulated parcel is the same whenever it is looked at.
import assert from 'node:assert/strict';
import test from 'node:test';
import { mountainView, reno } from '../../../test/support/carriers.ts';
import { address } from '../../address.ts';
import { type Journey, scansUntil } from './scans.ts';

const boughtAt = new Date('2026-01-07T15:00:00Z');
const after = (seconds: number) => new Date(boughtAt.getTime() + seconds * 1000);

const journey = (fields: Partial<Journey> = {}): Journey => ({
  carrierCode: 'ups',
  boughtAt,
  voidedAt: null,
  shipFrom: address(reno),
  shipTo: address(mountainView),
  paceSeconds: 10,
  fault: undefined,
  ...fields,
});

const seen = (seconds: number, fields: Partial<Journey> = {}) =>
  scansUntil(after(seconds), journey(fields)).map(({ status, location }) => `${status} ${location?.city}`);

test('from the sender’s city to delivery at the receiver’s, one scan a pace', () => {
  const whole = [
    'pre-transit Reno',
    'in-transit Reno',
    'in-transit Reno',
    'in-transit Mountain View',
    'out-for-delivery Mountain View',
    'delivered Mountain View',
  ];
  for (const [step] of whole.entries()) {
    assert.deepEqual(seen(step * 10), whole.slice(0, step + 1));
    assert.deepEqual(seen(step * 10 + 9.999), whole.slice(0, step + 1));
  }
  assert.deepEqual(seen(1e6), whole);
  assert.deepEqual(scansUntil(after(1e6), journey())[5], {
    status: 'delivered',
    message: 'Delivered',
    source: 'ups',
    occurredAt: after(50),
    location: { city: 'Mountain View', state: 'CA', postalCode: '94043', country: 'US' },
  });
});

test('other ends', () => {
  const end = (fault: Journey['fault']) => seen(1e6, { fault }).at(-1);
  assert.equal(end('track-return'), 'return-to-sender Mountain View');
  assert.equal(end('track-failure'), 'failure Mountain View');
  assert.equal(end('track-pickup'), 'available-for-pickup Mountain View');
  assert.equal(end('buy-slow'), 'delivered Mountain View');
});

test('a voided label is scanned no more', () => {
  assert.deepEqual(seen(1e6, { voidedAt: after(5) }), ['pre-transit Reno', 'cancelled Reno']);
});
