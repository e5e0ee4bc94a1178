// Rate cards from text: what is made of JSON and CSV, and that everything wrong is named at once.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { rateCard } from '../../../test/support/carriers.ts';
import { parcel, rated } from '../../../test/support/rate-cards.ts';
import * as limits from '../../limits.ts';
import { type RateCardIssue, readRateCard } from './read-rate-card.ts';
import type { RateCard } from './schema.ts';

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;

const settings = [
  'name,Vans of 2026',
  'effectiveFrom,2026-01-01',
  'currency,usd',
  'carrierName,Own vans',
  'trackingNumbers.form,prefix',
  'trackingNumbers.prefix,VANS',
  'trackingNumbers.digits,8',
  'zones.1.by,postal-code',
  'zones.1.rows.1.to,940|941',
  'zones.1.rows.1.zone,near',
  'zones.2.by,country',
  'zones.2.countries.US,far',
  'services.van.name,Van',
];

function card(text: string, format: 'json' | 'csv' = 'csv'): RateCard {
  const read = readRateCard(text, format);
  assert.ok('card' in read, JSON.stringify(read, undefined, 1));
  return read.card;
}

function issues(text: string, format: 'json' | 'csv' = 'csv'): RateCardIssue[] {
  const read = readRateCard(text, format);
  assert.ok('issues' in read, 'it is taken');
  return read.issues;
}

const said = (found: RateCardIssue[]) =>
  found.map(({ line, path, message }) => `${line}: ${path}: ${message}`);

test('CSV: settings, then a row for each service, weight and zone', () => {
  const read = card(
    lines(
      ...settings,
      'surcharges.2.name,Fuel',
      'surcharges.2.percent,5',
      'surcharges.1.name,Residential',
      'surcharges.1.residential,TRUE',
      'surcharges.1.amount,2',
      ',',
      'service,zone,weightUpTo,weightUnit,price',
      'van,far,5,lb,9.10',
      'van,near,5,lb,$6.50',
      'van,near,8,oz,3',
      'van,near,+1,lb,0.35',
    ),
  );
  assert.deepEqual(
    read.services[0]!.breaks.map(({ weightUpTo, prices }) => [weightUpTo, prices]),
    [
      ['8 oz', { near: 3 }],
      ['5 lb', { far: 9.1, near: 6.5 }],
    ],
  );
  assert.deepEqual(read.services[0]!.additionalWeight, { per: '1 lb', prices: { near: 0.35 } });
  assert.deepEqual(
    read.surcharges.map(({ name }) => name),
    ['Residential', 'Fuel'],
  );
  // 6.50 + 2 x 0.35 = 7.20; fuel 0.36
  assert.deepEqual(rated(read, { parcels: [parcel(6.2)] }), ['van 7.56 (0.36)']);
});

test('CSV: a column for each zone, as carriers print their prices; an empty cell is no service', () => {
  const read = card(
    lines(
      ...settings,
      'services.bike.name,Bike',
      '',
      'Service,Weight up to,Zone near,Zone: far',
      'van,8 oz,3,4',
      'van,5 lb,6.50,9.10',
      'bike,5lb,2,',
    ),
  );
  assert.deepEqual(
    read.services.map(({ code, breaks }) => [code, breaks]),
    [
      [
        'van',
        [
          { weightUpTo: '8 oz', prices: { near: 3, far: 4 } },
          { weightUpTo: '5 lb', prices: { near: 6.5, far: 9.1 } },
        ],
      ],
      ['bike', [{ weightUpTo: '5 lb', prices: { near: 2 } }]],
    ],
  );
});

test('CSV: semicolons, tabs, a byte order mark, quotes and line ends of any system', () => {
  const table = ['"service";zone;weightUpTo;price', 'van;near;"5 lb";6.50'];
  const text = `\uFEFF${[...settings.map((row) => row.replace(',', ';')), ...table].join('\r\n')}`;
  assert.equal(card(text).services[0]!.breaks[0]!.prices['near'], 6.5);
  assert.equal(card(text.replaceAll(';', '\t')).services[0]!.breaks[0]!.prices['near'], 6.5);
});

test('CSV: a cell may hold a whole part as JSON', () => {
  const read = card(
    lines(
      ...settings.filter((row) => !row.startsWith('zones')),
      'zones,"[{""by"":""country"",""countries"":{""*"":""all""}}]"',
      'service,zone,weightUpTo,price',
      'van,all,5 lb,6.50',
    ),
  );
  assert.deepEqual(read.zones, [{ by: 'country', countries: { '*': 'all' } }]);
});

