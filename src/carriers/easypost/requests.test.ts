// Our requests have the form of those that EasyPost's own client sent.
import assert from 'node:assert/strict';
import test from 'node:test';
import { recording } from '../../../test/support/easypost.ts';
import { customsOf, parcelOf, requestOf } from '../../../test/support/easypost-samples.ts';
import { CarrierError } from '../carrier.ts';
import { buyBody, insuranceAmounts, shipmentBodies } from './requests.ts';

const now = new Date('2024-07-30T16:12:00Z');
// biome-ignore lint/suspicious/noExplicitAny: what is sent is looked at freely
const bodyOf = (given = {}, settings = {}): any => shipmentBodies(settings, requestOf(given), now)[0];
const refused = (words: RegExp) => (error: unknown) => {
  assert(error instanceof CarrierError);
  assert.deepEqual([error.failure, error.bought], ['carrier_rejected', 'no']);
  assert.match(error.message, words);
  return true;
};

test('a domestic shipment is what the recorded client sent', async () => {
  const [recorded] = await recording('creates-a-domestic-shipment');
  const { options, reference, ...shipment } = bodyOf().shipment;
  assert.deepEqual({ shipment }, recorded!.request.body);
  assert.deepEqual(options, { label_format: 'PNG', label_size: '4x6' });
  assert.equal(reference, '123');
});

test('one with customs too: our item names its currency, our options are our own', async () => {
  const [recorded] = await recording('buys-a-shipment');
  const expected = structuredClone(recorded!.request.body);
  expected.shipment.customs_info.customs_items[0].currency = 'USD';
  expected.shipment.options = { label_format: 'PNG', label_size: '4x6' };
  assert.deepEqual(bodyOf({ customs: customsOf() }), expected);
});

test('a purchase is what the recorded client sent', async () => {
  const [, recorded] = await recording('buys-a-shipment');
  assert.deepEqual(buyBody(recorded!.request.body.rate.id, null), recorded!.request.body);
  assert.deepEqual(buyBody('rate_1', '100.00'), { rate: { id: 'rate_1' }, insurance: '100.00' });
});

test('every field of an address, and where it goes back to', () => {
  const shipTo = { ...requestOf().shipTo, company: 'Swan Ltd', isResidential: false, facilityCode: 'PO1' };
  const { shipment } = bodyOf({
    shipTo: { ...shipTo, taxIdentifier: 'GB123', street2: '' },
    returnAddress: { name: 'Returns', city: 'Reno', country: 'US' },
  });
  assert.deepEqual(
    [shipment.to_address.company, shipment.to_address.residential, shipment.to_address.carrier_facility],
    ['Swan Ltd', false, 'PO1'],
  );
  assert.equal(shipment.to_address.federal_tax_id, 'GB123');
  assert(!('street2' in shipment.to_address), 'what is blank is not sent');
  assert.deepEqual(shipment.return_address, { name: 'Returns', city: 'Reno', country: 'US' });
});

test('weights in ounces and lengths in inches, to the next tenth; the noise of a conversion adds none', () => {
  const parcel = (given: Parameters<typeof parcelOf>[0]) =>
    bodyOf({ parcels: [parcelOf(given)] }).shipment.parcel;
  assert.equal(parcel({ weight: 1, weightUnit: 'lb' }).weight, 16);
  assert.equal(parcel({ weight: 100, weightUnit: 'g' }).weight, 3.6);
  assert.equal(parcel({ weight: 1, weightUnit: 'kg' }).weight, 35.3);
  assert.equal(parcel({ weight: 453.6, weightUnit: 'g' }).weight, 16);
  assert.equal(parcel({ weight: 0.001, weightUnit: 'oz' }).weight, 0.1);
  const dimensions = { length: 25.4, width: 30, height: 0.1 };
  const { length, width, height } = parcel({ dimensions, dimensionsUnit: 'cm' });
  assert.deepEqual([length, width, height], [10, 11.9, 0.1]);
});

test('dimensions that are not complete are none', () => {
  const dimensions = { length: 10, width: null, height: 4 };
  const parcels = [parcelOf({ dimensions })];
  assert.deepEqual(bodyOf({ parcels }).shipment.parcel, { weight: 15.4 });
});

test('customs: every kind of contents, the contents never heavier than they are, no signature without a signer', () => {
  const items = [{ ...customsOf().items[0]!, weight: 33, weightUnit: 'g', sku: 'S-1', eccn: 'EAR99' }];
  const { shipment } = bodyOf({
    customs: customsOf({
      contentsType: 'returned-goods',
      incoterm: 'ddp',
      signer: null,
      items: items as never,
    }),
  });
  const { customs_info, options } = shipment;
  assert.equal(customs_info.contents_type, 'returned_goods');
  assert.equal(customs_info.customs_certify, false);
  assert(!('customs_signer' in customs_info));
  assert.equal(options.incoterm, 'DDP');
  const [item] = customs_info.customs_items;
  assert.deepEqual([item.weight, item.code, item.eccn], [1.16, 'S-1', 'EAR99']);
});

test('the account names its accounts at EasyPost and its tax numbers; the latter only customs is told', () => {
  const taxIdentifiers = [
    { entity: 'SENDER', taxId: 'IM1', taxIdType: 'IOSS', issuingCountry: 'IE' },
  ] as const;
  const settings = { carrierAccountIds: ['ca_1'], taxIdentifiers: [...taxIdentifiers] };
  assert.deepEqual(bodyOf({}, settings).shipment.carrier_accounts, ['ca_1']);
  assert(!('tax_identifiers' in bodyOf({}, settings).shipment));
  assert.deepEqual(bodyOf({ customs: customsOf() }, settings).shipment.tax_identifiers, [
    { entity: 'SENDER', tax_id: 'IM1', tax_id_type: 'IOSS', issuing_country: 'IE' },
  ]);
});

test('a later day is printed on the label, an earlier one is today', () => {
  const later = new Date('2024-08-02T09:00:00Z');
  assert.equal(bodyOf({ shippingDate: later }).shipment.options.label_date, '2024-08-02T09:00:00.000Z');
  assert(!('label_date' in bodyOf().shipment.options));
});

test('several parcels are several shipments, each with its reference; not across a border, and not too many', () => {
  const parcels = [parcelOf(), parcelOf({ weight: 2, weightUnit: 'lb' })];
  const bodies = shipmentBodies({}, requestOf({ parcels }), now) as ReturnType<typeof bodyOf>[];
  assert.deepEqual(
    bodies.map(({ shipment }) => [shipment.reference, shipment.parcel.weight]),
    [
      ['123/1', 15.4],
      ['123/2', 32],
    ],
  );
  assert.throws(
    () => bodyOf({ parcels, customs: customsOf() }),
    refused(/one parcel at a time across a border/),
  );
  const many = Array.from({ length: 41 }, () => parcelOf());
  assert.throws(() => bodyOf({ parcels: many }), refused(/40 parcels at most/));
});

test('insurance is in dollars, and its parts are the whole', () => {
  assert.deepEqual(insuranceAmounts(null, 2), [null, null]);
  assert.deepEqual(insuranceAmounts({ amount: 0, currency: 'eur' }, 1), [null]);
  assert.deepEqual(insuranceAmounts({ amount: 100, currency: 'usd' }, 3), ['33.34', '33.33', '33.33']);
  assert.throws(() => bodyOf({ insurance: { amount: 100, currency: 'eur' } }), refused(/US dollars/));
});
