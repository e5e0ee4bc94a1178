// Calendar days as ranges of time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from '../database/connect.ts';
import { ApiError } from '../errors.ts';
import {
  dateRangeParameters,
  fromToParameters,
  inDateRange,
  inFromTo,
  isTimeZone,
  startOfDay,
} from './date-range.ts';
import { object } from './schemas.ts';
import { validator } from './validate.ts';

const at = (day: string, zone: string) => startOfDay(day, zone).toISOString();

test('a day starts at midnight of its zone', () => {
  assert.equal(at('2026-11-21', 'UTC'), '2026-11-21T00:00:00.000Z');
  assert.equal(at('2026-11-21', 'America/New_York'), '2026-11-21T05:00:00.000Z');
  assert.equal(at('2026-07-21', 'America/New_York'), '2026-07-21T04:00:00.000Z');
  assert.equal(at('2026-11-21', 'Asia/Kolkata'), '2026-11-20T18:30:00.000Z');
  assert.equal(at('2026-11-21', 'Pacific/Kiritimati'), '2026-11-20T10:00:00.000Z');
  assert.equal(at('2026-07-21', 'CET'), '2026-07-20T22:00:00.000Z');
});

test('the days on which clocks change start and end where they do', () => {
  assert.equal(at('2026-03-08', 'America/New_York'), '2026-03-08T05:00:00.000Z');
  assert.equal(at('2026-03-09', 'America/New_York'), '2026-03-09T04:00:00.000Z');
  assert.equal(at('2026-11-01', 'America/New_York'), '2026-11-01T04:00:00.000Z');
  assert.equal(at('2026-11-02', 'America/New_York'), '2026-11-02T05:00:00.000Z');
});

test('a day whose midnight was skipped starts when the clocks went forward', () => {
  assert.equal(at('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z');
});

test('any day is followed by the next one, 20 to 28 hours later', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Beirut',
    'Pacific/Chatham',
  ];
  const days = fc.integer({ min: 3_700, max: 25_000 }).map((n) => n * 86_400_000);
  fc.assert(
    fc.property(days, fc.constantFrom(...zones), (moment, zone) => {
      const day = (n: number) => new Date(n).toISOString().slice(0, 10);
      const hours =
        (+startOfDay(day(moment + 86_400_000), zone) - +startOfDay(day(moment), zone)) / 3_600_000;
      assert.ok(hours >= 20 && hours <= 28, `${day(moment)} in ${zone} has ${hours} h`);
    }),
    { numRuns: 300 },
  );
});

test('an offset or an unknown name is no time zone', () => {
  for (const zone of ['+05:30', 'Mars/Olympus', '', 'UTC+3']) assert.equal(isTimeZone(zone), false, zone);
  for (const zone of ['UTC', 'Europe/Berlin', 'europe/berlin']) assert.equal(isTimeZone(zone), true, zone);
});

test('from = to is one condition each; nothing asked for is no condition', () => {
  const column = sql.ref('x.created_at');
  const day = '2026-11-21';
  assert.equal(inDateRange(column, { 'dateRange[from]': day, 'dateRange[to]': day }).length, 2);
  assert.equal(inFromTo(column, { to: day }).length, 1);
  assert.equal(inDateRange(column, {}).length, 0);
});

test('400 names the first day after the last and the unknown zone at once', () => {
  const query = { 'dateRange[from]': '2026-11-22', 'dateRange[to]': '2026-11-21', timezone: 'Nowhere' };
  assert.throws(
    () => inDateRange(sql.ref('x'), query),
    (error: ApiError) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 400);
      assert.deepEqual(error.issues?.map(({ path }) => path).sort(), ['/dateRange[from]', '/timezone']);
      return true;
    },
  );
});

test('a day that is none is named by its parameter, under either pair of names', () => {
  const paths = (properties: Parameters<typeof object>[0], query: object) =>
    validator(object(properties), 'query')(query).map(({ path }) => path);
  assert.deepEqual(paths(dateRangeParameters, { 'dateRange[from]': '2026-02-30' }), ['/dateRange[from]']);
  assert.deepEqual(paths(fromToParameters, { to: 'today', timezone: 'UTC' }), ['/to']);
});
