// The simulated carriers: what they sell is remembered, and every fault happens as its table says.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { v7 } from 'uuid';
import { startTestApp } from '../../../test/support/app.ts';
import { mountainView } from '../../../test/support/carriers.ts';
import { parcel, rateRequest } from '../../../test/support/rate-cards.ts';
import { tenancyProblems } from '../../../test/support/tenancy.ts';
import { address } from '../../address.ts';
import { sql } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import { type Bought, type CarrierAccount, CarrierError, type Label, type Purchase } from '../carrier.ts';
import { identify } from '../tracking-number.ts';
import { makeSimulatedCarrier } from './carrier.ts';
import { type Fault, faults } from './faults.ts';

const service = await startTestApp({ environment: 'test' });
after(service.close);
const { database } = service;
const statements = new Set<string>();
const before = database.onStatement;
database.onStatement = (text) => {
  before?.(text);
  statements.add(text);
};
const carrier = makeSimulatedCarrier(database);
const never = new AbortController().signal;
const soon = () => AbortSignal.timeout(50);

async function makeAccount(settings: Record<string, unknown> = {}, carrierCode = 'ups') {
  const [id, now] = [newId(), new Date()];
  const organizationId = service.organizationId;
  await database.query(sql`
    insert into carrier_accounts (organization_id, id, owner_organization_id, kind, carrier_code, description,
      settings, created_at, updated_at)
    values (${organizationId}, ${id}, ${organizationId}, 'simulated', ${carrierCode}, 'Simulated',
      ${JSON.stringify(settings)}, ${now}, ${now})`);
  const account: CarrierAccount = {
    organizationId,
    ownerOrganizationId: organizationId,
    id,
    kind: 'simulated',
    carrierCode,
    description: 'Simulated',
    settings,
    credentials: {},
  };
  return account;
}

const zipOf = (fault: Fault) => faults.find((one) => one.fault === fault)!.postalCode;
const to = (fault?: Fault) =>
  address({ ...mountainView, ...(fault === undefined ? {} : { postalCode: zipOf(fault) }) });

async function purchase(account: CarrierAccount, fault?: Fault, fields: Partial<Purchase> = {}) {
  const request = rateRequest({ reference: newId(), shipTo: to(fault), ...fields });
  const { settings, ...rest } = account;
  const [rate] = await carrier.rate({ ...rest, settings: { ...settings, fault: undefined } }, request, never);
  return { ...request, rate: rate!, labelFormat: 'pdf', zplDpi: 203, ...fields } satisfies Purchase;
}

const labelOf = (asked: Purchase, { carrierReference, parcels }: Bought): Label => ({
  reference: asked.reference,
  carrierReference,
  trackingCodes: parcels.map(({ trackingCode }) => trackingCode),
  serviceCode: asked.rate.serviceCode,
  purchasedAt: new Date(),
  shipTo: asked.shipTo,
  shipFrom: asked.shipFrom,
  estDeliveryDate: null,
});