test('CSV: every bad row is named by its line, all at once', () => {
  const found = issues(
    lines(
      ...settings,
      'currencey,usd',
      'example,perhaps',
      'name,Again',
      'zones.first.by,country',
      'services.van.breaks,[]',
      'a,b,c',
      ',5',
      'surcharges.1.name,Fuel',
      'service,zone,weightUpTo,weightUnit,price',
      'van,near,5,lb,6;50',
      'van,nowhere,5,lb,7',
      'van,near,five,lb,7',
      'van,near,5 oz,lb,7',
      ',near,5,lb,7',
      'van,near,6',
      'van,near,5,lb,8',
      'van,near,0,lb,8',
      'van,,7,lb,8',
      'bus,near,5,lb,',
      'van,near,80,oz,8',
      'van,near,7,lb,8,,9',
    ),
  );
  assert.deepEqual(said(found), [
    '14: currencey: is not a known field',
    '15: example: must be boolean',
    '16: name: is set on line 1 already',
    '17: zones.first.by: must be zones.1, zones.2 and so on',
    '18: services.van.breaks: is what the table of prices says',
    '19: a: has one value, in the second cell',
    '20: : a row above the table begins with the name of a setting',
    '21: surcharges.1.amount: either this or percent is required, and not both',
    '23: price: must be a price such as 7.95',
    '24: price: is a zone that no rule of `zones` leads to: nowhere',
    '25: weightUpTo: must be a weight such as 5 lb, or +1 lb for each that is added',
    '26: weightUpTo: must be a weight such as 5 lb, or +1 lb for each that is added',
    '27: service: is required',
    '28: : has 3 cells, and there are 5 columns',
    '29: price: is on line 23 already, for the same service, zone and weight',
    '30: weightUpTo: must be a weight such as 5 lb, or +1 lb for each that is added',
    '31: zone: is required',
    '32: price: must be a price such as 7.95',
    '32: services.bus.name: is required',
    '33: weightUpTo: is a weight that the service has prices for already',
    '34: : has 7 cells, and there are 5 columns',
  ]);
});

test('CSV: columns that cannot be read by, and files that are none', () => {
  const of = (...rows: string[]) => said(issues(lines(...settings, ...rows)));
  assert.deepEqual(of('service,zone,weight,price').slice(0, 3), [
    '13: services.van.breaks: is required',
    '14: weight: is not a known column (there are service, weightUpTo, weightUnit, and either zone and price or zone 1, zone 2, …)',
    '14: weightUpTo: is a column that is required',
  ]);
  assert.match(of('service,zone,weightUpTo').join('\n'), /14: price: needs the columns zone and price/);
  assert.match(of('service,zone,zone 1,weightUpTo,price').join('\n'), /14: zone: either has a column/);
  assert.match(of('service,weightUpTo,zone 1,Zone-1').join('\n'), /14: Zone-1: is there twice/);
  assert.match(of().join('\n'), /14: : there is no table of prices/);
  assert.match(of('service,"zone').join('\n'), /is no proper CSV/);
  assert.match(said(issues('')).join('\n'), /1: : there is no table of prices/);
  const [long] = issues('x'.repeat(limits.rateCardBytes + 1));
  assert.equal(long!.code, 'too_long');
});

test('CSV: a service adds one weight, and a price may not be empty', () => {
  const found = issues(
    lines(
      ...settings,
      'service,weightUpTo,zone near,zone far',
      'van,5 lb,1,2',
      'van,+1 lb,1,2',
      'van,+2 lb,1,2',
      'van,6 lb,,',
    ),
  );
  assert.deepEqual(said(found), [
    '17: weightUpTo: another row of this service adds another weight',
    '18: : has no price',
  ]);
});

test('JSON: the same document as the API takes; what is wrong has a pointer', () => {
  const read = card(JSON.stringify(rateCard()), 'json');
  assert.equal(read.country, 'US');
  assert.deepEqual(read.rounding, { to: '0.01', mode: 'half-even' });
  const [syntax] = issues('{"name": "x",\n}', 'json');
  assert.deepEqual([syntax!.code, syntax!.path], ['invalid_json', '']);
  for (const text of ['null', '[]', '3', '"x"', '{}']) assert.ok(issues(text, 'json').length > 0, text);
});

