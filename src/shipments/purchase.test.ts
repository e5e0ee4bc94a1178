// Whatever fails between us and a carrier: one label at most, and the order's stock agrees with it.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { quoteBody } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, makeOrder, makeStocked, unique } from '../../test/support/factories.ts';
import { fail, never, scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { type Database, sql } from '../database/connect.ts';
import { compile } from '../database/sql.ts';
import { makeShipping } from '../shipping.ts';
import { settleDue } from './watch-carriers.ts';

const script = scriptedCarrier();
const timing = { buyMs: 300, askMs: 300, settleMs: 0, retryMs: 0 };
const shipping = { carriers: { 'rate-card': script.carrier }, timing };
const home = await startTestApp({ shipping, logLevel: 'silent' });
after(home.close);
const { request, database } = home;
await makeCarrierAccount(request, { carrierCode: 'scripted' });

beforeEach(() => {
  script.sold.length = 0;
  script.buyFaults = [];
  script.findFaults = [];
});

/** As the background does it, and as another process would after a crash. */
const access = makeShipping({
  database,
  config: { secret: testSecret, easypostUrl: 'http://127.0.0.1:1' },
  log: { error: () => {} },
  ...shipping,
});

/** Claims of what has crashed run out, and everything is due. */
async function settle(): Promise<void> {
  await database.query(sql`
    update shipments set claimed_until = null, next_attempt_at = ${new Date(0)}
    where organization_id = ${home.organizationId} and purchase_status in ('pending', 'unknown')`);
  await settleDue(access);
}

async function packed() {
  const { variant, level } = await makeStocked(request, 10);
  const order = await makeOrder(request, {
    lineItems: [{ productVariantId: variant.id, quantity: 4, price: 1 }],
  });
  const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 4 }];
  const body = quoteBody({ carrierCode: 'scripted', serviceCode: 'ground', orderId: order.id, lineItems });
  return { order, level, body };
}

interface Packed {
  order: { id: string };
  level: () => Promise<{ onHandQuantity: number; committedQuantity: number }>;
}

async function assertShipped({ order, level }: Packed, shipmentId: string): Promise<void> {
  const shipment = (await request('GET', `/shipments/${shipmentId}`)).body.data;
  assert.equal(shipment.purchaseStatus, 'purchased');
  assert.deepEqual(script.sold, [{ reference: shipmentId, trackingCode: shipment.trackingCode }]);
  const { onHandQuantity, committedQuantity } = await level();
  assert.deepEqual([onHandQuantity, committedQuantity], [6, 0]);
  const shipped = (await request('GET', `/orders/${order.id}`)).body.data;
  assert.deepEqual([shipped.fulfillmentStatus, shipped.shipments.length], ['fulfilled', 1]);
}

async function assertNothing({ order, level }: Packed, shipmentId: string): Promise<void> {
  const shipment = (await request('GET', `/shipments/${shipmentId}`)).body.data;
  assert.deepEqual([shipment.purchaseStatus, shipment.trackingCode], ['failed', null]);
  assert.equal(shipment.packages[0].shippingLabel, null);
  assert.deepEqual(script.sold, []);
  const { onHandQuantity, committedQuantity } = await level();
  assert.deepEqual([onHandQuantity, committedQuantity], [10, 4]);
  const order2 = (await request('GET', `/orders/${order.id}`)).body.data;
  assert.deepEqual([order2.fulfillmentStatus, order2.shipments], ['open', []]);
  assert.equal((await request('GET', '/inventory/verify')).body.differences?.length ?? 0, 0);
}

const detailsOf = (answer: { body: { error: { details: Record<string, string> } } }) =>
  answer.body.error.details;

