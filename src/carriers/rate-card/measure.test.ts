// What parcels count as: the greater of weight and size, at exactly the thresholds too.
import assert from 'node:assert/strict';
import test from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { parcel } from '../../../test/support/rate-cards.ts';
import { convertWeight } from '../units.ts';
import { type MeasuringRules, measure } from './measure.ts';

const dimensional = (fields: object = {}): MeasuringRules => ({
  dimensional: {
    divisor: 139,
    dimensionsUnit: 'in',
    weightUnit: 'lb',
    volumeOver: 0,
    sides: 'up',
    ...fields,
  },
});

/** Pounds. */
function billable(rules: MeasuringRules, ...given: Parameters<typeof parcel>): string {
  return convertWeight(measure(rules, parcel(...given)).billable, 'g', 'lb').toFixed();
}

test('the greater of the weight and of volume by divisor counts, which is rounded up', () => {
  // 12 x 12 x 12 = 1728; by 139 it is 12.43.
  assert.equal(billable(dimensional(), 5, 'lb', [12, 12, 12]), '13');
  assert.equal(billable(dimensional(), 13.5, 'lb', [12, 12, 12]), '13.5');
  assert.equal(billable(dimensional({ divisor: 166 }), 5, 'lb', [12, 12, 12]), '11');
  // 139 x 12 / 139 is 12 and not more.
  assert.equal(billable(dimensional(), 5, 'lb', [139, 12, 1]), '12');
  assert.equal(billable(dimensional({ divisor: 144, roundUpTo: '8 oz' }), 1, 'lb', [10, 10, 1]), '1');
  assert.equal(billable(dimensional({ divisor: 144, roundUpTo: '8 oz' }), 0.1, 'lb', [10, 10, 1.5]), '1.5');
});

test('a threshold of volume lets smaller parcels go by their weight', () => {
  const usps = dimensional({ divisor: 166, volumeOver: 1728 });
  assert.equal(billable(usps, 5, 'lb', [12, 12, 12]), '5');
  assert.equal(billable(usps, 5, 'lb', [12, 12, 12.01]), '12');
  assert.equal(billable(usps, 5, 'lb', [24, 12, 6]), '5');
  assert.equal(billable(usps, 5, 'lb', [24.5, 12, 6]), '11');
});

test('sides are rounded as the card says', () => {
  assert.equal(billable(dimensional(), 1, 'lb', [11.1, 11.1, 11.1]), '13');
  assert.equal(billable(dimensional({ sides: 'nearest' }), 1, 'lb', [11.1, 11.1, 11.1]), '10');
  assert.equal(billable(dimensional({ sides: 'nearest' }), 1, 'lb', [11.5, 11.5, 11.5]), '13');
  assert.equal(billable(dimensional({ sides: 'exact' }), 1, 'lb', [11.5, 11.5, 11.5]), '11');
});

test('centimetres that are whole inches are not rounded up', () => {
  assert.equal(billable(dimensional(), 1, 'lb', [30.48, 30.48, 30.48], 'cm'), '13');
  assert.equal(billable(dimensional(), 1, 'lb', [30.49, 30.48, 30.48], 'cm'), '14');
  const metric = dimensional({ divisor: 5000, dimensionsUnit: 'cm', weightUnit: 'kg', roundUpTo: '0.5 kg' });
  const { billable: grams } = measure(metric, parcel(1, 'kg', [40, 30, 21], 'cm'));
  assert.equal(grams.toFixed(), '5500');
});

test('the weight itself is rounded up where the card says so', () => {
  assert.equal(billable({ weightRounding: '1 lb' }, 16.01, 'oz'), '2');
  assert.equal(billable({ weightRounding: '1 lb' }, 16, 'oz'), '1');
  assert.equal(billable({ weightRounding: '0.5 lb' }, 1.2), '1.5');
});

test('without all three sides only the weight is known', () => {
  const partial = { ...parcel(2), dimensions: { length: 100, width: 100, height: null } };
  assert.equal(measure(dimensional(), partial).sides, undefined);
  assert.equal(billable(dimensional(), 2, 'lb', [100, 100, 0]), '2');
  assert.equal(billable(dimensional(), 2), '2');
});

test('the noise of floats costs nothing', () => {
  const noisy = 1.1 * 3;
  assert.ok(noisy > 3.3);
  assert.equal(billable({ weightRounding: '0.1 lb' }, noisy), '3.3');
  assert.equal(billable(dimensional({ divisor: 1 }), 1, 'lb', [noisy * 10, 1, 1]), '33');
});

test('nothing is ever billed below its weight, nor a whole step above both weight and size', () => {
  const side = fc.integer({ min: 1, max: 20_000 }).map((value) => value / 100);
  const weight = fc.integer({ min: 1, max: 100_000 }).map((value) => value / 100);
  fc.assert(
    fc.property(weight, fc.tuple(side, side, side), (pounds, sides) => {
      const { billable: grams, weight: own } = measure(dimensional(), parcel(pounds, 'lb', sides));
      const product = sides.reduce((volume, one) => volume.times(Math.ceil(one)), new Big(1));
      const bound = Math.max(pounds, product.div(139).toNumber() + 1);
      return grams.gte(own) && convertWeight(grams, 'g', 'lb').lt(bound + 1e-9);
    }),
  );
});