/** `failure bought code`, as a call ends that must not succeed. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    (value) => assert.fail(`it succeeded: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CarrierError, String(error));
  return [error.failure, error.bought, error.carrierErrorCode ?? ''].join(' ').trim();
}

async function labelsOf(reference: string): Promise<number> {
  const rows = await database.query(sql`
    select id from simulated_labels
    where organization_id = ${service.organizationId} and reference = ${reference}`);
  return rows.length;
}

for (const [code, courier] of [
  ['usps', 'priority'],
  ['ups', '2nd_day_air'],
  ['fedex', 'priority_overnight'],
] as const) {
  test(`${code} is rated by its example card, and its numbers are valid`, async () => {
    const account = await makeAccount({}, code);
    const rates = await carrier.rate(account, rateRequest(), never);
    assert.equal(rates.length, 3);
    const rate = rates.find(({ serviceCode }) => serviceCode === courier)!;
    const bought = await carrier.buy(account, await purchase(account, undefined, { rate }), never);
    assert.equal(bought.drawing?.sample, true);
    assert.ok(identify(bought.trackingCode).some(({ courierCode }) => courierCode === code));
  });
}

test('no other carrier is simulated', async () => {
  const account = await makeAccount({}, 'dhl');
  assert.equal(await failureOf(carrier.rate(account, rateRequest(), never)), 'carrier_credentials no');
});

test('every purchase is a new label, also with the same reference; the first is found by it', async () => {
  const account = await makeAccount();
  const asked = await purchase(account, undefined, { parcels: [parcel(1), parcel(2)] });
  assert.equal(await carrier.find(account, asked, never), undefined);
  const [first, second] = [
    await carrier.buy(account, asked, never),
    await carrier.buy(account, asked, never),
  ];
  assert.equal(carrier.buysOncePerReference, false);
  assert.equal(await labelsOf(asked.reference), 2);
  assert.notEqual(first.carrierReference, second.carrierReference);
  const codes = [...first.parcels, ...second.parcels].map(({ trackingCode }) => trackingCode);
  assert.equal(new Set(codes).size, 4);
  assert.deepEqual(await carrier.find(account, asked, never), first);
  // Somebody else's reference, and somebody else's account, find nothing.
  assert.equal(await carrier.find(account, { ...asked, reference: newId() }, never), undefined);
  assert.equal(await carrier.find(await makeAccount(), asked, never), undefined);
  await carrier.void(account, labelOf(asked, first), never);
  assert.deepEqual(await carrier.find(account, asked, never), second);
});

/** Fault -> how a purchase ends, and how many labels there are then. */
const purchases: [fault: Fault, ends: string, labels: number][] = [
  ['buy-timeout-before', 'carrier_timeout unknown', 0],
  ['buy-timeout-after', 'carrier_timeout unknown', 1],
  ['buy-timeout-at-first', 'carrier_timeout unknown', 0],
  ['buy-slow', 'carrier_timeout unknown', 0],
  ['buy-malformed-before', 'carrier_unavailable unknown', 0],
  ['buy-malformed-after', 'carrier_unavailable unknown', 1],
  ['buy-overloaded', 'carrier_unavailable no 429', 0],
  ['buy-refused', 'carrier_rejected no ADDRESS.UNDELIVERABLE', 0],
  ['buy-outcome-hidden', 'carrier_timeout unknown', 1],
];

for (const [fault, ends, labels] of purchases) {
  test(`${fault}: by postal code and by setting`, async () => {
    for (const settings of [{}, { fault }]) {
      const account = await makeAccount(settings);
      const asked = await purchase(account, 'fault' in settings ? undefined : fault);
      assert.equal(await failureOf(carrier.buy(account, asked, soon())), ends);
      assert.equal(await labelsOf(asked.reference), labels);
      if (fault === 'buy-outcome-hidden') continue;
      const found = await carrier.find(account, asked, never);
      assert.equal(found === undefined ? 0 : 1, labels);
    }
  });
}

test('faults that pass: a purchase that is tried again later succeeds, a hidden outcome is shown', async () => {
  const account = await makeAccount({ faultSeconds: 0.01 });
  const reference = v7({ msecs: Date.now() - 60_000 });
  const late = await purchase(account, 'buy-timeout-at-first', { reference });
  assert.equal((await carrier.buy(account, late, never)).parcels.length, 1);
  const hidden = await purchase(account, 'buy-outcome-hidden');
  await failureOf(carrier.buy(account, hidden, soon()));
  assert.equal((await carrier.find(account, hidden, never))?.parcels.length, 1);
  const patient = await makeAccount();
  const asked = await purchase(patient, 'buy-outcome-hidden');
  await failureOf(carrier.buy(patient, asked, soon()));
  assert.equal(await failureOf(carrier.find(patient, asked, never)), 'carrier_unavailable unknown 500');
});

test('slow answers come, as late as they are set to', async () => {
  const account = await makeAccount({ slowSeconds: 0.02 });
  assert.equal((await carrier.buy(account, await purchase(account, 'buy-slow'), never)).parcels.length, 1);
  const request = rateRequest({ shipTo: to('rate-slow') });
  assert.equal((await carrier.rate(account, request, never)).length, 3);
  assert.equal(await failureOf(carrier.rate(await makeAccount(), request, soon())), 'carrier_timeout no');
});

