// EasyPost as a carrier, against its recorded answers: rates, purchases made once, labels, voids, tracking, the day's end.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  files,
  obey,
  recording,
  refusedBecause,
  send,
  startEasyPost,
} from '../../../test/support/easypost.ts';
import {
  easypostAccount,
  labelOf,
  parcelOf,
  purchaseOf,
  requestOf,
} from '../../../test/support/easypost-samples.ts';
import { type Bought, CarrierError } from '../carrier.ts';
import { makeEasyPostCarrier } from './carrier.ts';

const easypost = await startEasyPost();
after(() => easypost.close());
beforeEach(() => {
  easypost.behave = obey;
  easypost.asked.length = 0;
});
const carrier = makeEasyPostCarrier({ baseUrl: easypost.url });
const account = easypostAccount();
const signal = new AbortController().signal;

const rateOf = async (given = {}, code = 'ground_advantage') => {
  const rates = await carrier.rate(account, requestOf(given), signal);
  return rates.find(({ serviceCode }) => serviceCode === code)!;
};
const twoParcels = { parcels: [parcelOf(), parcelOf()] };
const labelFor = ({ carrierReference, parcels }: Bought) =>
  labelOf(
    carrierReference,
    parcels.map(({ trackingCode }) => trackingCode),
  );
const buy = async (given = {}) => {
  const rate = await rateOf(given);
  return carrier.buy(account, purchaseOf(rate, given), signal);
};
const shipmentIds = ({ carrierReference }: Bought): string[] => JSON.parse(carrierReference);

test('rates are those that EasyPost answered', async () => {
  const rates = await carrier.rate(account, requestOf(), signal);
  const { carrierReference, ...first } = rates[0]!;
  assert.deepEqual(first, {
    serviceCode: 'express',
    serviceName: 'Express',
    rateTotal: '33.1',
    rateSurcharges: '0',
    compareAtRate: '37.9',
    currency: 'usd',
    estDeliveryDays: 2,
    estDeliveryDate: null,
    deliveryDateGuaranteed: false,
    message: null,
  });
  assert.match(carrierReference!, /^\[\["shp_\w+","rate_\w+"\]\]$/);
  assert.deepEqual(
    rates.map(({ serviceCode, serviceName }) => `${serviceCode}: ${serviceName}`),
    ['express: Express', 'priority: Priority', 'ground_advantage: Ground Advantage'],
  );
  const [{ headers }] = easypost.asked as [(typeof easypost.asked)[0]];
  assert.equal(headers['content-type'], 'application/json');
});

test('several parcels cost their sum, and only what takes all of them is offered', async () => {
  let shipments = 0;
  easypost.behave = (_, act, response) => {
    const answer = act();
    shipments += 1;
    if (shipments === 2)
      answer.body.rates = answer.body.rates.filter(({ service }: never) => service !== 'Express');
    send(response, answer);
  };
  const rates = await carrier.rate(account, requestOf(twoParcels), signal);
  assert.deepEqual(
    rates.map(({ serviceCode, rateTotal, compareAtRate }) => [serviceCode, rateTotal, compareAtRate]),
    [
      ['priority', '13.8', '19.6'],
      ['ground_advantage', '11.86', '16.9'],
    ],
  );
  assert.deepEqual(easypost.counts(), { 'POST /shipments': 2 });
});

test('an account sells one carrier, at the cheapest of its accounts at EasyPost', async () => {
  easypost.behave = (_, act, response) => {
    const { status, body } = act();
    const [rate] = body.rates;
    body.rates.push({ ...rate, id: 'rate_a', carrier: 'FedExDefault', service: 'FEDEX_2_DAY', rate: '9.00' });
    body.rates.push({ ...rate, id: 'rate_b', service: 'Priority', rate: '6.50' });
    send(response, { status, body });
  };
  const rates = await carrier.rate(account, requestOf(), signal);
  assert.deepEqual(
    rates.map(({ serviceCode, rateTotal }) => `${serviceCode} ${rateTotal}`),
    ['express 33.1', 'priority 6.5', 'ground_advantage 5.93'],
  );
  const fedex = easypostAccount({ carrierCode: 'fedex', settings: { easypostCarrier: 'FedExDefault' } });
  const [only, ...others] = await carrier.rate(fedex, requestOf(), signal);
  assert.deepEqual([only!.serviceCode, only!.serviceName, others], ['fedex_2_day', 'Fedex 2 Day', []]);
  assert.deepEqual(await carrier.rate(easypostAccount({ carrierCode: 'ups' }), requestOf(), signal), []);
});

