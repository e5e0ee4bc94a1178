// Listing quotes: by day, by whether a shipment was bought with them, by where they go; totals that are exact.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeVans, mountainView, quoteBody } from '../../test/support/carriers.ts';
import { make } from '../../test/support/factories.ts';
import { systemScope } from '../auth/scope.ts';
import { newId } from '../database/ids.ts';
import { findRate, lockQuote, setQuoteShipment } from './queries.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

const service = await startTestApp();
after(service.close);

async function quotes(count: number) {
  const { request, id: organizationId } = await service.makeOrganization();
  const made: Json[] = [];
  for (let n = 0; n < count; n += 1) {
    const name = `Ada ${n}`;
    made.push(
      await make(request, '/shipping-quotes', quoteBody({ shipToAddress: { ...mountainView, name } })),
    );
  }
  const mark = (id: string, shipmentId: string | null) =>
    service.database.transaction(async (transaction) => {
      const scope = systemScope(organizationId);
      const write = { transaction, scope, now: new Date(), ifMatch: undefined };
      setQuoteShipment(write, (await lockQuote(write, id))!, shipmentId);
    });
  const list = async (query: string) => {
    const { body } = await request('GET', `/shipping-quotes?${query}`);
    assert.equal(body.totalCount, body.data.length, `${query}: the total and the rows`);
    return body.data.map(({ id }: { id: string }) => made.findIndex((quote) => quote.id === id)).sort();
  };
  return { request, organizationId, made, mark, list };
}

test('hasShipment, and the totals, follow what is bought and what has failed', async () => {
  const { made, mark, list, request } = await quotes(4);
  const shipmentId = newId();
  await mark(made[1].id, shipmentId);
  await mark(made[2].id, newId());
  await mark(made[2].id, newId());
  assert.deepEqual(await list('hasShipment=true'), [1, 2]);
  assert.deepEqual(await list('hasShipment=false'), [0, 3]);
  assert.deepEqual(await list(''), [0, 1, 2, 3]);
  const { body, headers } = await request('GET', `/shipping-quotes/${made[1].id}`);
  assert.deepEqual([body.data.shipmentId, headers['etag']], [shipmentId, '"2"']);
  await mark(made[2].id, null);
  assert.deepEqual(await list('hasShipment=true'), [1]);
  assert.deepEqual(await list('hasShipment=false'), [0, 2, 3]);
});

test('by the days on which they were made, in UTC and elsewhere', async () => {
  const { made, list } = await quotes(2);
  const day = made[0].createdAt.slice(0, 10);
  const [before, after] = [-1, 1].map((days) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10),
  );
  const range = (from: string, to: string) => `dateRange[from]=${from}&dateRange[to]=${to}`;
  assert.deepEqual(await list(range(before!, after!)), [0, 1]);
  assert.deepEqual(await list(range('2020-01-01', '2020-12-31')), []);
  assert.deepEqual(await list(`${range(before!, after!)}&timezone=Asia/Kolkata`), [0, 1]);
  assert.deepEqual(await list(`${range(before!, after!)}&hasShipment=true`), []);
});

test('search matches name and place, in any case', async () => {
  const { list } = await quotes(3);
  assert.deepEqual(await list('search=ada 1'), [1]);
  assert.deepEqual(await list('search=MOUNTAIN v'), [0, 1, 2]);
  assert.deepEqual(await list('search=94043&hasShipment=true'), []);
  assert.deepEqual(await list('search=nobody'), []);
});

test('a rate is found by its quote and its id together, in its own organization', async () => {
  const { organizationId, made, request } = await quotes(1);
  await makeVans(request);
  const quote = await make(request, '/shipping-quotes', quoteBody());
  const rateId = quote.shippingRates[0].id;
  const { database } = service;
  const found = await findRate(database, organizationId, quote.id, rateId);
  assert.deepEqual([found!.serviceCode, found!.rateTotal, found!.estDeliveryDays], ['economy', '5.0000', 4]);
  assert.ok(found!.estDeliveryDate instanceof Date);
  assert.equal(await findRate(database, organizationId, made[0].id, rateId), undefined);
  assert.equal(await findRate(database, newId(), quote.id, rateId), undefined);
});
