// Rates against amounts that were worked out by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { mountainView } from '../../../test/support/carriers.ts';
import { checkedCard, parcel, rated, rateRequest, service } from '../../../test/support/rate-cards.ts';
import { address } from '../../address.ts';
import { rateParcels } from './rate-parcels.ts';

const to = (fields: object) => ({ shipTo: address({ ...mountainView, ...fields }) });
const card = (fields: object = {}) => checkedCard({ services: [service()], ...fields });

test('the first break that holds the weight counts; its weight is still within it', () => {
  const steps = card({
    services: [
      service({
        breaks: [
          { weightUpTo: '5 lb', prices: { all: 9 } },
          { weightUpTo: '8 oz', prices: { all: 3.5 } },
          { weightUpTo: '1 kg', prices: { all: 4.25 } },
        ],
      }),
    ],
  });
  const of = (...given: Parameters<typeof parcel>) => rated(steps, { parcels: [parcel(...given)] });
  assert.deepEqual(of(8), ['van takes no more than 5 lb']);
  assert.deepEqual(of(8, 'oz'), ['van 3.5 (0)']);
  assert.deepEqual(of(226.796185, 'g'), ['van 3.5 (0)']);
  assert.deepEqual(of(226.796186, 'g'), ['van 4.25 (0)']);
  assert.deepEqual(of(1000.0001, 'g'), ['van 9 (0)']);
  assert.deepEqual(of(5), ['van 9 (0)']);
});

test('beyond the last break each step begun is paid', () => {
  const added = card({
    services: [service({ additionalWeight: { per: '2 lb', prices: { all: 0.35 } }, maximumWeight: '20 lb' })],
  });
  const of = (weight: number) => rated(added, { parcels: [parcel(weight)] });
  assert.deepEqual(of(10.1), ['van 10.45 (0)']);
  assert.deepEqual(of(12), ['van 10.45 (0)']);
  assert.deepEqual(of(12.01), ['van 10.8 (0)']);
  assert.deepEqual(of(20), ['van 11.85 (0)']);
  assert.deepEqual(of(20.01), ['van takes no more than 20 lb']);
});

test('half cents are rounded as the card says', () => {
  const fuel = (mode: string, price: number, step = '0.01') =>
    rated(
      card({
        services: [service({ breaks: [{ weightUpTo: '10 lb', prices: { all: price } }] })],
        surcharges: [{ name: 'Fuel', percent: 5 }],
        rounding: { mode, to: step },
      }),
    );
  // 5 % of 10.10 is 0.505, of 10.30 it is 0.515.
  assert.deepEqual(fuel('half-even', 10.1), ['van 10.6 (0.5)']);
  assert.deepEqual(fuel('half-even', 10.3), ['van 10.82 (0.52)']);
  assert.deepEqual(fuel('half-up', 10.1), ['van 10.61 (0.51)']);
  assert.deepEqual(fuel('up', 10.02), ['van 10.53 (0.51)']);
  assert.deepEqual(fuel('half-up', 10.1, '0.05'), ['van 10.6 (0.5)']);
  assert.deepEqual(fuel('half-up', 10, '1'), ['van 11 (1)']);
});

test('binary floats are never added: 0.1 and 0.2 are 0.3', () => {
  const tenths = card({
    services: [service({ breaks: [{ weightUpTo: '1 lb', prices: { all: 0.1 } }] })],
    surcharges: [{ name: 'Pick-up', amount: 0.2 }],
  });
  assert.deepEqual(rated(tenths), ['van 0.3 (0.2)']);
});

test('parcels are priced one by one and summed', () => {
  const services = [
    service({
      breaks: [
        { weightUpTo: '1 lb', prices: { all: 4.1 } },
        { weightUpTo: '10 lb', prices: { all: 10.1 } },
      ],
    }),
  ];
  const surcharges = [
    { name: 'Per parcel', amount: 0.75 },
    { name: 'Per shipment', amount: 3, per: 'shipment' },
  ];
  const parcels = [parcel(1), parcel(2), parcel(3)];
  // 4.10 + 2 x 10.10 + 3 x 0.75 + 3
  assert.deepEqual(rated(card({ services, surcharges }), { parcels }), ['van 29.55 (5.25)']);
});

test('surcharges: of the price, or of what stands before them too', () => {
  const of = (...surcharges: object[]) => rated(card({ surcharges }), to({ isResidential: true }));
  const residential = { name: 'Residential', amount: 4, residential: true };
  const fuel = { name: 'Fuel', percent: 10 };
  assert.deepEqual(of(residential, fuel), ['van 15.11 (5.01)']);
  assert.deepEqual(of(residential, { ...fuel, of: 'subtotal' }), ['van 15.51 (5.41)']);
  assert.deepEqual(of({ ...fuel, of: 'subtotal' }, residential), ['van 15.11 (5.01)']);
});

test('a residential surcharge is for addresses that are known to be', () => {
  const surcharges = [{ name: 'Residential', amount: 4, residential: true }];
  const at = (isResidential: boolean | null) => rated(card({ surcharges }), to({ isResidential }));
  assert.deepEqual([at(true), at(false), at(null)].flat(), ['van 14.1 (4)', 'van 10.1 (0)', 'van 10.1 (0)']);
});

test('surcharges by place, day and service', () => {
  const at = (surcharge: object, fields: object = {}) =>
    rated(card({ surcharges: [{ name: 'S', amount: 1, ...surcharge }] }), fields)[0];
  const [with1, without] = ['van 11.1 (1)', 'van 10.1 (0)'];
  assert.equal(at({ toPostalCodes: ['941', '940'] }), with1);
  assert.equal(at({ toPostalCodes: ['941'] }), without);
  assert.equal(at({ toPostalCodes: ['940'] }, to({ country: 'DE' })), without);
  assert.equal(at({ toCountries: ['de'] }, to({ country: 'DE' })), with1);
  assert.equal(at({ zones: ['all'] }), with1);
  assert.equal(at({ services: ['van'] }), with1);
  assert.equal(at({ from: '2026-01-07', until: '2026-01-07' }), with1);
  assert.equal(at({ from: '2026-01-08' }), without);
  assert.equal(at({ until: '2026-01-06' }), without);
});