for (const [title, fault, status, code] of [
  ['the carrier hangs before it has made a label', { before: never }, 504, 'carrier_timeout'],
  ['the carrier hangs after it has made a label', { after: never }, 504, 'carrier_timeout'],
  [
    'the answer to a purchase is malformed',
    {
      after: () => {
        throw new TypeError('undefined is no label');
      },
    },
    502,
    'carrier_unavailable',
  ],
  [
    'the connection breaks before the purchase',
    { before: fail('carrier_unavailable', 'unknown') },
    502,
    'carrier_unavailable',
  ],
  [
    'the connection breaks after the purchase',
    { after: fail('carrier_unavailable', 'unknown') },
    502,
    'carrier_unavailable',
  ],
] as const) {
  test(`${title}: ${status} with the shipment's id, then one label`, async () => {
    const one = await packed();
    script.buyFaults = [fault];
    const answer = await request('POST', '/shipments', one.body);
    const { code: said, shipmentId, source } = detailsOf(answer);
    assert.deepEqual([answer.status, said, source], [status, code, 'carrier']);
    assert.equal((await request('GET', `/shipments/${shipmentId}`)).body.data.purchaseStatus, 'unknown');
    await settle();
    await assertShipped(one, shipmentId!);
  });
}

for (const [failure, status] of [
  ['carrier_rejected', 502],
  ['carrier_unavailable', 502],
  ['carrier_credentials', 502],
  ['carrier_timeout', 504],
] as const) {
  test(`${status} ${failure} where nothing was bought: stock and allocation are back, the key is free`, async () => {
    const one = await packed();
    script.buyFaults = [{ before: fail(failure, 'no', 'Too heavy for us') }];
    const headers = { 'idempotency-key': unique('key') };
    const reference = unique('reference');
    const answer = await request('POST', '/shipments', { ...one.body, reference }, headers);
    const { code, shipmentId, carrierErrorCode, carrierMessage } = detailsOf(answer);
    assert.deepEqual([answer.status, code], [status, failure]);
    assert.deepEqual([carrierErrorCode, carrierMessage], ['E1', 'Too heavy for us']);
    await assertNothing(one, shipmentId!);
    const again = await request('POST', '/shipments', { ...one.body, reference }, headers);
    assert.equal(again.status, 200, again.text);
    assert.notEqual(again.body.data.id, shipmentId);
    await assertShipped(one, again.body.data.id);
  });
}

test('a repeat with the same key goes on with the same purchase', async () => {
  const one = await packed();
  script.buyFaults = [{ after: never }];
  const headers = { 'idempotency-key': unique('key') };
  const first = await request('POST', '/shipments', one.body, headers);
  assert.equal(first.status, 504);
  const again = await request('POST', '/shipments', one.body, headers);
  assert.equal(again.status, 200, again.text);
  assert.equal(again.body.data.id, detailsOf(first)['shipmentId']);
  await assertShipped(one, again.body.data.id);
  const replay = await request('POST', '/shipments', one.body, headers);
  assert.equal(replay.headers['idempotency-replayed'], 'true');
  assert.equal(
    script.calls.rate,
    (await request('GET', '/shipments')).body.totalCount,
    'a repeat was rated anew',
  );
});

test('an outcome that cannot be asked for stays open, and is asked for again', async () => {
  const one = await packed();
  script.buyFaults = [{ after: never }];
  script.findFaults = [{ before: never }, { before: fail('carrier_unavailable', 'unknown') }];
  const { shipmentId } = detailsOf(await request('POST', '/shipments', one.body));
  for (const expected of ['unknown', 'unknown', 'purchased']) {
    await settle();
    assert.equal((await request('GET', `/shipments/${shipmentId}`)).body.data.purchaseStatus, expected);
  }
  await assertShipped(one, shipmentId!);
});

/** A process of its own on the same database, that ends at this statement as far as the database can tell. */
async function dying(at: RegExp) {
  const stop = ({ text }: { text: string }) => {
    if (at.test(text)) throw new Error('The process is gone');
  };
  const dead: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          query: (statement) => {
            stop(compile(statement));
            return transaction.query(statement);
          },
          send: (statement) => {
            stop(compile(statement));
            transaction.send(statement);
          },
          flush: transaction.flush,
          sendLast: transaction.sendLast,
        }),
      ),
  };
  const config = { ...readConfig({ WAYBILL_LOG_LEVEL: 'silent', WAYBILL_SECRET: testSecret }), ...home };
  const app = await buildApp({ database: dead, config, shipping });
  after(() => app.close());
  return (payload: object, headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/shipments',
      payload,
      headers: { authorization: `Bearer ${home.key}`, ...headers },
    });
}

