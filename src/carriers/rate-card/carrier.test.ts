// The rate-card carrier on a database: which card counts, and that no tracking number is ever given twice.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp, type TestOrganization } from '../../../test/support/app.ts';
import { makeVans, rateCard } from '../../../test/support/carriers.ts';
import { make } from '../../../test/support/factories.ts';
import { parcel, rateRequest } from '../../../test/support/rate-cards.ts';
import { tenancyProblems } from '../../../test/support/tenancy.ts';
import { type Carrier, type CarrierAccount, CarrierError, type Purchase } from '../carrier.ts';
import { identify } from '../tracking-number.ts';
import { makeRateCardCarrier } from './carrier.ts';
import { ownRules } from './tracking-numbers.ts';

const service = await startTestApp();
after(service.close);
const { database } = service;
const carrier = makeRateCardCarrier(database);
const never = new AbortController().signal;

async function makeAccount(card: object = {}): Promise<{ account: CarrierAccount; owner: TestOrganization }> {
  const owner = await service.makeOrganization();
  const { id } = await makeVans(owner.request, { rateCard: rateCard({ ...card }) });
  const account: CarrierAccount = {
    organizationId: owner.id,
    ownerOrganizationId: owner.id,
    id,
    kind: 'rate-card',
    carrierCode: 'vans',
    description: 'Vans',
    settings: {},
    credentials: {},
  };
  return { account, owner };
}

const addCard = (owner: TestOrganization, account: CarrierAccount, fields: object) =>
  make(owner.request, `/carrier-accounts/${account.id}/rate-cards`, rateCard({ ...fields }));

async function purchase(account: CarrierAccount, fields: Partial<Purchase> = {}): Promise<Purchase> {
  const request = rateRequest(fields);
  const [rate] = await carrier.rate(account, request, never);
  return { ...request, rate: rate!, labelFormat: 'pdf', zplDpi: 203, ...fields };
}

const failure = (expected: Partial<CarrierError>) => (error: unknown) => {
  assert.ok(error instanceof CarrierError);
  assert.deepEqual({ failure: error.failure, bought: error.bought }, expected);
  return true;
};

test('the newest card that is in force on the day of shipping counts, in UTC', async () => {
  const { account, owner } = await makeAccount();
  const services = (price: number) => [
    { code: 'van', name: 'Van', breaks: [{ weightUpTo: '9 lb', prices: { all: price } }] },
  ];
  await addCard(owner, account, { effectiveFrom: '2026-03-01', services: services(8) });
  await addCard(owner, account, { effectiveFrom: '2026-02-01', services: services(7) });
  const on = async (time: string) => {
    const [rate] = await carrier.rate(account, rateRequest({ shippingDate: new Date(time) }), never);
    return rate!.rateTotal;
  };
  assert.equal(await on('2026-01-31T23:59:59.999Z'), '12.5');
  assert.equal(await on('2026-02-01T00:00:00Z'), '7');
  assert.equal(await on('2026-03-01T05:00:00Z'), '8');
  assert.equal(await on('2027-03-01T05:00:00Z'), '8');
  await assert.rejects(on('2019-12-31T23:59:59Z'), failure({ failure: 'carrier_credentials', bought: 'no' }));
});

test('what no service takes is refused with the reasons', async () => {
  const { account } = await makeAccount();
  const request = rateRequest({ parcels: [parcel(51)] });
  await assert.rejects(carrier.rate(account, request, never), {
    failure: 'carrier_rejected',
    message: 'same-day, economy takes no more than 50 lb',
  });
});

test('each parcel has a number of its own, and the card’s owner’s name stands on the label', async () => {
  const { account } = await makeAccount({ trackingUrl: 'https://vans.example/%s' });
  const bought = await carrier.buy(
    account,
    await purchase(account, { parcels: [parcel(1), parcel(2)] }),
    never,
  );
  assert.deepEqual(bought, {
    drawing: { carrierName: 'Own vans', sample: false },
    trackingCode: 'VANS000000000',
    parcels: [
      { trackingCode: 'VANS000000000', label: null },
      { trackingCode: 'VANS000000017', label: null },
    ],
    carrierReference: 'VANS000000000',
    trackingUrl: 'https://vans.example/VANS000000000',
    rateTotal: null,
  });
  const own = ownRules('Own vans', { form: 'prefix', prefix: 'VANS', digits: 8 });
  for (const { trackingCode } of bought.parcels) assert.equal(identify(trackingCode, own).length, 1);
});

test('purchases at the same time never share a number, and none is left out', async () => {
  const { account } = await makeAccount();
  const three = await purchase(account, { parcels: [parcel(1), parcel(2), parcel(3)] });
  const bought = await Promise.all(Array.from({ length: 40 }, () => carrier.buy(account, three, never)));
  const codes = bought.flatMap(({ parcels }) => parcels.map(({ trackingCode }) => trackingCode));
  assert.equal(new Set(codes).size, 120);
  const serials = codes.map((code) => Number(code.slice(4, -1))).sort((a, b) => a - b);
  assert.deepEqual(
    serials,
    Array.from({ length: 120 }, (_, serial) => serial),
  );
});