test('JSON: parts that contradict each other are named beside those that the schema refuses', () => {
  const [service] = rateCard().services;
  const found = issues(
    JSON.stringify(
      rateCard({
        currency: 'USD',
        trackingNumbers: { form: 'usps-impb', mailerId: '123456', prefix: 'X', serviceType: 'AB' },
        zones: [
          {
            by: 'distance',
            distances: [
              { upTo: 5, zone: 'all' },
              { upTo: 5, zone: 'b' },
            ],
          },
          { by: 'zip3-pairs', table: 'usps-2019', beyond: 'c' },
        ],
        surcharges: [
          { name: 'None' },
          { name: 'Both', amount: 1, percent: 1 },
          { name: 'Of', amount: 1, of: 'price' },
          { name: 'Per', percent: 1, per: 'shipment' },
          { name: 'Days', amount: 1, from: '2026-02-01', until: '2026-01-01' },
          { name: 'Names', amount: 1, zones: ['x', '9'], services: ['y', 'same-day'] },
        ],
        services: [
          { ...service, breaks: [...service.breaks, { weightUpTo: '800 oz', prices: { all: 1 } }] },
          { ...service, transitDays: { z: 1 } },
        ],
      }),
    ),
    'json',
  );
  assert.deepEqual(
    found.map(({ path, code }) => `${path} ${code}`),
    [
      '/currency invalid_format',
      '/zones/0/unit required',
      '/zones/0/distances/1/upTo out_of_order',
      '/zones/1/beyond not_allowed',
      '/services/1/code duplicate',
      '/services/0/breaks/1/weightUpTo duplicate',
      '/services/1/transitDays/z unknown_zone',
      '/surcharges/0/amount required',
      '/surcharges/1/amount required',
      '/surcharges/2/of not_allowed',
      '/surcharges/3/per not_allowed',
      '/surcharges/4/until out_of_range',
      '/surcharges/5/services/0 unknown_service',
      '/surcharges/5/zones/0 unknown_zone',
      '/trackingNumbers/prefix not_allowed',
      '/trackingNumbers/serviceType invalid_format',
    ],
  );
});

test('tracking numbers: ranges that do not exist and numbers of others are refused', () => {
  const of = (trackingNumbers: object) =>
    issues(JSON.stringify(rateCard({ trackingNumbers })), 'json').map(({ path, code }) => `${path} ${code}`);
  const range = (firstSerial: number, lastSerial: number) =>
    of({ form: 'ups-1z', shipperNumber: '000000', serviceType: '03', firstSerial, lastSerial });
  assert.deepEqual(range(5, 4), ['/trackingNumbers/lastSerial out_of_range']);
  assert.deepEqual(range(0, 10_000_000), ['/trackingNumbers/lastSerial out_of_range']);
  assert.deepEqual(range(10_000_000, 5), ['/trackingNumbers/firstSerial out_of_range']);
  assert.deepEqual(of({ form: 's10', country: 'XX', serviceType: 'LX' }), ['/trackingNumbers invalid']);
  assert.deepEqual(of({ form: 'fedex-12', prefix: '12345678' }), ['/trackingNumbers/prefix invalid_format']);
  assert.deepEqual(of({ form: 'prefix', prefix: 'TBA', digits: 11 }), [
    '/trackingNumbers/prefix not_allowed',
  ]);
  assert.deepEqual(of({ form: 'prefix', prefix: 'ACME' }), ['/trackingNumbers/digits required']);
});

test('names that stand on labels are in letters that labels have', () => {
  const named = (name: string) => {
    const [service] = rateCard().services;
    return readRateCard(
      JSON.stringify(rateCard({ carrierName: name, services: [{ ...service, name }] })),
      'json',
    );
  };
  for (const name of ['Österreichs Bote & Söhne', 'Łódź–Gdańsk', '24/7 (día)']) {
    assert.ok('card' in named(name), name);
  }
  for (const name of ['速達', '🚚 vans', 'two\nlines', ' ', '']) {
    const read = named(name);
    const paths = 'issues' in read ? read.issues.map(({ path }) => path) : [];
    assert.deepEqual(paths, ['/carrierName', '/services/0/name'], name);
  }
});

test('any text is read without a throw', () => {
  const cell = fc.oneof(
    fc.constantFrom('service', 'zone', 'price', 'weightUpTo', 'zones.1.by', 'name', '__proto__', '5 lb', '7'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const rows = fc
    .array(fc.array(cell, { maxLength: 6 }).map((cells) => cells.join(',')))
    .map((all) => lines(...settings, 'service,zone,weightUpTo,price', ...all));
  fc.assert(fc.property(rows, (text) => 'issues' in readRateCard(text, 'csv')));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('csv', 'json'), (text, format) => {
      return 'issues' in readRateCard(text, format);
    }),
  );
});

test('a card with any part replaced by any JSON is taken or refused without a throw', () => {
  const whole = JSON.parse(JSON.stringify(rateCard({ surcharges: [{ name: 'Fuel', percent: 5 }] })));
  const paths = pathsOf(whole);
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
      const changed = structuredClone(whole);
      const holder = path.slice(0, -1).reduce((at, key) => at[key], changed);
      holder[path.at(-1)!] = value;
      const read = readRateCard(JSON.stringify(changed), 'json');
      return 'card' in read || read.issues.length > 0;
    }),
    { numRuns: 1000 },
  );
});

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inner = Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}
