// Addresses, methods, request ids and keys, and which of several wrongs is said first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();
after(service.close);
const { request, app, key } = service;
const { operations } = service.contract;

test('404 for an address that nobody knows, and 405 with Allow for a method that it does not take', async () => {
  const unknown = await request('GET', '/no-such-thing');
  assert.deepEqual([unknown.status, unknown.body.error.details.code], [404, 'not_found']);
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const address = path.replaceAll(/\{\w+\}/g, '01a1fdbc-853e-75e2-b640-f14e98187f32');
    const methods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;
    const taken = methods.filter((method) => service.contract.find(method, address) !== undefined);
    for (const method of methods.filter((one) => !taken.includes(one))) {
      const answer = await request(method, address);
      assert.equal(answer.status, 405, `${method} ${path}`);
      const allowed = answer.headers['allow']!.split(', ').filter((name) => name !== 'HEAD');
      assert.deepEqual(allowed, taken, `${method} ${path}`);
    }
  }
});

test('every answer has a request id: the one that was sent when it is a plain token, else a new one', async () => {
  const sent = await request('GET', '/customers/x', undefined, { 'x-request-id': 'till-7:42' });
  assert.equal(sent.headers['x-request-id'], 'till-7:42');
  assert.equal(sent.body.error.details.requestId, 'till-7:42');
  for (const wrong of ['', 'a b', 'x'.repeat(129), '<script>']) {
    const { headers } = await request('GET', '/customers', undefined, { 'x-request-id': wrong });
    assert.match(headers['x-request-id']!, /^[0-9a-f-]{36}$/);
  }
  assert.ok((await app.inject('/healthz')).headers['x-request-id']);
});

test('the scheme of the key is taken in any case, and nothing else is', async () => {
  const send = (authorization: string) =>
    service.as(undefined)('GET', '/customers', undefined, { authorization });
  assert.equal((await send(`bearer ${key}`)).status, 200);
  for (const wrong of [
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key} x`,
    'Bearer',
    `Bearer ${key.slice(0, -1)}`,
  ]) {
    assert.equal((await send(wrong)).status, 401, wrong);
  }
});

test('what is wrong is judged in the documented order: 401, 400 of the envelope, 403, 400 of parameters, 404', async () => {
  const reader = service.as(await service.makeKey(['orders:read']));
  const writer = service.as(await service.makeKey(['orders:write']));
  const nowhere = { 'x-service-client': 'nobody' };
  const badKey = { 'idempotency-key': '' };
  const path = '/customers/no-id';
  const statuses = [
    await service.as(undefined)('POST', path, '{', badKey),
    await reader('POST', path, '{', nowhere),
    await reader('POST', path, { nonsense: 1 }, { ...badKey, ...nowhere }),
    await reader('POST', path, { nonsense: 1 }, nowhere),
    await writer('POST', path, { nonsense: 1 }, nowhere),
    await writer('POST', path, { name: 'x' }, nowhere),
    await writer('POST', path, { name: 'x' }),
  ];
  assert.deepEqual(
    statuses.map(({ body }) => body.error.details.code),
    [
      'unauthorized',
      'invalid_json',
      'invalid_header',
      'permission_denied',
      'invalid_parameters',
      'client_not_found',
      'not_found',
    ],
  );
});
