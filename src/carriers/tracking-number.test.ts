// The validator of tracking numbers judges the 280 published ones, and takes nothing that it should not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import * as limits from '../limits.ts';
import { checkDigitFor } from './check-digit.ts';
import { identify, type TrackingRules, withoutBlanks } from './tracking-number.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`tracking-numbers/${name}`, import.meta.url), 'utf8'));
const published: [courierCode: string, format: string, number: string, valid: boolean][] =
  read('published.json');
const rules: TrackingRules[] = read('rules.json');

test('all 280 published numbers are judged right: 192 valid, 88 invalid, of 18 couriers', () => {
  const wrong = published.filter(([courierCode, format, number, valid]) => {
    const is = identify(number).some((one) => one.courierCode === courierCode && one.format === format);
    return is !== valid;
  });
  assert.deepEqual(wrong, []);
  assert.equal(published.length, 280);
  assert.equal(new Set(published.map(([courierCode]) => courierCode)).size, 18);
});

test('a number names its courier, its service and where it is tracked', () => {
  assert.deepEqual(identify(' 1z5r89390357567127 '), [
    {
      courierCode: 'ups',
      courierName: 'UPS',
      format: 'UPS',
      service: 'UPS United States Ground',
      trackingUrl: 'https://wwwapps.ups.com/WebTracking/track?track=yes&trackNums=1Z5R89390357567127',
    },
  ]);
  const [registered] = identify('RB123456785GB');
  assert.deepEqual(
    [registered?.courierName, registered?.service],
    ['Royal Mail Group plc', 'Letter Post Registered'],
  );
});

test('a wrong digit anywhere in a number with a check digit of USPS is noticed', () => {
  const number = '9400111206206406260787';
  for (const [index, digit] of [...number].entries()) {
    if (index < 2) continue;
    const other = String((Number(digit) + 1) % 10);
    const wrong = number.slice(0, index) + other + number.slice(index + 1);
    assert.ok(!identify(wrong).some(({ courierCode }) => courierCode === 'usps'), wrong);
  }
});

test('any text is judged without a throw; what is too long or holds other characters is nobody’s', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => Array.isArray(identify(text))),
  );
  assert.deepEqual(identify(''), []);
  assert.deepEqual(identify(`9400111206206406260787${' '.repeat(limits.trackingNumberLengthMax)}`), []);
  assert.deepEqual(identify('９４００１１１２０６２０６４０６２６０７８７'), []);
  assert.deepEqual(identify('9400-1112-0620-6406-2607-87'), []);
});

test('no expression repeats without a bound what may be long, so none can be kept busy', () => {
  const unbounded = rules.flatMap(({ formats }) =>
    formats.map(({ regex }) => withoutBlanks(regex)).filter((regex) => /[*+]|,\}/.test(regex)),
  );
  // One class, once, in a look-ahead.
  assert.deepEqual(
    unbounded.map((regex) => regex.match(/.{0,12}[*+]|,\}/g)),
    [['(?=[^0-9A-Z]*']],
  );
});

test('the one right check digit of every rule is the one that is made', () => {
  const checksums = rules.flatMap(({ formats }) => formats.flatMap(({ checksum }) => checksum ?? []));
  assert.equal(new Set(checksums.map(({ name }) => name)).size, 6);
  for (const checksum of checksums) {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{8,21}$/), (serial) => {
        return /^[0-9A-Z]$/.test(checkDigitFor(checksum, serial));
      }),
    );
  }
});

test('rules of one’s own are judged beside the published ones', () => {
  const own: TrackingRules = {
    courierCode: 'vans',
    courierName: 'Our vans',
    formats: [
      {
        name: 'VAN',
        regex: '(?<SerialNumber>VAN[0-9]{5})(?<CheckDigit>[0-9])',
        checksum: { name: 'mod10', evens_multiplier: 3, odds_multiplier: 1, reverse: true },
      },
    ],
  };
  const digit = checkDigitFor(own.formats[0]!.checksum!, 'VAN00042');
  assert.deepEqual(
    identify(`VAN 00042 ${digit}`, [own]).map(({ courierCode }) => courierCode),
    ['vans'],
  );
  assert.deepEqual(identify(`VAN00042${(Number(digit) + 1) % 10}`, [own]), []);
});
