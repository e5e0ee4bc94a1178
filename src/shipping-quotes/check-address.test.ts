// Addresses as they can be checked without asking anybody; real ones are from public data (OpenAddresses).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address } from '../address.ts';
import type { AddressInput } from '../http/schemas.ts';
import { checkAddress } from './check-address.ts';
import { countryRules } from './country-rules.ts';

/** `city, state postalCode country`, or an object; -> the parts that are at fault. */
function faults(input: AddressInput): string[] {
  return checkAddress(address({ street1: '1 Main St', ...input })).map(({ part, code }) => `${part} ${code}`);
}
const us = (city: string, state: string, postalCode: string) => ({ city, state, postalCode, country: 'US' });

const sound: AddressInput[] = [
  us('Washington', 'DC', '20020'),
  us('Grass Valley', 'CA', '95945'),
  us('Anchorage', 'AK', '99507-1234'),
  us('Andover', 'MA', '05501'),
  us('Fishers Island', 'NY', '06390'),
  us('Alta', 'WY', '83414'),
  us('El Paso', 'TX', '88595'),
  us('Austin', 'TX', '73301'),
  us('Henderson', 'ks', '66002'),
  us('APO', 'AE', '09012'),
  us('fpo', 'AP', '96349'),
  us('DPO', 'AA', '34002'),
  us('San Juan', 'PR', '00901'),
  us('Hagåtña', 'GU', '96910'),
  us('Pago Pago', 'AS', '96799'),
  us('Saipan', 'MP', '96950'),
  us('Charlotte Amalie', 'VI', '00802'),
  { city: 'San Juan', postalCode: '00901', country: 'PR' },
  { city: 'Berlin', postalCode: '10115', country: 'DE' },
  { city: 'London', postalCode: 'sw1a 1aa', country: 'gb' },
  { city: 'Toronto', state: 'ON', postalCode: 'M5V 3L9', country: 'CA' },
  { city: 'Amsterdam', postalCode: '1012 AB', country: 'NL' },
  { city: 'Dublin', country: 'IE' },
  { city: 'Hong Kong', state: 'Kowloon', country: 'HK' },
  { state: 'Tokyo', postalCode: '154-0023', country: 'JP' },
];

for (const input of sound) {
  test(`nothing to say of ${Object.values(input).join(' ')}`, () => assert.deepEqual(faults(input), []));
}

const unsound: [input: AddressInput, expected: string[]][] = [
  [{}, ['country required']],
  [{ street1: ' ', country: '' }, ['country required', 'street1 required']],
  [{ city: 'Nowhere', country: 'XX' }, ['country not_allowed']],
  [{ city: 'London', country: 'UK' }, ['country not_allowed']],
  [
    { street1: null, country: 'US' },
    ['street1 required', 'city required', 'state required', 'postalCode required'],
  ],
  [us('Springfield', 'CA', '62701'), ['postalCode not_allowed']],
  [us('Washington', 'MD', '20020'), ['postalCode not_allowed']],
  [us('Springfield', 'Illinois', '62701'), ['state not_allowed']],
  [us('Springfield', 'ZZ', '62701'), ['state not_allowed']],
  [us('Springfield', 'IL', '6270'), ['postalCode invalid_format']],
  [us('Springfield', 'IL', '62701-12'), ['postalCode invalid_format']],
  [us('Springfield', 'IL', '62701x'), ['postalCode invalid_format']],
  [us('Frankfurt', 'AE', '09012'), ['city not_allowed']],
  [us('APO', 'NY', '10001'), ['city not_allowed']],
  [us('Nowhere', 'TX', '00001'), ['postalCode not_allowed']],
  [{ city: 'Berlin', postalCode: '1011', country: 'DE' }, ['postalCode invalid_format']],
  [{ city: 'London', postalCode: 'SW1A', country: 'GB' }, ['postalCode invalid_format']],
  [
    { city: 'Toronto', postalCode: 'D5V 3L9', country: 'CA' },
    ['state required', 'postalCode invalid_format'],
  ],
];

for (const [input, expected] of unsound) {
  test(`${JSON.stringify(Object.values(input))}: ${expected.join(', ')}`, () =>
    assert.deepEqual(faults(input), expected));
}

test('every country of ISO 3166-1 has a rule, once', () => {
  assert.equal(countryRules.size, 249);
  for (const code of countryRules.keys()) assert.match(code, /^[A-Z]{2}$/);
});
