// A business that ships by EasyPost, from quote to manifest, with EasyPost on a loopback port.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { startTestApp, testSecret } from '../../../test/support/app.ts';
import { quoteBody } from '../../../test/support/carriers.ts';
import { easypostKey, files, obey, recording, send, startEasyPost } from '../../../test/support/easypost.ts';
import { make, makeCarrierAccount } from '../../../test/support/factories.ts';
import { sql } from '../../database/connect.ts';
import { settleDue } from '../../shipments/watch-carriers.ts';
import { makeShipping } from '../../shipping.ts';

const easypost = await startEasyPost();
const webhookSecret = 'sécret';
const home = await startTestApp({ easypostUrl: easypost.url, logLevel: 'silent' });
after(() => Promise.all([home.close(), easypost.close()]));
beforeEach(() => {
  easypost.behave = obey;
  easypost.asked.length = 0;
});
const { request, database } = home;
const { id: accountId } = await makeCarrierAccount(request, {
  kind: 'easypost',
  carrierCode: 'usps',
  rateCard: undefined,
  credentials: { apiKey: easypostKey, webhookSecret },
});
const body = quoteBody({ carrierCode: 'usps', serviceCode: 'ground_advantage' });
const labelsSold = () => easypost.counts()['POST /shipments/shp/buy'];

test('quote, purchase, label', async () => {
  const quote = await make(request, '/shipping-quotes', quoteBody());
  assert.deepEqual(
    quote.shippingRates.map(({ serviceCode, rateTotal }: Record<string, unknown>) => [
      serviceCode,
      rateTotal,
    ]),
    [
      ['ground_advantage', 5.93],
      ['priority', 6.9],
      ['express', 33.1],
    ],
  );
  const [{ id: shippingRateId }] = quote.shippingRates;
  const buy = { shippingRateId, labelFormat: 'zpl' };
  const shipment = await make(request, `/shipping-quotes/${quote.id}/buy`, buy);
  assert.equal(shipment.purchaseStatus, 'purchased');
  assert.match(shipment.trackingCode, /^9400/);
  const { url, format, dpi } = shipment.packages[0].shippingLabel;
  assert.equal(format, 'zpl');
  assert(dpi === 203 || dpi === 300);
  assert.deepEqual((await home.app.inject(url)).rawPayload, files.zpl);
});

test('a purchase whose answer is lost is found, and is one label', async () => {
  easypost.behave = (asked, act, response) => {
    const answer = act();
    if (asked.path.endsWith('/buy')) response.destroy();
    else send(response, answer);
  };
  const answer = await request('POST', '/shipments', body);
  assert.equal(answer.status, 502);
  const { code, source, shipmentId } = answer.body.error.details;
  assert.deepEqual([code, source], ['carrier_unavailable', 'carrier']);
  easypost.behave = obey;
  await database.query(sql`
    update shipments set claimed_until = null, next_attempt_at = ${new Date(0)}
    where organization_id = ${home.organizationId} and id = ${shipmentId}`);
  const config = { secret: testSecret, easypostUrl: easypost.url };
  await settleDue(makeShipping({ database, config, log: { error: () => {} } }));
  const { data } = (await request('GET', `/shipments/${shipmentId}`)).body;
  assert.deepEqual([data.purchaseStatus, labelsSold()], ['purchased', 1]);
  assert.deepEqual((await home.app.inject(data.packages[0].shippingLabel.url)).rawPayload, files.pdf);
});

test("what EasyPost refuses is told in EasyPost's words", async () => {
  const [refused] = await recording('errors');
  easypost.behave = (asked, act, response) =>
    send(response, asked.path.endsWith('/buy') ? refused!.response : act());
  const { status, body: answer } = await request('POST', '/shipments', body);
  const { code, carrierErrorCode, carrierMessage } = answer.error.details;
  assert.deepEqual([status, code, carrierErrorCode], [502, 'carrier_rejected', 'PARAMETER.REQUIRED']);
  assert.equal(carrierMessage, 'Missing required parameter.; shipment: cannot be blank');
});

test('a webhook that is signed moves the tracker, another does not', async () => {
  const shipment = await make(request, '/shipments', body);
  const tracker = {
    tracking_code: shipment.trackingCode,
    status: 'in_transit',
    tracking_details: [{ status: 'in_transit', message: 'Picked up', datetime: new Date().toISOString() }],
  };
  const payload = JSON.stringify({ description: 'tracker.updated', result: tracker });
  const key = webhookSecret.normalize('NFKD');
  const signature = `hmac-sha256-hex=${createHmac('sha256', key).update(payload).digest('hex')}`;
  const post = (header: string) =>
    home.app.inject({
      method: 'POST',
      url: `/api/v1/carrier-webhooks/${home.organizationId}/${accountId}`,
      headers: { 'x-hmac-signature': header, 'content-type': 'application/json' },
      payload,
    });
  const trackerOf = async () => (await request('GET', `/shipments/${shipment.id}`)).body.data.tracker;
  assert.equal((await post(`${signature.slice(0, -1)}x`)).statusCode, 401);
  assert.notEqual((await trackerOf()).status, 'in-transit');
  assert.equal((await post(signature)).statusCode, 200);
  const { status, trackingDetails } = await trackerOf();
  assert.deepEqual(
    [status, trackingDetails[0].source, trackingDetails[0].message],
    ['in-transit', 'usps', 'Picked up'],
  );
});

test('a void is submitted, and what is left of the day is a scan form', async () => {
  const [kept, gone] = [await make(request, '/shipments', body), await make(request, '/shipments', body)];
  const voided = await make(request, `/shipments/${gone.id}/void`);
  assert.deepEqual([voided.voidStatus, voided.refundStatus], ['submitted', 'submitted']);
  const manifest = await make(request, '/manifests', { carrierAccountId: accountId, shipmentIds: [kept.id] });
  assert.deepEqual([manifest.status, manifest.shipmentCount], ['closed', 1]);
  assert.deepEqual((await home.app.inject(manifest.documentUrl)).rawPayload, files.pdf);
});
