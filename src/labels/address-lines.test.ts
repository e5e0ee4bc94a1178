// Lines of an address as its country writes them, with nothing lost.
import assert from 'node:assert/strict';
import test from 'node:test';
import { labelAddress, poland } from '../../test/support/label-content.ts';
import { addressLines, countryName, leavesCountry } from './address-lines.ts';

test('each country has its order, and its name where the parcel goes abroad', () => {
  assert.deepEqual(addressLines(labelAddress({ company: 'Engines Inc' }), false), [
    'Ada Byron',
    'Engines Inc',
    '1745 T Street Southeast',
    'Apt 4B',
    'Washington, DC 20020-1234',
  ]);
  assert.deepEqual(addressLines(poland, true).slice(2), [
    'ul. Świętego Mikołaja 27',
    '90-001 Łódź',
    'POLAND',
  ]);
});

test('a part that the country has no place for is printed all the same', () => {
  const lines = addressLines(
    labelAddress({ country: 'DE', city: 'Köln', state: 'NRW', postalCode: '50667' }),
    false,
  );
  assert.deepEqual(lines.slice(-2), ['50667 Köln', 'NRW']);
  const hongKong = labelAddress({ country: 'HK', city: 'Kowloon', state: null, postalCode: '999077' });
  assert.ok(addressLines(hongKong, true).some((line) => line.includes('999077')));
});

test('an address of nothing has no lines, a country that nobody knows stays as it is', () => {
  const nothing = labelAddress({
    name: null,
    street1: '',
    street2: ' ',
    city: null,
    state: null,
    postalCode: null,
  });
  assert.deepEqual(addressLines({ ...nothing, country: null }, true), []);
  assert.equal(countryName('us'), 'UNITED STATES');
  assert.equal(countryName('ZQ'), 'ZQ');
  assert.equal(countryName('USA'), 'USA');
});

test('the postal code stays, however long the town', () => {
  const lines = addressLines(labelAddress({ city: 'L'.repeat(255) }), false);
  assert.match(lines.at(-1)!, /^L{59}…, DC 20020-1234$/);
});

test('a parcel leaves its country where two are given and differ', () => {
  const of = (country: string | null) => labelAddress({ country });
  assert.equal(leavesCountry(of('US'), of('PL')), true);
  assert.equal(leavesCountry(of('us'), of('US')), false);
  assert.equal(leavesCountry(of(null), of('US')), false);
});
