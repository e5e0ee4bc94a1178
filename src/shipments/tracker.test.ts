// Scans in every order and number add up to the status that they tell of.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type TrackerStatus, trackerStatuses } from '../carriers/carrier.ts';
import { statusOf, wasScanned } from './tracker.ts';

const scan = (status: TrackerStatus, hour: number) => ({
  status,
  occurredAt: new Date(Date.UTC(2026, 10, 21, hour)),
});

const cases: [string, [TrackerStatus, number][], TrackerStatus][] = [
  ['nothing was told', [], 'unknown'],
  [
    'the latest scan counts',
    [
      ['pre-transit', 1],
      ['in-transit', 2],
      ['out-for-delivery', 3],
    ],
    'out-for-delivery',
  ],
  [
    'a late scan of what was before changes nothing',
    [
      ['delivered', 5],
      ['in-transit', 3],
    ],
    'delivered',
  ],
  [
    'nor does one that is dated after the delivery',
    [
      ['delivered', 5],
      ['in-transit', 6],
    ],
    'delivered',
  ],
  [
    'what was delivered may be sent back',
    [
      ['delivered', 5],
      ['return-to-sender', 9],
    ],
    'return-to-sender',
  ],
  [
    'what goes back arrives where it came from',
    [
      ['return-to-sender', 5],
      ['delivered', 9],
    ],
    'return-to-sender',
  ],
  [
    'a failed attempt is no end',
    [
      ['failure', 5],
      ['out-for-delivery', 9],
      ['delivered', 10],
    ],
    'delivered',
  ],
  [
    'an error says nothing about where a parcel is',
    [
      ['in-transit', 5],
      ['error', 9],
      ['unknown', 10],
    ],
    'in-transit',
  ],
  [
    'of one moment the further scan counts',
    [
      ['out-for-delivery', 5],
      ['delivered', 5],
    ],
    'delivered',
  ],
];
for (const [title, scans, expected] of cases) {
  test(title, () => assert.equal(statusOf(scans.map(([status, hour]) => scan(status, hour))), expected));
}

test('whatever the order in which scans are told, and however often each', () => {
  const scans = fc.array(fc.tuple(fc.constantFrom(...trackerStatuses), fc.integer({ min: 0, max: 23 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      scans.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
      ),
      ([told, again]) => {
        const status = (all: [TrackerStatus, number][]) =>
          statusOf(all.map(([one, hour]) => scan(one, hour)));
        assert.equal(status(again), status(told));
      },
    ),
  );
});

test('a parcel was scanned once anybody had it in hand', () => {
  assert.equal(
    wasScanned([scan('pre-transit', 1), scan('unknown', 2), scan('error', 2), scan('cancelled', 3)]),
    false,
  );
  for (const status of ['in-transit', 'delivered', 'failure', 'return-to-sender'] as const) {
    assert.equal(wasScanned([scan('pre-transit', 1), scan(status, 2)]), true);
  }
});