test('rates that fail', async () => {
  const of = async (fault: Fault) => [
    await failureOf(carrier.rate(await makeAccount(), rateRequest({ shipTo: to(fault) }), soon())),
    await failureOf(carrier.rate(await makeAccount({ fault }), rateRequest(), soon())),
  ];
  assert.deepEqual(await of('rate-timeout'), ['carrier_timeout no', 'carrier_timeout no']);
  assert.deepEqual(await of('rate-error'), ['carrier_unavailable no 500', 'carrier_unavailable no 500']);
  assert.deepEqual(await of('rate-malformed'), ['carrier_unavailable no', 'carrier_unavailable no']);
  const gone = AbortSignal.abort();
  const request = rateRequest({ shipTo: to('rate-timeout') });
  assert.equal(await failureOf(carrier.rate(await makeAccount(), request, gone)), 'carrier_timeout no');
});

test('voids: at once, refused, later, never; a repeat says the same', async () => {
  const voids = async (fault: Fault | undefined, settings = {}) => {
    const account = await makeAccount(settings);
    const asked = await purchase(account, fault);
    const label = labelOf(asked, await carrier.buy(account, asked, never));
    const outcomes = [];
    for (let call = 0; call < 2; call += 1) outcomes.push(await carrier.void(account, label, soon()));
    return outcomes;
  };
  assert.deepEqual(await voids(undefined), ['voided', 'voided']);
  assert.deepEqual(await voids('void-refused'), ['rejected', 'rejected']);
  assert.deepEqual(await voids('void-submitted'), ['submitted', 'submitted']);
  await assert.rejects(voids('void-timeout'), { failure: 'carrier_timeout' });
  const account = await makeAccount({ trackingPaceSeconds: 0.01 });
  const asked = await purchase(account, 'void-submitted');
  const label = labelOf(asked, await carrier.buy(account, asked, never));
  await carrier.void(account, label, never);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await carrier.void(account, label, never), 'voided');
});

test('a parcel moves by itself, is signed for in the end, and can be asked for at any time', async () => {
  const account = await makeAccount({ trackingPaceSeconds: 0.01 });
  const asked = await purchase(account);
  const label = labelOf(asked, await carrier.buy(account, asked, never));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { events, signedBy } = await carrier.track(account, label, never);
  assert.deepEqual(
    [events.length, events.at(-1)?.status, events.at(-1)?.location?.city, signedBy],
    [6, 'delivered', 'Mountain View', 'Ada Byron'],
  );
  assert.deepEqual((await carrier.track(account, label, never)).events, events);
  const slow = await makeAccount();
  const other = await purchase(slow);
  const fresh = await carrier.track(slow, labelOf(other, await carrier.buy(slow, other, never)), never);
  assert.deepEqual([fresh.events.map(({ status }) => status), fresh.signedBy], [['pre-transit'], null]);
  assert.equal(
    await failureOf(carrier.track(account, { ...label, shipTo: to('track-error') }, never)),
    'carrier_unavailable no 500',
  );
  const unknown = { ...label, carrierReference: newId() };
  assert.equal(await failureOf(carrier.track(account, unknown, never)), 'carrier_rejected no');
  assert.equal(await failureOf(carrier.void(account, unknown, never)), 'carrier_rejected no');
});

test('settings that are none are named as the account’s', async () => {
  const account = await makeAccount({ fault: 'nonsense' });
  assert.equal(await failureOf(carrier.rate(account, rateRequest(), never)), 'carrier_credentials no');
});

test('postal codes of faults are their own, were never assigned, and mean nothing abroad', async () => {
  assert.equal(new Set(faults.map(({ postalCode }) => postalCode)).size, faults.length);
  assert.ok(faults.every(({ postalCode }) => /^\d{5}$/.test(postalCode) && postalCode < '00501'));
  const abroad = rateRequest({ shipTo: { ...to('rate-error'), country: 'DE' } });
  assert.equal((await carrier.rate(await makeAccount(), abroad, never)).length, 2);
  const long = rateRequest({ shipTo: { ...to('rate-error'), postalCode: `${zipOf('rate-error')}-1234` } });
  assert.equal(await failureOf(carrier.rate(await makeAccount(), long, never)), 'carrier_unavailable no 500');
});

test('every statement names the organization', () => {
  assert.ok([...statements].some((text) => /insert into simulated_labels/.test(text)));
  assert.deepEqual([...statements].flatMap(tenancyProblems), []);
});
