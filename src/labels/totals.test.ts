// Sums of customs declarations are exact.
import assert from 'node:assert/strict';
import test from 'node:test';
import Big from 'big.js';
import { amountText, totalValues, totalWeight } from './totals.ts';

test('weights of all units add up exactly', () => {
  const weights = [
    { weight: 0.1, weightUnit: 'kg' },
    { weight: 200, weightUnit: 'g' },
    { weight: 16, weightUnit: 'oz' },
    { weight: 1, weightUnit: 'lb' },
  ] as const;
  assert.equal(totalWeight(weights, 'g'), 1207.185);
  assert.equal(totalWeight(weights.slice(2), 'lb'), 2);
  assert.equal(totalWeight([...weights, { weight: null, weightUnit: 'g' }], 'g'), null);
});

test('values add up for each currency, without the errors of binary fractions', () => {
  const values = [
    { value: 0.1, currency: 'usd' },
    { value: 12, currency: 'jpy' },
    { value: 0.2, currency: 'usd' },
  ];
  assert.deepEqual(totalValues(values), ['0.30 USD', '12 JPY']);
  assert.equal(amountText(new Big('1.2345'), 'eur'), '1.2345 EUR');
});
