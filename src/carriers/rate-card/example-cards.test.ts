// The example cards are read, number their parcels validly, and ask what their credits say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import Big from 'big.js';
import { parcel, rated, rateRequest } from '../../../test/support/rate-cards.ts';
import { address } from '../../address.ts';
import { identify } from '../tracking-number.ts';
import { exampleCard, exampleCarriers } from './example-cards.ts';
import { rateParcels } from './rate-parcels.ts';
import { serialRange, trackingNumber } from './tracking-numbers.ts';

test('they are marked as examples, and have the services of the test environment', () => {
  const services = exampleCarriers.map((carrier) => {
    const card = exampleCard(carrier);
    assert.equal(card.example, true);
    return card.services.map(({ code }) => code);
  });
  assert.deepEqual(services, [
    ['ground_advantage', 'priority', 'priority_express'],
    ['ground', '2nd_day_air', 'next_day_air'],
    ['ground', '2day', 'priority_overnight'],
  ]);
});

test('their numbers are their couriers’, from the first to the last', () => {
  for (const carrier of exampleCarriers) {
    const { trackingNumbers, services } = exampleCard(carrier);
    const { first, last } = serialRange(trackingNumbers);
    for (const serial of [first, first + 1, Math.floor(last / 3), last]) {
      for (const service of services) {
        const number = trackingNumber(trackingNumbers, service, serial);
        assert.ok(
          identify(number).some(({ courierCode }) => courierCode === carrier),
          number,
        );
      }
    }
  }
});

test('USPS: 74 weights and 9 zones a service, with the prices of 5 October 2025', () => {
  const { services } = exampleCard('usps');
  for (const { breaks } of services) {
    assert.equal(breaks.length, 74);
    assert.ok(breaks.every(({ prices }) => Object.keys(prices).length === 9));
  }
  // From San Francisco to Springfield, New Jersey: zone 8 by the table of pairs.
  const asked = (weight: number, unit: 'oz' | 'lb', fields: object = {}) =>
    rated(exampleCard('usps'), {
      shipFrom: address({ postalCode: '94107', country: 'US' }),
      shipTo: address({ postalCode: '10001', country: 'US' }),
      parcels: [parcel(weight, unit)],
      ...fields,
    });
  assert.deepEqual(asked(4, 'oz'), [
    'ground_advantage 8.4 (0)',
    'priority 16.6 (0)',
    'priority_express 49.8 (0)',
  ]);
  assert.deepEqual(asked(70, 'lb').slice(0, 2), ['ground_advantage 177.8 (0)', 'priority 224.05 (0)']);
  assert.match(asked(70.1, 'lb')[0]!, /takes no more than 70 lb/);
  // Freely associated states are zone 9.
  const palau = { shipTo: address({ postalCode: '96940', country: 'PW' }) };
  assert.equal(asked(4, 'oz', palau)[1], 'priority 32.6 (0)');
});

/** The rule of examples/CREDITS.md: start + a pound + a step of zone + both. */
const madeUp: Record<string, [start: string, pound: string, step: string, both: string]> = table();

function table() {
  const text = readFileSync(new URL('examples/CREDITS.md', import.meta.url), 'utf8');
  const rows = [
    ...text.matchAll(/^\| `(\w+)` `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm),
  ];
  return Object.fromEntries(
    rows.map(([, carrier, service, ...parts]) => [`${carrier} ${service}`, parts]),
  ) as never;
}

const steps: Record<string, number> = {
  '2': 0,
  '3': 1,
  '4': 2,
  '5': 3,
  '6': 4,
  '7': 5,
  '8': 6,
  canada: 8,
  world: 12,
};

test('UPS and FedEx: every price follows the rule that is written down', () => {
  let prices = 0;
  for (const carrier of ['ups', 'fedex'] as const) {
    for (const service of exampleCard(carrier).services) {
      const [start, pound, step, both] = madeUp[`${carrier} ${service.code}`]!;
      for (const { weightUpTo, prices: byZone } of service.breaks) {
        const pounds = weightUpTo.split(' ')[0]!;
        for (const [zone, price] of Object.entries(byZone)) {
          const expected = new Big(start)
            .plus(new Big(pound).times(pounds))
            .plus(new Big(step).times(steps[zone]!))
            .plus(new Big(both).times(pounds).times(steps[zone]!));
          assert.equal(
            new Big(price).toFixed(2),
            expected.toFixed(2),
            `${carrier} ${service.code} ${weightUpTo}`,
          );
          prices += 1;
        }
      }
    }
  }
  assert.equal(prices, 2 * 18 * (8 + 9 + 9));
});

test('they go to any address at home, and abroad where a real carrier would too', () => {
  const of = (carrier: (typeof exampleCarriers)[number], to: object) =>
    rateParcels(exampleCard(carrier), rateRequest({ shipTo: address(to) })).rates.length;
  const nowhere = { postalCode: '00001', country: 'US' };
  assert.deepEqual(
    exampleCarriers.map((carrier) => of(carrier, nowhere)),
    [3, 3, 3],
  );
  assert.deepEqual(
    exampleCarriers.map((carrier) => of(carrier, {})),
    [3, 3, 3],
  );
  assert.deepEqual(
    exampleCarriers.map((carrier) => of(carrier, { country: 'CA' })),
    [0, 3, 3],
  );
  assert.deepEqual(
    exampleCarriers.map((carrier) => of(carrier, { country: 'JP' })),
    [0, 2, 2],
  );
});
