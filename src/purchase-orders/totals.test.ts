// What a purchase order comes to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { money } from '../money.ts';
import { lineSubtotal, rate, totalsOf } from './totals.ts';

const line = (requestedQuantity: number, unitPrice: number, taxRate = 0) => ({
  requestedQuantity,
  unitPrice: money(unitPrice),
  taxRate: rate(taxRate),
});

test('a line is quantity times price, without the noise of binary floats', () => {
  assert.equal(lineSubtotal(line(3, 0.1)), '0.3');
  assert.equal(lineSubtotal(line(3, 0.1 + 0.2)), '0.9');
});

test('the lines add up, each is taxed at its own rate, and the grand total is both', () => {
  const totals = totalsOf([line(10, 2.5, 0.2), line(1, 100, 0.07), line(4, 0.25)]);
  assert.deepEqual(totals, { subtotal: '126', totalTax: '12', grandTotal: '138' });
});

test('tax is rounded once, half to even, not line by line', () => {
  // Each line alone would be 0.00005, rounded to 0.0000.
  assert.equal(totalsOf([line(1, 0.001, 0.05), line(1, 0.001, 0.05)]).totalTax, '0.0001');
  assert.equal(totalsOf([line(1, 0.0005, 0.1)]).totalTax, '0');
  assert.equal(totalsOf([line(3, 0.0005, 0.1)]).totalTax, '0.0002');
});

test('a rate keeps six decimals', () => {
  assert.equal(rate(0.1234565), '0.123456');
  assert.equal(rate(1 / 3), '0.333333');
});

test('whatever the lines are: subtotal and tax are the grand total, and one rate for all is the rate of the sum', () => {
  const lines = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 10 ** 9 })),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 0, max: 10 ** 6 }), (all, millionths) => {
      const priced = all.map(([quantity, tenthousandths]) => ({
        ...line(quantity, 0, millionths / 10 ** 6),
        unitPrice: new Big(tenthousandths).div(10 ** 4).toFixed(),
      }));
      const { subtotal, totalTax, grandTotal } = totalsOf(priced);
      const sum = priced.reduce((total, one) => total.plus(lineSubtotal(one)), new Big(0));
      assert.equal(subtotal, sum.toFixed());
      assert.equal(
        totalTax,
        sum
          .times(millionths)
          .div(10 ** 6)
          .round(4, Big.roundHalfEven)
          .toFixed(),
      );
      assert.equal(grandTotal, sum.plus(totalTax).toFixed());
    }),
  );
});