test('a child that the account is shared with takes the owner’s numbers', async () => {
  const { account, owner } = await makeAccount();
  const child = await service.makeOrganization({ parentId: owner.id });
  const shared = { ...account, organizationId: child.id };
  const first = await carrier.buy(account, await purchase(account), never);
  const second = await carrier.buy(shared, await purchase(shared), never);
  assert.notEqual(first.trackingCode, second.trackingCode);
});

test('at the end of the range nothing is bought, and a new card brings a new range', async () => {
  const trackingNumbers = { form: 'prefix', prefix: 'VANS', digits: 8, firstSerial: 100, lastSerial: 103 };
  const { account, owner } = await makeAccount({ trackingNumbers });
  const three = await purchase(account, { parcels: [parcel(1), parcel(1), parcel(1)] });
  const codes = (await carrier.buy(account, three, never)).parcels.map((one) =>
    one.trackingCode.slice(4, -1),
  );
  assert.deepEqual(codes, ['00000100', '00000101', '00000102']);
  await assert.rejects(
    carrier.buy(account, three, never),
    failure({ failure: 'carrier_rejected', bought: 'no' }),
  );
  // What is refused takes nothing away.
  const last = await carrier.buy(account, await purchase(account), never);
  assert.equal(last.trackingCode.slice(4, -1), '00000103');
  await assert.rejects(carrier.buy(account, await purchase(account), never), /no tracking numbers left/);
  await addCard(owner, account, {
    effectiveFrom: '2026-01-07',
    trackingNumbers: { ...trackingNumbers, firstSerial: 500, lastSerial: 501 },
  });
  const next = await carrier.buy(account, await purchase(account), never);
  assert.equal(next.trackingCode.slice(4, -1), '00000500');
});

test('a range that is narrower than a shipment gives nothing', async () => {
  const trackingNumbers = { form: 'prefix', prefix: 'VANS', digits: 8, firstSerial: 0, lastSerial: 0 };
  const { account } = await makeAccount({ trackingNumbers });
  const two = await purchase(account, { parcels: [parcel(1), parcel(1)] });
  await assert.rejects(carrier.buy(account, two, never), /no tracking numbers left/);
  const one = await carrier.buy(account, await purchase(account), never);
  assert.equal(one.trackingCode, 'VANS000000000');
});

test('a service that the card in force no longer has is not sold', async () => {
  const { account, owner } = await makeAccount();
  const before = await purchase(account);
  await addCard(owner, account, {
    effectiveFrom: '2026-01-01',
    services: [{ code: 'new', name: 'New', breaks: [{ weightUpTo: '9 lb', prices: { all: 1 } }] }],
  });
  await assert.rejects(
    carrier.buy(account, before, never),
    failure({ failure: 'carrier_rejected', bought: 'no' }),
  );
});

test('a card of which USPS is the courier names its page, and an example says that it is one', async () => {
  const trackingNumbers = { form: 'usps-impb', mailerId: '999999999', serviceType: '055' };
  const buy = async (fields: object) => {
    const { account } = await makeAccount(fields);
    return carrier.buy(account, await purchase(account), never);
  };
  const real = await buy({ trackingNumbers });
  assert.equal(real.trackingUrl, `https://tools.usps.com/go/TrackConfirmAction?tLabels=${real.trackingCode}`);
  const example = await buy({ trackingNumbers, example: true });
  assert.deepEqual([example.drawing?.sample, example.trackingUrl], [true, null]);
});

test('nobody outside is asked: there is nothing to find or track, and a void is a void', async () => {
  const { account } = await makeAccount();
  const asked = await purchase(account);
  const calls: Carrier = carrier;
  assert.equal(await calls.find(account, asked, never), undefined);
  const label = {
    reference: asked.reference,
    carrierReference: 'x',
    trackingCodes: ['x'],
    serviceCode: 'same-day',
    purchasedAt: new Date(),
    shipTo: asked.shipTo,
    shipFrom: asked.shipFrom,
    estDeliveryDate: null,
  };
  assert.equal(await calls.void(account, label, never), 'voided');
  assert.deepEqual((await calls.track(account, label, never)).events, []);
});

test('a card is read once, and every statement names the organization', async () => {
  const { account } = await makeAccount();
  const fresh = makeRateCardCarrier(database);
  const asked = await purchase(account);
  const sent = await service.statements(async () => {
    await fresh.rate(account, asked, never);
    await fresh.rate(account, asked, never);
    await fresh.buy(account, asked, never);
  });
  assert.equal(sent.filter((text) => /select card from rate_cards/.test(text)).length, 1);
  assert.equal(sent.filter((text) => /insert into tracking_serials/.test(text)).length, 1);
  assert.deepEqual(sent.flatMap(tenancyProblems), []);
});
