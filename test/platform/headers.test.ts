// Headers that tell a browser what it must not do with an answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { makeShipment } from '../support/samples-shipments.ts';

const service = await startTestApp();
after(service.close);
const { app, request, as } = service;

const label: string = (await makeShipment(request)).shipment.packages[0].shippingLabel.url;

test('every answer forbids guessing at types and telling others its address', async () => {
  const answers = {
    'a record': await request('GET', '/organization'),
    'an error': await request('GET', '/customers/none'),
    'no key': await as(undefined)('GET', '/customers'),
    'no such address': await request('GET', '/nowhere'),
    'no such method': await request('PUT', '/customers'),
    'a broken address': await request('GET', '/customers/%ff'),
    'a label': await app.inject(label),
    metrics: await app.inject('/metrics'),
    'the documentation': await app.inject('/docs/'),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    const { 'x-content-type-options': types, 'referrer-policy': address, 'x-request-id': id } = headers;
    assert.deepEqual([types, address, typeof id], ['nosniff', 'no-referrer', 'string'], name);
  }
});

test('the documentation runs scripts of its own only, has none within the page, and stands in no frame', async () => {
  for (const path of ['/docs', '/docs/', '/docs/static/swagger-initializer.js']) {
    const { headers } = await app.inject(path);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'self';/, path);
    assert.match(policy, /frame-ancestors 'none';/, path);
    assert.doesNotMatch(policy, /script-src|https?:|unsafe-eval/, path);
  }
  const page = (await app.inject('/docs/')).body;
  const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)</g)];
  assert.ok(scripts.length >= 3);
  for (const [, attributes, code] of scripts) {
    assert.match(attributes!, /src="\.\/static\//);
    assert.equal(code!.trim(), '');
  }
});
