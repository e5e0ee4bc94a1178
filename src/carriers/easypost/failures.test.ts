// What goes wrong on the way to EasyPost, and whether there may be a label all the same.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import {
  type Behave,
  easypostKey,
  obey,
  recording,
  refusedBecause,
  send,
  startEasyPost,
} from '../../../test/support/easypost.ts';
import { easypostAccount, labelOf, purchaseOf, requestOf } from '../../../test/support/easypost-samples.ts';
import { CarrierError } from '../carrier.ts';
import { makeEasyPostCarrier } from './carrier.ts';
import { refusal } from './errors.ts';

const easypost = await startEasyPost();
after(() => easypost.close());
beforeEach(() => {
  easypost.behave = obey;
  easypost.asked.length = 0;
});
const carrier = makeEasyPostCarrier({ baseUrl: easypost.url });
/** Waits for a purchase no longer than this: only for those that are never answered. */
const hasty = makeEasyPostCarrier({
  baseUrl: easypost.url,
  timeouts: { connect: 30_000, again: 30_000, once: 300 },
});
const account = easypostAccount();
const signal = new AbortController().signal;
const rate = () => carrier.rate(account, requestOf(), signal);
const purchase = async () => {
  const [first] = await rate();
  easypost.asked.length = 0;
  return purchaseOf(first!);
};

/** Only what is sent to this address misbehaves. */
const only =
  (end: string, behave: Behave): Behave =>
  (asked, act, response) =>
    (asked.path.endsWith(end) ? behave : obey)(asked, act, response);

test('a purchase that EasyPost does not answer, before it or after it, is unknown, and is found where it was made', async () => {
  const ways: [Behave, boolean][] = [
    [() => {}, false],
    [(_, act) => act(), true],
    [(_, act, response) => response.writeHead(act().status).write('{"id":'), true],
  ];
  for (const [behave, made] of ways) {
    const wanted = await purchase();
    easypost.behave = only('/buy', behave);
    await assert.rejects(hasty.buy(account, wanted, signal), {
      failure: 'carrier_timeout',
      bought: 'unknown',
    });
    assert.equal(easypost.counts()['POST /shipments/shp/buy'], 1, 'it is not asked for again by itself');
    easypost.behave = obey;
    assert.equal((await carrier.find(account, wanted, signal)) !== undefined, made);
    const bought = await carrier.buy(account, wanted, signal);
    assert.deepEqual(await carrier.find(account, wanted, signal), bought);
  }
});

