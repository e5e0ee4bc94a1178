// What a try withstands: receivers that hang, answer without end, redirect, or are not where they say they are.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { settleDeliveries } from '../../test/support/deliveries.ts';
import { makeProduct, makeWebhookEndpoint } from '../../test/support/factories.ts';
import { type Respond, startReceiver } from '../../test/support/receiver.ts';
import { isPublicAddress } from '../public-address.ts';
import { makeSender } from './send.ts';

const receiver = await startReceiver();
const other = await startReceiver();
const permissive = makeSender({ allowPrivate: true, timeoutMs: 400 });
const strict = makeSender({ allowPrivate: false, timeoutMs: 400 });
after(() => Promise.all([receiver.close(), other.close(), permissive.close(), strict.close()]));

const post = (respond: Respond, sender = permissive, url = receiver.url) => {
  receiver.respond = respond;
  return sender.post(url, {}, '{}');
};

test('a receiver that hangs is given up, before its headers and within its body', async () => {
  const before = await post(() => {});
  assert.deepEqual(before, { status: null, body: null, error: 'no answer in time' });
  const within = await post((_, response) => response.writeHead(200).write('so far'));
  assert.deepEqual(within, { status: 200, body: 'so far', error: null });
});

test('of a body without end the first kilobyte is kept, and the rest is not read', async () => {
  let sent = 0;
  const answer = await post((_, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000))) sent += 10_000;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  assert.deepEqual([answer.status, answer.body], [200, 'x'.repeat(1024)]);
  assert.ok(sent < 20_000_000, String(sent));
});

test('a body of any bytes is kept as text that can be stored', async () => {
  const answer = await post((_, response) => response.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0xc3])));
  assert.deepEqual(answer, { status: 500, body: 'a\uFFFD\uFFFD', error: null });
});

test('a redirect is an answer, and is not followed', async () => {
  const answer = await post((_, response) =>
    response.writeHead(307, { location: `${other.url}/secret` }).end(),
  );
  assert.equal(answer.status, 307);
  assert.deepEqual(other.received, []);
});

test('a name that resolves to loopback, and an address that is, are not connected to', async () => {
  const { port } = new URL(receiver.url);
  const before = receiver.received.length;
  for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    const answer = await post(() => {}, strict, `http://${host}:${port}/`);
    assert.equal(answer.status, null, host);
    assert.match(answer.error!, /is not a public address/, host);
  }
  assert.equal(receiver.received.length, before);
});

test('public is what is routed to everybody', () => {
  const list = (text: string) => text.split(' ');
  for (const address of list('8.8.8.8 93.184.216.34 2606:4700::1111'))
    assert.ok(isPublicAddress(address), address);
  const others =
    '0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.8.9.10 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 64:ff9b::a00:1 100::1 2001:db8::1 2002:7f00:1:: fc00::1 fe80::1 ff02::1';
  for (const address of list(others)) assert.ok(!isPublicAddress(address), address);
});

test('an endpoint that hangs slows down no other', async () => {
  const service = await startTestApp({ webhookAllowPrivate: true });
  try {
    receiver.respond = () => {};
    await makeWebhookEndpoint(service.request, { url: `${receiver.url}/hangs` });
    await makeWebhookEndpoint(service.request, { url: `${other.url}/answers` });
    const before = other.received.length;
    for (let index = 0; index < 20; index += 1) await makeProduct(service.request);
    const startedAt = Date.now();
    await settleDeliveries(service.database, { timeoutMs: 300 });
    const arrived = other.received.slice(before);
    assert.equal(arrived.length, 20);
    assert.ok(Math.max(...arrived.map(({ at }) => at)) - startedAt < 2000);
  } finally {
    await service.close();
  }
});
