// Values that services have fallen over: huge, empty, of another type, of another language, of somebody's prototype.
import fc from 'fast-check';

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e\u2066right to left',
  '\u0130\u0131\u017f\ufb01',
  'e\u0301'.repeat(30),
  '𝒳'.repeat(128),
  '👩‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(256),
  'x'.repeat(5_001),
  'x'.repeat(70_000),
  '%',
  '%%%',
  '_',
  '\\',
  '\\\\%_',
  "'",
  "''; drop table orders; --",
  "' or 1=1 --",
  '1); select pg_sleep(10) --',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/etc/passwd\0.json',
  'C:\\windows\\win.ini',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '1e309',
  '0x10',
  '١٢٣',
  '9'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{00000000-0000-0000-0000-000000000000}',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-14:00',
  '1900-01-01T00:00:00+23:59',
  '2026-06-30T23:59:60Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
  'now',
  'epoch',
  'Europe/Berlin',
  'America/../../etc/localtime',
  'W/"1"',
  'eyJ2IjoxfQ',
  'e30',
  'bnVsbA',
  '[]',
  '{"$gt":""}',
];

export const hostileNumbers: readonly number[] = [
  -1,
  -0,
  0,
  0.1,
  1e-7,
  5e-324,
  1.5,
  99_999_999_999,
  99_999_999_999.99995,
  1_000_000_000,
  1_000_000_001,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53 - 1,
  2 ** 53 + 2,
  1e21,
  1e300,
  -1e308,
];

/** JSON that no serializer writes. */
export const hostileJson: readonly (string | Buffer)[] = [
  '',
  'null',
  '[]',
  '"text"',
  '0',
  '{',
  '{}}',
  '{"name":"a","name":"b"}',
  '{"name":NaN}',
  '{"name":1e400}',
  '{"name":-1e400,"price":1e400}',
  "{'name':'a'}",
  '{"name":"a",}',
  '\ufeff{"name":"a"}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  '{"\\u0000":1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"name":"a","__proto__":null}',
  '{"lineItems":{"length":1e9}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"name":"${'x'.repeat(1_100_000)}"}`,
  `{"name":[${'null,'.repeat(50_000)}null]}`,
  `{"price":${'9'.repeat(5_000)}}`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]),
];

/** More of both, as fast-check makes them. */
export function madeTexts(seed: number): string[] {
  return fc.sample(fc.string({ unit: 'binary', maxLength: 80 }), { seed, numRuns: 500 });
}

export function madeValues(seed: number): unknown[] {
  return fc.sample(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { seed, numRuns: 500 });
}

/** Texts that fit a pattern; none where fast-check does not know the pattern's syntax. */
export function textsOf(pattern: string, seed: number): string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: 20 });
  } catch {
    return [];
  }
}
