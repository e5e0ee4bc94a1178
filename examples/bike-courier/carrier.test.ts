// The example carrier against a courier on a port of this machine: it sells, is asked, takes back, and fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { address } from '../../src/address.ts';
import { type CarrierAccount, CarrierError, type Purchase } from '../../src/carriers/carrier.ts';
import { makeBikeCourier } from './carrier.ts';

const jobs = new Map<string, { id: string; number: string; state: string; changes: object[] }>();
let failure: number | undefined;
const server = createServer((request, response) => {
  const reference = request.url!.split('/').at(-1)!;
  const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
  if (request.headers['x-key'] !== 'key') return answer(401, 'who?');
  if (failure !== undefined) return answer(failure, 'no');
  if (request.url!.startsWith('/price')) return answer(200, { price: '4.50' });
  const known = jobs.get(reference) ?? [...jobs.values()].find(({ id }) => id === reference);
  if (request.method === 'GET') return known === undefined ? answer(404, 'none') : answer(200, known);
  if (known !== undefined) {
    if (request.url!.startsWith('/jobs/by-id/')) known.state = 'cancelled';
    return answer(200, known);
  }
  const changes = [{ state: 'booked', at: '2026-11-21T09:00:00Z', who: '' }];
  const job = { id: `job-${jobs.size + 1}`, number: `BIKE${1000 + jobs.size}`, state: 'booked', changes };
  jobs.set(reference, job);
  return answer(200, job);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const courier = makeBikeCourier({ baseUrl });
const account: CarrierAccount = {
  ...{ organizationId: 'o', ownerOrganizationId: 'o', id: 'a', kind: 'easypost', carrierCode: 'bike' },
  ...{ description: 'Bike', settings: {}, credentials: { apiKey: 'key' } },
};
const { signal } = new AbortController();

function purchase(reference: string, weights = [2]): Purchase {
  const parcels = weights.map((weight, index) => ({
    ...{
      id: String(index),
      weight,
      weightUnit: 'kg' as const,
      dimensions: null,
      dimensionsUnit: 'cm' as const,
    },
  }));
  const place = address({ street1: 'Markt 1', postalCode: '04109', city: 'Leipzig', country: 'DE' });
  const rate = { serviceCode: 'bike', serviceName: 'Bike', rateTotal: '4.50', rateSurcharges: '0' };
  return {
    ...{
      reference,
      parcels,
      shipTo: place,
      shipFrom: place,
      returnAddress: null,
      customs: null,
      insurance: null,
    },
    ...{ shippingDate: new Date('2026-11-21T09:00:00Z'), labelFormat: 'pdf', zplDpi: 203 },
    rate: {
      ...rate,
      ...{ compareAtRate: null, currency: 'eur', estDeliveryDays: 0, estDeliveryDate: null, message: null },
      ...{ deliveryDateGuaranteed: false, carrierReference: null },
    },
  };
}

const refusal = (failed: CarrierError['failure'], bought: 'no' | 'unknown') => (error: unknown) =>
  error instanceof CarrierError && error.failure === failed && error.bought === bought;

test('rates what it can carry, and says what it cannot', async () => {
  const [rate] = await courier.rate(account, purchase('r'), signal);
  assert.deepEqual([rate!.serviceCode, rate!.rateTotal, rate!.currency], ['bike', '4.50', 'eur']);
  await assert.rejects(
    courier.rate(account, purchase('r', [15, 6]), signal),
    refusal('carrier_rejected', 'no'),
  );
});

test('sells a reference once, finds it, tracks it and takes it back', async () => {
  assert.equal(await courier.find(account, purchase('one'), signal), undefined);
  const bought = await courier.buy(account, purchase('one', [1, 1]), signal);
  assert.deepEqual(
    bought.parcels.map(({ trackingCode }) => trackingCode),
    ['BIKE1000-1', 'BIKE1000-2'],
  );
  assert.deepEqual(await courier.buy(account, purchase('one', [1, 1]), signal), bought);
  assert.deepEqual(await courier.find(account, purchase('one', [1, 1]), signal), bought);
  const { shipTo, shipFrom, rate } = purchase('one');
  const label = {
    ...{
      reference: 'one',
      carrierReference: bought.carrierReference,
      trackingCodes: ['BIKE1000-1'],
      shipTo,
      shipFrom,
    },
    ...{ serviceCode: rate.serviceCode, purchasedAt: new Date(), estDeliveryDate: null },
  };
  assert.equal((await courier.track(account, label, signal)).events[0]!.status, 'pre-transit');
  assert.equal(await courier.void(account, label, signal), 'voided');
});

test('an answer that is lost leaves a purchase open, a refusal does not', async () => {
  failure = 503;
  await assert.rejects(
    courier.buy(account, purchase('two'), signal),
    refusal('carrier_unavailable', 'unknown'),
  );
  failure = 422;
  await assert.rejects(courier.buy(account, purchase('two'), signal), refusal('carrier_rejected', 'no'));
  failure = undefined;
  const stranger = { ...account, credentials: {} };
  await assert.rejects(courier.buy(stranger, purchase('two'), signal), refusal('carrier_credentials', 'no'));
  const ended = AbortSignal.abort();
  await assert.rejects(courier.buy(account, purchase('two'), ended), refusal('carrier_timeout', 'unknown'));
  const nobody = makeBikeCourier({ baseUrl: 'http://127.0.0.1:1' });
  await assert.rejects(
    nobody.buy(account, purchase('two'), signal),
    refusal('carrier_unavailable', 'unknown'),
  );
});
