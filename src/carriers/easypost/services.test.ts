// Every way in which EasyPost writes the name of a service is a code in snake case and words.
import assert from 'node:assert/strict';
import test from 'node:test';
import { serviceCodeOf, serviceNameOf } from './services.ts';

test('codes and names', () => {
  const expected: [string, string, string][] = [
    ['GroundAdvantage', 'ground_advantage', 'Ground Advantage'],
    ['NEXT_DAY_AIR', 'next_day_air', 'Next Day Air'],
    ['2ndDayAirAM', '2nd_day_air_am', '2nd Day Air AM'],
    ['3DaySelect', '3_day_select', '3 Day Select'],
    ['UPSStandard', 'ups_standard', 'UPS Standard'],
    ['FEDEX_2_DAY_AM', 'fedex_2_day_am', 'Fedex 2 Day Am'],
    ['Priority', 'priority', 'Priority'],
    ['Next Day 10:30', 'next_day_10_30', 'Next Day 10 30'],
    ['Économique', 'économique', 'Économique'],
    ['', '', ''],
  ];
  assert.deepEqual(
    expected.map(([service]) => [service, serviceCodeOf(service), serviceNameOf(service)]),
    expected,
  );
});
