// Conversions of weights and lengths are exact, and rounding up never adds a step that is not needed.
import assert from 'node:assert/strict';
import test from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { centimetres, convertLength, convertWeight, grams, wholeSteps } from './units.ts';

test('weights and lengths by the definitions of pound and inch', () => {
  assert.equal(grams(1, 'lb').toFixed(), '453.59237');
  assert.equal(grams(16, 'oz').toFixed(), '453.59237');
  assert.equal(convertWeight('2.5', 'lb', 'oz').toFixed(), '40');
  assert.equal(convertWeight(1, 'oz', 'lb').toFixed(), '0.0625');
  assert.equal(convertWeight(0.1, 'kg', 'g').toFixed(), '100');
  assert.equal(convertWeight(453.59237, 'g', 'lb').toFixed(), '1');
  assert.equal(convertWeight(1, 'kg', 'lb').toFixed(8), '2.20462262');
  assert.equal(centimetres(10, 'in').toFixed(), '25.4');
  assert.equal(convertLength('25.4', 'cm', 'in').toFixed(), '10');
});

const units = fc.constantFrom('oz', 'lb', 'g', 'kg');
const amounts = fc.integer({ min: 0, max: 1_000_000_000 }).map((value) => value / 1000);

test('there and back again is the same weight', () => {
  fc.assert(
    fc.property(amounts, units, units, (amount, from, to) => {
      const back = convertWeight(convertWeight(amount, from, to), to, from);
      return back.minus(amount).abs().lt('1e-12');
    }),
  );
});

test('whole steps hold the amount, and one fewer would not', () => {
  fc.assert(
    fc.property(amounts, units, units, (amount, unit, stepUnit) => {
      const [weight, step] = [grams(amount, unit), grams(1, stepUnit)];
      const count = wholeSteps(weight, step);
      return (
        count.eq(count.round()) &&
        count.times(step).gte(weight) &&
        (count.eq(0) || count.minus(1).times(step).lt(weight))
      );
    }),
  );
  assert.equal(wholeSteps(grams(32, 'oz'), grams(1, 'lb')).toFixed(), '2');
  assert.equal(wholeSteps(grams('32.0000001', 'oz'), grams(1, 'lb')).toFixed(), '3');
  assert.equal(wholeSteps(new Big(0), grams(1, 'lb')).toFixed(), '0');
});
