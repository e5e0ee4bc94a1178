// Creating quotes: every account asked at once with nothing held, addresses checked, customs filled in, one answer kept.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeVans, mountainView, quoteBody, rateCard, reno } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, unique } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

const scripted = scriptedCarrier();
const service = await startTestApp({ environment: 'test', shipping: { timing: { rateMs: 200 } } });
const watched = await startTestApp({ shipping: { carriers: { easypost: scripted.carrier } } });
after(async () => {
  await service.close();
  await watched.close();
});

const simulate = (request: typeof service.request, description: string, settings = {}) =>
  makeCarrierAccount(request, { kind: 'simulated', carrierCode: 'ups', description, settings });

test('five accounts of which one hangs and one fails: the rates of three and two messages', async () => {
  const { request } = await service.makeOrganization();
  for (const description of ['One', 'Two', 'Three']) await simulate(request, description);
  await simulate(request, 'Hangs', { fault: 'rate-timeout' });
  await simulate(request, 'Fails', { fault: 'rate-error' });
  const quote = await make(request, '/shipping-quotes', quoteBody());
  const names = new Set(quote.shippingRates.map((rate: Json) => rate.carrierAccount.description));
  assert.deepEqual([...names].sort(), ['One', 'Three', 'Two']);
  assert.deepEqual(quote.messages.toSorted(), [
    'Fails (ups): Internal server error (500)',
    'Hangs (ups): did not answer within 0.2 s',
  ]);
  assert.deepEqual((await request('GET', `/shipping-quotes/${quote.id}`)).body.data, quote);
});

test('the cheapest rate first, and all that was asked with it', async () => {
  const { request, id: organizationId } = await service.makeOrganization();
  const insurance = { included: 500, per: 100, price: 2, maximum: 5_000 };
  const account = await makeVans(request, { rateCard: rateCard({ insurance }) });
  const asked = quoteBody({
    shippingDate: '2026-11-20T12:00:00-05:00',
    returnAddress: { name: 'Returns', country: 'us' },
    insuranceRequest: { amount: 100 },
    metadata: { channel: 'web' },
    packages: [{ weight: 1.5, weightUnit: 'lb', packaging: { name: 'Box 3' } }, { weight: 3 }],
  });
  const quote = await make(request, '/shipping-quotes', asked);
  assert.equal(quote.organizationId, organizationId);
  assert.deepEqual(
    quote.shippingRates.map(({ id: _, estDeliveryDate: __, ...rate }: Json) => rate),
    [
      ['economy', 'Economy', 10, 4],
      ['same-day', 'Same day', 25, 0],
    ].map(([serviceCode, serviceName, rateTotal, estDeliveryDays]) => ({
      ...{ serviceCode, serviceName, rateTotal, rateSurcharges: 0, compareAtRate: null, currency: 'usd' },
      ...{ estDeliveryDays, deliveryDateGuaranteed: false, message: null },
      carrierAccount: { id: account.id, carrierCode: 'vans', description: account.description },
    })),
  );
  const { shippingDate, returnAddress, insuranceRequest, metadata, packages, orderId, shipmentId } = quote;
  assert.equal(shippingDate, '2026-11-20T17:00:00.000Z');
  assert.deepEqual(
    [returnAddress.name, returnAddress.country, returnAddress.street1],
    ['Returns', 'US', null],
  );
  assert.equal(Object.keys(returnAddress).length, 10);
  assert.deepEqual([insuranceRequest, metadata], [{ amount: 100, currency: 'usd' }, { channel: 'web' }]);
  assert.deepEqual(
    packages.map(({ id: _, ...parcel }: Json) => parcel),
    [
      {
        ...{ weight: 1.5, weightUnit: 'lb', dimensions: null, dimensionsUnit: 'in' },
        packaging: { name: 'Box 3', type: null },
      },
      { weight: 3, weightUnit: 'oz', dimensions: null, dimensionsUnit: 'in', packaging: null },
    ],
  );
  assert.deepEqual([orderId, shipmentId], [null, null]);
  assert.equal(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt), 24 * 3_600_000);
});

test('disabled and archived accounts are not asked; without any there is one message and no rate', async () => {
  const { request } = await service.makeOrganization();
  const [one, two] = [await makeVans(request), await makeVans(request)];
  await make(request, `/carrier-accounts/${one.id}`, { enabled: false });
  await make(request, `/carrier-accounts/${two.id}`, { archived: true });
  const quote = await make(request, '/shipping-quotes', quoteBody());
  assert.deepEqual(
    [quote.shippingRates, quote.messages],
    [[], ['There is no enabled carrier account to ask']],
  );
});