for (const [phase, statement] of [
  ['before the intent is committed', /insert into shipment_packages/],
  ['between the intent and the claim', /set claimed_until = .* next_attempt_at/],
  ['between the purchase and its outcome', /set purchase_status = 'purchased'/],
] as const) {
  test(`the process dies ${phase}: one label in the end`, async () => {
    const one = await packed();
    const headers = { 'idempotency-key': unique('key') };
    const sent = await (await dying(statement))(one.body, headers);
    assert.equal(sent.statusCode, 500);
    await settle();
    const again = await request('POST', '/shipments', one.body, headers);
    assert.equal(again.status, 200, again.text);
    await assertShipped(one, again.body.data.id);
  });
}

for (const [phase, fault] of [
  ['before the carrier has heard', { before: never }],
  ['before its answer is heard', { after: never }],
] as const) {
  test(`the process dies in a call, ${phase}: one label in the end`, async () => {
    const one = await packed();
    script.buyFaults = [fault];
    const calls = script.calls.buy;
    const headers = { 'idempotency-key': unique('key') };
    const lost = request('POST', '/shipments', one.body, headers);
    while (script.calls.buy === calls) await sleep(5);
    const running = await request('POST', '/shipments', one.body, headers);
    assert.equal(`${running.status} ${detailsOf(running)['code']}`, '409 idempotency_key_in_use');
    await settle();
    const again = await request('POST', '/shipments', one.body, headers);
    assert.equal(again.status, 200, again.text);
    await lost;
    await assertShipped(one, again.body.data.id);
  });
}

test('20 requests for one quote buy it once; another rate of it is 409, and what expired is', async () => {
  const quote = await make(request, '/shipping-quotes', quoteBody());
  const body = { shippingRateId: quote.shippingRates[0].id };
  const all = await Promise.all(
    Array.from({ length: 20 }, () => request('POST', `/shipping-quotes/${quote.id}/buy`, body)),
  );
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  assert.equal(new Set(all.map((answer) => answer.body.data.id)).size, 1);
  assert.equal(script.sold.length, 1);
  const other = await request('POST', `/shipping-quotes/${quote.id}/buy`, { ...body, labelFormat: 'zpl' });
  assert.equal(`${other.status} ${detailsOf(other)['code']}`, '409 quote_bought');
  const old = await make(request, '/shipping-quotes', quoteBody());
  await database.query(sql`
    update shipping_quotes set expires_at = ${new Date(0)}
    where organization_id = ${home.organizationId} and id = ${old.id}`);
  const late = await request('POST', `/shipping-quotes/${old.id}/buy`, {
    shippingRateId: old.shippingRates[0].id,
  });
  assert.equal(`${late.status} ${detailsOf(late)['code']}`, '409 quote_expired');
  const mixed = await request('POST', `/shipping-quotes/${old.id}/buy`, body);
  assert.equal(mixed.status, 400);
  assert.equal(
    (await request('GET', '/shipping-quotes?hasShipment=true')).body.data[0].shipmentId,
    all[0]!.body.data.id,
  );
});

test('a purchase that failed leaves its quote to be bought again', async () => {
  const quote = await make(request, '/shipping-quotes', quoteBody());
  const body = { shippingRateId: quote.shippingRates[0].id };
  script.buyFaults = [{ before: fail('carrier_rejected', 'no') }];
  const failed = await request('POST', `/shipping-quotes/${quote.id}/buy`, body);
  assert.equal(failed.status, 502);
  assert.equal((await make(request, `/shipping-quotes/${quote.id}/buy`, body)).purchaseStatus, 'purchased');
});