test('what is cut off, too long or no JSON after a purchase is unknown, and is found', async () => {
  const ways: Record<string, Behave> = {
    'could not be reached': (_, act, response) => {
      act();
      response.destroy();
    },
    'said what cannot be understood': (_, act, response) =>
      response.end(JSON.stringify(act().body).slice(0, 900)),
    'answered more than 4194304 bytes': (_, act, response) => {
      act();
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    'answered 502': (_, act, response) => {
      act();
      response.writeHead(502).end('<html>Bad Gateway</html>');
    },
    'said what cannot be understood: /tracking_code must be': (_, act, response) =>
      send(response, { status: 200, body: { ...act().body, tracking_code: 7 } }),
    'sold no label': (_, act, response) =>
      send(response, { status: 200, body: { ...act().body, postage_label: null } }),
  };
  for (const [message, behave] of Object.entries(ways)) {
    const wanted = await purchase();
    easypost.behave = only('/buy', behave);
    await assert.rejects(carrier.buy(account, wanted, signal), (error) => {
      assert(error instanceof CarrierError);
      assert.deepEqual([error.failure, error.bought], ['carrier_unavailable', 'unknown']);
      assert(error.message.startsWith(message), error.message);
      return true;
    });
    assert.equal(easypost.counts()['POST /shipments/shp/buy'], 1, message);
    easypost.behave = obey;
    assert.notEqual(await carrier.find(account, wanted, signal), undefined);
  }
});

test('429 means that nothing was done: it is tried again, also a purchase, until it is enough', async () => {
  let refusals = 2;
  const busy: Behave = (_, act, response) => {
    refusals -= 1;
    const body = { error: { code: 'RATE_LIMITED', message: 'Slow down.' } };
    send(response, refusals < 0 ? act() : { status: 429, body });
  };
  const wanted = await purchase();
  easypost.behave = only('/buy', busy);
  await carrier.buy(account, wanted, signal);
  assert.equal(easypost.counts()['POST /shipments/shp/buy'], 3);
  refusals = 100;
  await assert.rejects(carrier.buy(account, await purchase(), signal), {
    failure: 'carrier_unavailable',
    bought: 'no',
    carrierErrorCode: 'RATE_LIMITED',
    carrierMessage: 'Slow down.',
  });
  assert.equal(easypost.counts()['POST /shipments/shp/buy'], 3);
});

test('a wait that EasyPost asks for is kept where it is short, else it is given up at once', async () => {
  const hour = 3_600_000;
  const patient = makeEasyPostCarrier({
    baseUrl: easypost.url,
    timeouts: { connect: hour, again: hour, once: hour },
  });
  easypost.behave = (_, __, response) => response.writeHead(429, { 'retry-after': '3600' }).end('{}');
  await assert.rejects(patient.rate(account, requestOf(), signal), { failure: 'carrier_unavailable' });
  assert.deepEqual(easypost.counts(), { 'POST /shipments': 1 });
  const waits = ['0', '1'];
  easypost.behave = (_, act, response) => {
    const wait = waits.shift();
    if (wait === undefined) send(response, act());
    else response.writeHead(429, { 'retry-after': wait }).end();
  };
  assert.equal((await rate()).length, 3);
});

test('what has no effect is tried again after any failure', async () => {
  const failures: Behave[] = [
    (_, __, response) => response.writeHead(503).end(),
    (_, __, response) => response.destroy(),
    obey,
  ];
  easypost.behave = (...given) => failures.shift()!(...given);
  assert.equal((await rate()).length, 3);
  assert.deepEqual(easypost.counts(), { 'POST /shipments': 3 });
});

test('a refund that is not answered may have been asked for, and is not asked for again', async () => {
  const bought = await carrier.buy(account, await purchase(), signal);
  const label = labelOf(bought.carrierReference, [bought.trackingCode]);
  easypost.behave = only('/refund', (_, act, response) => {
    act();
    response.destroy();
  });
  await assert.rejects(carrier.void(account, label, signal), {
    failure: 'carrier_unavailable',
    bought: 'unknown',
  });
  assert.equal(await carrier.void(account, label, signal), 'submitted');
  assert.equal(easypost.counts()['POST /shipments/shp/refund'], 1);
});

test('the time limit of the caller ends a call', async () => {
  easypost.behave = () => {};
  await assert.rejects(carrier.rate(account, requestOf(), AbortSignal.timeout(50)), {
    failure: 'carrier_timeout',
    message: 'did not answer in time',
  });
});

test('where nobody listens nothing was bought', async () => {
  const wanted = await purchase();
  const nobody = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => nobody.once('listening', resolve));
  const { port } = nobody.address() as { port: number };
  await new Promise((resolve) => nobody.close(resolve));
  const lost = makeEasyPostCarrier({ baseUrl: `http://127.0.0.1:${port}/v2` });
  await assert.rejects(lost.buy(account, wanted, signal), {
    failure: 'carrier_unavailable',
    bought: 'no',
    message: 'could not be reached (ECONNREFUSED)',
  });
});

test('every recorded refusal keeps its code and words', async () => {
  const said = (await recording('errors')).map(({ response: { status, body } }) => {
    const { failure, bought, carrierErrorCode, carrierMessage } = refusal(status, body, 'unknown');
    assert.deepEqual([failure, bought], ['carrier_rejected', 'no']);
    return `${carrierErrorCode}: ${carrierMessage}`;
  });
  assert.deepEqual(said, [
    'PARAMETER.REQUIRED: Missing required parameter.; shipment: cannot be blank',
    'NOT_FOUND: The requested resource could not be found.; No eligible insurance found with provided tracking code.',
    'ADDRESS.VERIFY.FAILURE: Unable to verify address.; address: Address not found',
    'ADDRESS.VERIFY.FAILURE: Unable to verify address.; address: Address not found; street1: House number is missing',
    'PAYLOAD.NOT_FOUND: The payload(s) could not be found.',
  ]);
});

test('every status and the codes that say more than it', () => {
  const of = (status: number, code?: string) => {
    const { failure, bought } = refusal(status, { error: { code, message: ['a', { b: 'c' }] } }, 'unknown');
    return `${failure} ${bought}`;
  };
  for (const status of [401, 403]) assert.equal(of(status), 'carrier_credentials no');
  for (const status of [400, 402, 404, 409, 422]) assert.equal(of(status), 'carrier_rejected no');
  for (const status of [302, 500, 502, 503, 504]) assert.equal(of(status), 'carrier_unavailable unknown');
  assert.equal(of(429), 'carrier_unavailable no');
  assert.equal(of(408), 'carrier_timeout unknown');
  assert.equal(of(422, 'SHIPMENT.POSTAGE.NO_RESPONSE'), 'carrier_timeout unknown');
  assert.equal(of(422, 'SHIPMENT.PURCHASE.IN_PROGRESS'), 'carrier_unavailable unknown');
  assert.equal(refusal(422, { error: { message: ['a', { b: 'c' }] } }, 'no').carrierMessage, 'a; b: c');
  for (const odd of [undefined, 'plain words', 7, [[[[[['deep']]]]]], { error: null }]) {
    assert.equal(refusal(422, odd, 'no').carrierErrorCode, null);
  }
  assert.equal(refusal(422, { error: 'plain words' }, 'no').carrierMessage, 'plain words');
});

