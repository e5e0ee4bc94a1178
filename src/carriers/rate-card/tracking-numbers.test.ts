// Every number that a card issues is one that the validator of tracking numbers takes for its courier's.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { checkedCard, service } from '../../../test/support/rate-cards.ts';
import { identify } from '../tracking-number.ts';
import { trackingForms } from './schema.ts';
import { forms, ownRules, serialRange, type TrackingNumbers, trackingNumber } from './tracking-numbers.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const letters = (length: number) => fc.stringMatching(new RegExp(`^[A-Z]{${length}}$`));

const numbers: Record<TrackingNumbers['form'], fc.Arbitrary<TrackingNumbers>> = {
  'usps-impb': fc.record({
    form: fc.constant('usps-impb'),
    mailerId: fc.oneof(
      digits(8).map((rest) => `9${rest}`),
      fc.stringMatching(/^[0-8][0-9]{5}$/),
    ),
    serviceType: digits(3),
  }),
  s10: fc.record({
    form: fc.constant('s10'),
    country: fc.constantFrom('US', 'GB', 'DE', 'fr', 'JP'),
    serviceType: letters(2),
  }),
  'ups-1z': fc.record({
    form: fc.constant('ups-1z'),
    shipperNumber: fc.stringMatching(/^[A-Z0-9]{6}$/),
    serviceType: fc.stringMatching(/^[A-Z0-9]{2}$/),
  }),
  'fedex-12': fc.record({ form: fc.constant('fedex-12'), prefix: fc.stringMatching(/^[0-9]{1,7}$/) }),
  'fedex-ground': fc.record({ form: fc.constant('fedex-ground'), prefix: fc.stringMatching(/^[0-9]{1,7}$/) }),
  prefix: fc.record({
    form: fc.constant('prefix'),
    prefix: fc.stringMatching(/^[A-Z]{4,10}$/),
    digits: fc.integer({ min: 4, max: 15 }),
  }),
};

for (const form of trackingForms) {
  test(`${form}: every serial number of the range makes a valid number, and another digit spoils it`, () => {
    const { courierCode = 'own' } = forms[form];
    fc.assert(
      fc.property(numbers[form], fc.double({ min: 0, max: 1, noNaN: true }), (made, part) => {
        const { first, last } = serialRange(made);
        const serial = Math.floor(first + part * (last - first));
        const number = trackingNumber(made, undefined, serial);
        const own = ownRules('Own vans', made);
        const isValid = (text: string) => identify(text, own).some((one) => one.courierCode === courierCode);
        const at = form === 's10' ? 10 : number.length - 1;
        const spoilt = `${number.slice(0, at)}${(Number(number[at]) + 1) % 10}${number.slice(at + 1)}`;
        return isValid(number) && (form.startsWith('fedex') || !isValid(spoilt));
      }),
      { numRuns: 300 },
    );
  });
}

test('serial numbers that differ make numbers that differ', () => {
  for (const form of trackingForms) {
    const [made] = fc.sample(numbers[form], { seed: 1, numRuns: 1 }) as [TrackingNumbers];
    const all = Array.from({ length: 2000 }, (_, serial) => trackingNumber(made, undefined, serial));
    assert.equal(new Set(all).size, all.length);
  }
});

test('numbers that were worked out by hand', () => {
  // Nines of weight 17: 153; 055: 20; 92: 29; in all 202, to which 8 are missing.
  const impb: TrackingNumbers = { form: 'usps-impb', mailerId: '999999999', serviceType: '055' };
  assert.equal(trackingNumber(impb, undefined, 0), '9205599999999900000008');
  assert.equal(
    trackingNumber({ form: 's10', country: 'GB', serviceType: 'RB' }, undefined, 12_345_678),
    'RB123456785GB',
  );
  const ups: TrackingNumbers = { form: 'ups-1z', shipperNumber: '5R8939', serviceType: '03' };
  assert.equal(trackingNumber(ups, undefined, 5_756_712), '1Z5R89390357567127');
  assert.equal(trackingNumber({ form: 'fedex-12' }, undefined, 98_657_878_885), '986578788855');
  assert.equal(trackingNumber({ form: 'fedex-ground' }, undefined, 4_144_176_022_896), '041441760228964');
});

test('a service may have a service type of its own', () => {
  const card = checkedCard({
    trackingNumbers: { form: 'ups-1z', shipperNumber: '000000' },
    services: [service({ trackingServiceType: '03' }), service({ code: 'air', trackingServiceType: '01' })],
  });
  const kinds = card.services.map(
    (one) => identify(trackingNumber(card.trackingNumbers, one, 7))[0]?.service,
  );
  assert.deepEqual(kinds, ['UPS United States Ground', 'UPS United States Next Day Air (Red)']);
});