test('a child is quoted through what its parent shares, by the parent’s prices', async () => {
  const parent = await service.makeOrganization();
  const slug = unique('child-');
  const { id } = await make(parent.request, '/clients', { name: slug, slug });
  const own = (
    await service.database.query<{ id: string }>(sql`
    select id from carrier_accounts where organization_id = ${id}`)
  ).length;
  const card = rateCard({ services: rateCard().services.slice(1) });
  await makeVans(parent.request, { description: 'Of the parent', rateCard: card, sharedWithChildren: true });
  const answer = await parent.request('POST', '/shipping-quotes', quoteBody(), { 'x-service-client': slug });
  const rates = answer.body.data.shippingRates.filter(
    ({ carrierAccount }: Json) => carrierAccount.description === 'Of the parent',
  );
  assert.deepEqual(
    rates.map(({ rateTotal }: Json) => rateTotal),
    [5],
  );
  assert.deepEqual([own, answer.body.data.organizationId], [3, id]);
});

test('credentials that cannot be opened are a message, not a failed quote', async () => {
  const { request, id: organizationId } = await service.makeOrganization();
  await makeVans(request);
  const credentials = { apiKey: 'EZTK-lost' };
  const broken = await makeCarrierAccount(request, { kind: 'easypost', description: 'Lost', credentials });
  await service.database.query(sql`
    update carrier_accounts set credentials = ${Buffer.alloc(60, 1)}
    where organization_id = ${organizationId} and id = ${broken.id}`);
  const quote = await make(request, '/shipping-quotes', quoteBody());
  assert.equal(quote.shippingRates.length, 2);
  assert.match(quote.messages.join(), /^Lost \(vans\): its credentials cannot be decrypted/);
});

test('while carriers are asked no connection is held, so nothing is locked either', async () => {
  const { pool } = watched.database;
  await makeCarrierAccount(watched.request, { kind: 'easypost' });
  let busy: number | undefined;
  const { rate } = scripted.carrier;
  scripted.carrier.rate = async (...asked) => {
    busy = pool.totalCount - pool.idleCount;
    return rate(...asked);
  };
  const quote = await make(watched.request, '/shipping-quotes', quoteBody());
  scripted.carrier.rate = rate;
  assert.deepEqual([busy, quote.shippingRates.length], [0, 1]);
});

test('a replay answers the same and asks nobody; another body with the key is 422, and asks nobody either', async () => {
  const headers = { 'idempotency-key': unique('quote-') };
  const send = (body: object) => watched.request('POST', '/shipping-quotes', body, headers);
  await makeCarrierAccount(watched.request, { kind: 'easypost' });
  const first = await send(quoteBody());
  const asked = scripted.calls.rate;
  const replay = await send(quoteBody());
  assert.equal(replay.headers['idempotency-replayed'], 'true');
  assert.equal(replay.text, first.text);
  assert.equal((await send(quoteBody({ metadata: { another: 'one' } }))).status, 422);
  assert.equal(scripted.calls.rate, asked);
});

test('both addresses are checked: isVerified says so, whatever was sent, and messages what is wrong', async () => {
  const { request } = await service.makeOrganization();
  await makeVans(request);
  const body = quoteBody({
    shipToAddress: { ...mountainView, postalCode: '10001', isVerified: true },
    shipFromAddress: { ...reno, isVerified: false },
  });
  const quote = await make(request, '/shipping-quotes', body);
  assert.deepEqual([quote.shipToAddress.isVerified, quote.shipFromAddress.isVerified], [false, true]);
  assert.deepEqual(quote.messages, ['shipToAddress.postalCode is not in CA']);
  assert.equal(quote.shippingRates.length, 2);
});

test('400 naming every part that is at fault where verified addresses are asked for, and nothing is written', async () => {
  const { request, id } = await service.makeOrganization();
  const before = await rowsOf(service.database, id);
  const body = quoteBody({
    shipToAddress: { ...mountainView, postalCode: '10001', street1: '' },
    shipFromAddress: { ...reno, country: 'XX' },
    requireVerified: true,
  });
  assert.deepEqual(issuesOf(await request('POST', '/shipping-quotes', body)), {
    '/shipToAddress/street1': 'required',
    '/shipToAddress/postalCode': 'not_allowed',
    '/shipFromAddress/country': 'not_allowed',
  });
  assert.deepEqual(await rowsOf(service.database, id), before);
  await make(request, '/shipping-quotes', quoteBody({ requireVerified: true }));
});

test('400 for an order that is unknown or another organization’s', async () => {
  const other = await service.makeOrganization();
  const foreign = await make(other.request, '/orders', {
    name: 'SO-',
    price: 1,
    orderDate: '2026-01-02T03:04:05Z',
  });
  for (const orderId of [newId(), foreign.id]) {
    const answer = await service.request('POST', '/shipping-quotes', quoteBody({ orderId }));
    assert.deepEqual(issuesOf(answer), { '/orderId': 'not_found' });
  }
});