test('a wrong key, and settings that make no sense, are of the account; the key is in no error', async () => {
  const wrong = easypostAccount({ credentials: { apiKey: 'EZTKwrong' } });
  await assert.rejects(carrier.rate(wrong, requestOf(), signal), (error) => {
    assert(error instanceof CarrierError);
    assert.deepEqual([error.failure, error.carrierErrorCode], ['carrier_credentials', 'APIKEY.INACTIVE']);
    const encoded = Buffer.from('EZTKwrong:').toString('base64');
    assert(
      ![JSON.stringify(error), error.stack].some(
        (text) => text?.includes('EZTKwrong') || text?.includes(encoded),
      ),
    );
    return true;
  });
  for (const settings of [{ carrierAccountIds: 'ca_1' }, { easypostCarier: 'USPS' }]) {
    const failure = carrier.rate(easypostAccount({ settings }), requestOf(), signal);
    await assert.rejects(failure, { failure: 'carrier_credentials' });
  }
  await assert.rejects(carrier.rate(easypostAccount({ credentials: {} }), requestOf(), signal), {
    failure: 'carrier_credentials',
  });
});

test('a label is fetched only by https from public addresses or from EasyPost itself, without the key', async () => {
  let connections = 0;
  const inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => inside.once('listening', resolve));
  inside.unref();
  const { port } = inside.address() as { port: number };
  const places = [
    [`http://127.0.0.1:${port}/x.pdf`, 'names a file at an address that is not https'],
    ['file:///etc/passwd', 'names a file at an address that is not https'],
    [`https://user:pass@example.com/x.pdf`, 'names a file at an address that is not https'],
    [`https://127.0.0.1:${port}/x.pdf`, 'could not be reached'],
    [`https://localhost:${port}/x.pdf`, 'could not be reached'],
    [`https://[::ffff:127.0.0.1]:${port}/x.pdf`, 'could not be reached'],
  ] as const;
  for (const [url, message] of places) {
    const wanted = await purchase();
    easypost.behave = (asked, act, response) => {
      const answer = act();
      if (asked.path.includes('/label')) answer.body.postage_label.label_pdf_url = url;
      send(response, answer);
    };
    await assert.rejects(carrier.buy(account, wanted, signal), (error) => {
      assert(error instanceof CarrierError);
      assert.deepEqual([error.failure, error.bought], ['carrier_unavailable', 'unknown'], url);
      assert(error.message.startsWith(message), `${url}: ${error.message}`);
      return true;
    });
  }
  assert.equal(connections, 0);
  inside.close();
});

test('a redirect is not followed, and a label that is none is not taken', async () => {
  const ways: [string, Behave][] = [
    ['answered 302', (_, __, response) => response.writeHead(302, { location: easypost.url }).end()],
    ['gave a label that is no pdf', (_, __, response) => response.end('<html>Access denied</html>')],
  ];
  for (const [message, behave] of ways) {
    const wanted = await purchase();
    easypost.behave = only('.pdf', behave);
    await assert.rejects(carrier.buy(account, wanted, signal), { message, bought: 'unknown' });
    easypost.behave = obey;
    assert.notEqual(await carrier.find(account, wanted, signal), undefined);
  }
});

test('a purchase that cannot be looked for says nothing of the label', async () => {
  const wanted = await purchase();
  const wrong = easypostAccount({ credentials: { apiKey: `${easypostKey}x` } });
  await assert.rejects(carrier.find(wrong, wanted, signal), {
    failure: 'carrier_credentials',
    bought: 'unknown',
  });
  await assert.rejects(carrier.find(easypostAccount({ credentials: {} }), wanted, signal), {
    bought: 'unknown',
  });
  easypost.behave = (_, __, response) => send(response, refusedBecause('SHIPMENT.INVALID'));
  await assert.rejects(carrier.find(account, wanted, signal), {
    failure: 'carrier_rejected',
    bought: 'unknown',
  });
});

test('texts can be stored, whatever they hold', async () => {
  easypost.behave = (_, __, response) =>
    response.writeHead(422).end('{"error":{"code":"X","message":"nul \\u0000 half \\ud800"}}');
  await assert.rejects(rate(), { carrierMessage: 'nul \uFFFD half \uFFFD' });
});