test("what the carrier complains of is its rates' message, and a refusal where it offers nothing", async () => {
  const messages = [
    { carrier: 'USPS', type: 'rate_error', message: 'Parcel too heavy', carrier_account_id: 'ca_1' },
    { carrier: 'UPS', type: 'rate_error', message: 'Invalid licence', carrier_account_id: 'ca_2' },
  ];
  easypost.behave = (_, act, response) => {
    const { status, body } = act();
    send(response, { status, body: { ...body, messages } });
  };
  const rates = await carrier.rate(account, requestOf(), signal);
  assert(rates.every(({ message }) => message === 'Parcel too heavy'));
  await assert.rejects(carrier.rate(easypostAccount({ carrierCode: 'ups' }), requestOf(), signal), {
    failure: 'carrier_rejected',
    carrierMessage: 'Invalid licence',
  });
});

test('a rate that cannot be understood does not lose the others', async () => {
  easypost.behave = (_, act, response) => {
    const answer = act();
    answer.body.rates[0].rate = 'ask';
    send(response, answer);
  };
  assert.equal((await carrier.rate(account, requestOf(), signal)).length, 2);
  easypost.behave = (_, act, response) => {
    const answer = act();
    for (const rate of answer.body.rates) rate.currency = null;
    send(response, answer);
  };
  await assert.rejects(carrier.rate(account, requestOf(), signal), {
    failure: 'carrier_unavailable',
    message: 'said what cannot be understood: /currency must be string',
  });
});

test('a purchase gives the tracking code, the label in its format, and what was charged', async () => {
  const bought = await buy();
  const [shipment] = [...easypost.shipments.values()].slice(-1);
  assert.deepEqual(bought, {
    drawing: null,
    trackingCode: shipment.tracking_code,
    parcels: [
      { trackingCode: shipment.tracking_code, label: { format: 'pdf', dpi: null, bytes: files.pdf } },
    ],
    carrierReference: JSON.stringify([shipment.id]),
    trackingUrl: 'https://track.easypost.com/djE6dHJrXzE5ZWQzY2NlMTU2YzRmZDZhNmQwMmViMjY4ZWZjZDZk',
    // The rate is 5.93; EasyPost charged a fee for insurance as well.
    rateTotal: '6.43',
  });
  assert.deepEqual(
    easypost.asked.map(({ headers, path }) => [path.replace(/shp_\w+/, 'shp'), 'authorization' in headers]),
    [
      ['/shipments', true],
      ['/shipments/shp/buy', true],
      ['/shipments/shp/label?file_format=PDF', true],
      ['/files/shp.pdf', false],
    ],
  );
});

test('a label in ZPL says its resolution', async () => {
  const { parcels } = await buy({ labelFormat: 'zpl', zplDpi: 203 });
  assert.deepEqual(parcels[0]!.label, { format: 'zpl', dpi: 300, bytes: files.zpl });
});

test('insurance is bought with the label', async () => {
  const bought = await buy({ ...twoParcels, insurance: { amount: 99.99, currency: 'usd' } });
  const amounts = shipmentIds(bought).map((id) => easypost.shipments.get(id).insurance);
  assert.deepEqual(amounts, ['50.00', '49.99']);
});

test('bought twice is bought once, and found', async () => {
  const rate = await rateOf();
  const purchase = purchaseOf(rate);
  assert.equal(await carrier.find(account, purchase, signal), undefined);
  const bought = await carrier.buy(account, purchase, signal);
  assert.deepEqual(await carrier.buy(account, purchase, signal), bought);
  assert.deepEqual(await carrier.find(account, purchase, signal), bought);
});

test('two purchases of one rate at the same moment are one label', async () => {
  const purchase = purchaseOf(await rateOf());
  const both = await Promise.all([1, 2].map(() => carrier.buy(account, purchase, signal)));
  assert.deepEqual(both[0], both[1]);
});

