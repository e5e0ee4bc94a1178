// Zones by pair table, distance, country and postal code.
import assert from 'node:assert/strict';
import test from 'node:test';
import { checkedCard, service } from '../../../test/support/rate-cards.ts';
import { uspsZone2019, zip3Kilometres } from './zip3.ts';
import { placeOf, zoneOf } from './zones.ts';

const us = (postalCode: string, country: string | null = 'US') => ({ postalCode, country });

/** The zone that rules lead to; they may say any zone of one letter or digit. */
function zone(rules: object[], from: object, to: object, fields: object = {}): string | undefined {
  const names = [...'123456789abcdef'];
  const all = { by: 'country', countries: { '*': 'all' } };
  const known = { by: 'postal-code', rows: names.map((one) => ({ to: ['NOWHERE'], zone: one })) };
  const card = checkedCard({ zones: [...rules, known, all], services: [service()], ...fields });
  const found = zoneOf(card, placeOf(card, from), placeOf(card, to));
  return found === 'all' ? undefined : found;
}

const pairs = { by: 'zip3-pairs', table: 'usps-2019' };
const distance = {
  by: 'distance',
  unit: 'mi',
  distances: [50, 150, 300, 600, 1000, 1400, 1800].map((upTo, index) => ({ upTo, zone: `${index + 1}` })),
  beyond: '8',
};

test('pairs: zones of 2019, also back where only that way is known', () => {
  assert.equal(uspsZone2019('005', '012'), '2');
  assert.equal(uspsZone2019('999', '998'), '3');
  assert.equal(uspsZone2019('012', '005'), '2');
  assert.equal(uspsZone2019('000', '001'), undefined);
  assert.equal(zone([pairs], us('00501'), us('01201-1234')), '2');
  assert.equal(zone([pairs], us(' 00501 '), us('012011234')), '2');
  assert.equal(zone([pairs], us('00501'), us('012')), undefined);
  assert.equal(zone([pairs], us('00501'), us('01201', 'DE')), undefined);
});

test('distance: from Reno to Mountain View it is about 190 miles, which is zone 3', () => {
  const miles = zip3Kilometres('895', '940')! / 1.609344;
  assert.ok(miles > 150 && miles < 230, `${miles}`);
  assert.equal(zone([distance], us('89512'), us('94043')), '3');
  assert.equal(zone([distance], us('94043'), us('94043')), '1');
  assert.equal(zone([distance], us('10001'), us('94043')), '8');
  assert.equal(zone([{ ...distance, beyond: undefined }], us('10001'), us('94043')), undefined);
  assert.equal(zone([distance], us('10001'), us('00001')), undefined);
  const km = { by: 'distance', unit: 'km', distances: [{ upTo: 300, zone: 'a' }], beyond: 'b' };
  assert.equal(zone([km], us('89512'), us('94043')), miles * 1.609344 <= 300 ? 'a' : 'b');
});

test('the distance gives the zone of 2019 exactly for 84 of 100 pairs, and within one for 99.8', () => {
  let [pairsKnown, exact, near] = [0, 0, 0];
  // Which goes by way of a gateway.
  const military = /^(09|340|96[2-6])/;
  const areas = Array.from({ length: 1000 }, (_, area) => String(area).padStart(3, '0'));
  for (const from of areas) {
    for (const to of areas) {
      const there = uspsZone2019(from, to);
      const kilometres = there === undefined ? undefined : zip3Kilometres(from, to);
      if (there === undefined || kilometres === undefined || military.test(from) || military.test(to))
        continue;
      const miles = kilometres / 1.609344;
      const by = Number(distance.distances.find(({ upTo }) => miles <= upTo)?.zone ?? 8);
      pairsKnown += 1;
      if (by === Number(there)) exact += 1;
      if (Math.abs(by - Number(there)) <= 1) near += 1;
    }
  }
  assert.ok(pairsKnown > 300_000, `${pairsKnown}`);
  assert.ok(exact / pairsKnown > 0.84 && near / pairsKnown > 0.998, `${exact} ${near} ${pairsKnown}`);
});

test('rules are asked in order, and a rule that knows nothing leaves it to the next', () => {
  assert.equal(zone([pairs, distance], us('00501'), us('01201')), '2');
  assert.equal(zone([distance, pairs], us('89512'), us('94043')), '3');
  const unknownPair = [us('89512'), us('94043')] as const;
  assert.equal(uspsZone2019('895', '940'), undefined);
  assert.equal(zone([pairs, distance], ...unknownPair), '3');
});

test('country: of where it goes, from the card’s own country alone', () => {
  const rule = { by: 'country', countries: { CA: 'a', MX: 'b' } };
  assert.equal(zone([rule], us('89512'), us('K1A 0B1', 'ca')), 'a');
  assert.equal(zone([rule], us('89512'), us('', 'MX')), 'b');
  assert.equal(zone([rule], us('89512'), us('', 'FR')), undefined);
  assert.equal(zone([rule], us('K1A 0B1', 'CA'), us('', 'MX')), undefined);
  assert.equal(zone([rule], us('89512', null), us('', 'CA')), 'a');
  assert.equal(zone([rule], us('10115', null), us('', 'CA'), { country: 'de' }), 'a');
});

test('postal codes: the first row that fits; blanks, hyphens and case do not matter', () => {
  const rows = [
    { from: ['10'], to: ['101', '102'], zone: 'a' },
    { to: ['10'], zone: 'b' },
    { to: ['SW1A-1', 'sw1b'], zone: 'c' },
  ];
  const rule = { by: 'postal-code', rows };
  const german = { country: 'DE' };
  assert.equal(zone([rule], us('10999', 'DE'), us('10115', 'DE'), german), 'a');
  assert.equal(zone([rule], us('20095', 'DE'), us('10115', 'DE'), german), 'b');
  assert.equal(zone([rule], us('75001', 'FR'), us('10115', 'DE'), german), 'b');
  assert.equal(zone([rule], us('10999', 'DE'), us('10115', 'FR'), german), undefined);
  assert.equal(zone([rule], us('', 'GB'), us('sw1a 1aa', 'GB'), { country: 'GB' }), 'c');
  assert.equal(zone([rule], us('', 'GB'), us('SW1B 1AA', 'GB'), { country: 'GB' }), 'c');
});

test('the islands have ZIP codes, whether their country is the United States or their own', () => {
  assert.equal(zone([distance], us('10001'), us('00901', 'PR')), '7');
  assert.equal(zone([distance], us('10001'), us('00901', 'US')), '7');
});