test('oversize: one size beyond its bound is enough, the bound itself is not', () => {
  const surcharges = [
    {
      name: 'Oversize',
      amount: 20,
      longestSideOver: '48 in',
      lengthPlusGirthOver: '105 in',
      weightOver: '8 lb',
    },
  ];
  const of = (...given: Parameters<typeof parcel>) =>
    rated(card({ surcharges }), { parcels: [parcel(...given)] })[0];
  const [oversize, normal] = ['van 30.1 (20)', 'van 10.1 (0)'];
  assert.equal(of(1, 'lb', [10, 48, 5]), normal);
  assert.equal(of(1, 'lb', [10, 48.01, 5]), oversize);
  assert.equal(of(1, 'lb', [121.92, 10, 10], 'cm'), normal);
  assert.equal(of(1, 'lb', [121.93, 10, 10], 'cm'), oversize);
  // 45 + 2 x (20 + 10) = 105
  assert.equal(of(1, 'lb', [20, 10, 45]), normal);
  assert.equal(of(1, 'lb', [20, 10.1, 45]), oversize);
  assert.equal(of(8), normal);
  assert.equal(of(8.1), oversize);
});

test('a discount shows what the list asks; a minimum is asked all the same', () => {
  const of = (fields: Record<string, unknown>) => {
    const { rates } = rateParcels(
      card({ services: [service(fields)], surcharges: [{ name: 'Fuel', percent: 10 }] }),
      rateRequest(),
    );
    const [{ rateTotal, rateSurcharges, compareAtRate }] = rates as [(typeof rates)[0]];
    return [rateTotal, rateSurcharges, compareAtRate];
  };
  // 10.10 less 25 % is 7.575: 7.58; fuel 0.758: 0.76
  assert.deepEqual(of({ discountPercent: 25 }), ['8.34', '0.76', '11.11']);
  assert.deepEqual(of({ discountPercent: 25, minimumPerPackage: 9 }), ['9.9', '0.9', '11.11']);
  assert.deepEqual(of({ minimumPerPackage: 12 }), ['13.2', '1.2', null]);
});

test('insurance is asked for each hundred begun beyond what is included', () => {
  const insurance = { included: 100, per: 100, price: 1.25, maximum: 1000 };
  const of = (amount: number, currency = 'usd') =>
    rated(card({ insurance }), { insurance: { amount, currency } })[0];
  assert.equal(of(100), 'van 10.1 (0)');
  assert.equal(of(100.01), 'van 11.35 (1.25)');
  assert.equal(of(300), 'van 12.6 (2.5)');
  assert.equal(of(1000.01), 'van insures no more than 1000');
  assert.equal(of(50, 'eur'), 'van insures in usd only');
  assert.deepEqual(rated(card(), { insurance: { amount: 1, currency: 'usd' } }), ['van does not insure']);
});

test('services that cannot take a parcel are left out, each with its reason', () => {
  const services = [
    service(),
    service({ code: 'letter', breaks: [{ weightUpTo: '1 oz', prices: { all: 1 } }] }),
    service({ code: 'short', maximumLongestSide: '20 in' }),
    service({ code: 'thin', maximumLengthPlusGirth: '40 in' }),
    service({ code: 'far', breaks: [{ weightUpTo: '10 lb', prices: { other: 1 } }] }),
  ];
  const zones = [{ by: 'country', countries: { US: 'all', '*': 'other' } }];
  assert.deepEqual(rated(card({ services, zones }), { parcels: [parcel(1, 'lb', [21, 5, 5]), parcel(1)] }), [
    'van 20.2 (0)',
    'letter takes no more than 1 oz',
    'short takes no side longer than 20 in',
    'thin takes no more than 40 in of length and girth',
    'far does not go to zone all',
  ]);
});

test('the day of delivery skips days without delivery', () => {
  const of = (days: number, deliversOn: string, day: string) => {
    const services = [service({ transitDays: { '*': days }, deliversOn, deliveryDateGuaranteed: true })];
    const { rates } = rateParcels(card({ services }), rateRequest({ shippingDate: new Date(day) }));
    return [rates[0]!.estDeliveryDays, rates[0]!.estDeliveryDate?.toISOString().slice(0, 10)];
  };
  // 9 January 2026 is a Friday.
  assert.deepEqual(of(1, 'weekdays', '2026-01-09T23:59:59Z'), [1, '2026-01-12']);
  assert.deepEqual(of(1, 'mon-sat', '2026-01-09T00:00:00Z'), [1, '2026-01-10']);
  assert.deepEqual(of(1, 'daily', '2026-01-10T12:00:00Z'), [1, '2026-01-11']);
  assert.deepEqual(of(1, 'weekdays', '2026-01-10T12:00:00Z'), [1, '2026-01-13']);
  assert.deepEqual(of(0, 'weekdays', '2026-01-11T12:00:00Z'), [0, '2026-01-12']);
  assert.deepEqual(of(5, 'weekdays', '2026-01-07T12:00:00Z'), [5, '2026-01-14']);
  const [rate] = rateParcels(card(), rateRequest()).rates;
  assert.deepEqual(
    [rate!.estDeliveryDays, rate!.estDeliveryDate, rate!.deliveryDateGuaranteed],
    [null, null, false],
  );
});