test('of several parcels each has its own label; those that are not bought yet are bought by the same call again', async () => {
  const purchase = purchaseOf(await rateOf(twoParcels), twoParcels);
  const [[first], [second]] = JSON.parse(purchase.rate.carrierReference!);
  easypost.behave = (asked, act, response) => {
    // This one surely was not sold; the first was.
    if (asked.path === `/shipments/${second}/buy`) response.writeHead(429, { 'retry-after': '3600' }).end();
    else send(response, act());
  };
  await assert.rejects(carrier.buy(account, purchase, signal), {
    failure: 'carrier_unavailable',
    bought: 'unknown',
  });
  easypost.behave = obey;
  assert.equal(await carrier.find(account, purchase, signal), undefined, 'part of it is not it');
  const code = easypost.shipments.get(first).tracking_code;
  const bought = await carrier.buy(account, purchase, signal);
  assert.equal(bought.parcels[0]!.trackingCode, code, 'the first is the one that was bought before');
  assert.equal(new Set(bought.parcels.map(({ trackingCode }) => trackingCode)).size, 2);
  assert.deepEqual(shipmentIds(bought), [first, second]);
  assert.deepEqual(await carrier.find(account, purchase, signal), bought);
});

test('where one of several parcels is refused, the others are given back, and nothing is bought', async () => {
  const purchase = purchaseOf(await rateOf(twoParcels), twoParcels);
  const [[first], [second]] = JSON.parse(purchase.rate.carrierReference!);
  easypost.behave = (asked, act, response) => {
    const refused = asked.path === `/shipments/${second}/buy`;
    send(response, refused ? refusedBecause('SHIPMENT.POSTAGE.FAILURE', 'No postage left') : act());
  };
  await assert.rejects(carrier.buy(account, purchase, signal), {
    failure: 'carrier_rejected',
    bought: 'no',
    carrierErrorCode: 'SHIPMENT.POSTAGE.FAILURE',
    carrierMessage: 'No postage left',
  });
  assert.equal(easypost.shipments.get(first).refund_status, 'submitted');
  easypost.behave = obey;
  assert.equal(await carrier.find(account, purchase, signal), undefined);
  await assert.rejects(carrier.buy(account, purchase, signal), { message: 'was bought and given back' });
});

test('where they cannot be given back, there may be labels', async () => {
  const purchase = purchaseOf(await rateOf(twoParcels), twoParcels);
  const [, [second]] = JSON.parse(purchase.rate.carrierReference!);
  easypost.behave = (asked, act, response) => {
    if (asked.path === `/shipments/${second}/buy`) send(response, refusedBecause('SHIPMENT.POSTAGE.FAILURE'));
    else if (asked.path.endsWith('/refund')) send(response, refusedBecause('SHIPMENT.REFUND.UNAVAILABLE'));
    else send(response, act());
  };
  await assert.rejects(carrier.buy(account, purchase, signal), {
    failure: 'carrier_rejected',
    bought: 'unknown',
  });
});

test('a shipment that somebody bought at another rate is not ours', async () => {
  const [rate, other] = await carrier.rate(account, requestOf(), signal);
  await carrier.buy(account, purchaseOf(other!), signal);
  assert.equal(await carrier.find(account, purchaseOf(rate!), signal), undefined);
  await assert.rejects(carrier.buy(account, purchaseOf(rate!), signal), {
    failure: 'carrier_rejected',
    bought: 'no',
  });
});

test('where none of several parcels was sold, nothing was', async () => {
  const purchase = purchaseOf(await rateOf(twoParcels), twoParcels);
  easypost.behave = (_, __, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
  await assert.rejects(carrier.buy(account, purchase, signal), {
    failure: 'carrier_unavailable',
    bought: 'no',
  });
});

test('a label that was given back at EasyPost is none, and is not sold again', async () => {
  const purchase = purchaseOf(await rateOf());
  const bought = await carrier.buy(account, purchase, signal);
  easypost.shipments.get(shipmentIds(bought)[0]!).refund_status = 'submitted';
  assert.equal(await carrier.find(account, purchase, signal), undefined);
  await assert.rejects(carrier.buy(account, purchase, signal), {
    message: 'was bought and given back',
    bought: 'no',
  });
});

test('a rate of another carrier, or of other parcels, is refused before anything is asked', async () => {
  const rate = await rateOf();
  easypost.asked.length = 0;
  for (const carrierReference of [null, 'card-7', '[]', '[["shp_1/../x","rate_1"]]']) {
    const purchase = purchaseOf({ ...rate, carrierReference });
    await assert.rejects(carrier.buy(account, purchase, signal), {
      failure: 'carrier_rejected',
      bought: 'no',
    });
    assert.equal(await carrier.find(account, purchase, signal), undefined);
  }
  await assert.rejects(carrier.buy(account, purchaseOf(rate, twoParcels), signal), CarrierError);
  assert.deepEqual(easypost.asked, []);
});

test('a void is submitted once; asked again it says how that stands', async () => {
  const bought = await buy();
  const label = labelFor(bought);
  easypost.asked.length = 0;
  assert.equal(await carrier.void(account, label, signal), 'submitted');
  assert.equal(await carrier.void(account, label, signal), 'submitted');
  const shipment = easypost.shipments.get(shipmentIds(bought)[0]!);
  for (const [status, outcome] of [
    ['refunded', 'voided'],
    ['rejected', 'rejected'],
    ['not_applicable', 'rejected'],
  ]) {
    shipment.refund_status = status;
    assert.equal(await carrier.void(account, label, signal), outcome);
  }
  assert.equal(easypost.counts()['POST /shipments/shp/refund'], 1);
});

test('a label that is under way is not taken back', async () => {
  const label = labelFor(await buy());
  easypost.behave = (asked, act, response) =>
    send(response, asked.path.endsWith('/refund') ? refusedBecause('SHIPMENT.REFUND.UNAVAILABLE') : act());
  assert.equal(await carrier.void(account, label, signal), 'rejected');
});

test('several parcels are void when all of them are', async () => {
  const bought = await buy(twoParcels);
  const label = labelFor(bought);
  assert.equal(await carrier.void(account, label, signal), 'submitted');
  const [first, second] = shipmentIds(bought).map((id) => easypost.shipments.get(id));
  first.refund_status = 'refunded';
  assert.equal(await carrier.void(account, label, signal), 'submitted');
  second.refund_status = 'refunded';
  assert.equal(await carrier.void(account, label, signal), 'voided');
});

test('tracking is what EasyPost knows of the scans', async () => {
  const [{ response }] = (await recording('retrieves-a-tracker')) as [
    Awaited<ReturnType<typeof recording>>[0],
  ];
  const bought = await buy();
  const shipment = easypost.shipments.get(shipmentIds(bought)[0]!);
  assert.deepEqual((await carrier.track(account, labelFor(bought), signal)).events, []);
  shipment.tracker = response.body;
  assert.deepEqual(await carrier.track(account, labelFor(bought), signal), {
    events: [
      {
        status: 'pre-transit',
        message: 'Pre-Shipment Info Sent to USPS',
        source: 'usps',
        occurredAt: new Date('2024-06-30T16:06:32Z'),
        location: null,
      },
      {
        status: 'pre-transit',
        message: 'Shipping Label Created',
        source: 'usps',
        occurredAt: new Date('2024-07-01T04:43:32Z'),
        location: { city: 'HOUSTON', state: 'TX', postalCode: '77063', country: null },
      },
    ],
    estDeliveryDate: new Date('2024-07-30T16:06:32Z'),
    trackingUrl: 'https://track.easypost.com/djE6dHJrXzhiNTgzM2MyYzNlNjQyOGFiMDlhNDhhMzFjMWE5MDcx',
    signedBy: null,
  });
  shipment.tracker = null;
  assert.deepEqual((await carrier.track(account, labelFor(bought), signal)).events, []);
});

test("the day's end is a scan form of all its shipments, and asked again the same one", async () => {
  const labels = [labelFor(await buy(twoParcels)), labelFor(await buy())];
  const closed = await carrier.manifest(account, labels, signal);
  assert.match(closed.carrierReference, /^sf_/);
  assert.deepEqual(closed.document, files.pdf);
  const { body } = easypost.asked.find(({ path }) => path === '/scan_forms')!;
  const ids = labels.flatMap(({ carrierReference }) => JSON.parse(carrierReference));
  assert.deepEqual(body, { scan_form: { shipments: ids.map((id) => ({ id })) } });
  assert.deepEqual(await carrier.manifest(account, labels, signal), closed);
  const more = [...labels, labelFor(await buy())];
  await assert.rejects(carrier.manifest(account, more, signal), {
    failure: 'carrier_rejected',
    carrierMessage: 'Some shipments are on a scan form already.',
  });
});

test('a scan form that fails says why', async () => {
  const label = labelFor(await buy());
  easypost.behave = ({ path }, act, response) => {
    const { status, body } = act();
    const failed = { ...body, status: 'failed', message: 'Shipments have different origins' };
    send(response, { status, body: path.startsWith('/scan_forms') ? failed : body });
  };
  await assert.rejects(carrier.manifest(account, [label], signal), {
    failure: 'carrier_rejected',
    carrierMessage: 'Shipments have different origins',
  });
});
