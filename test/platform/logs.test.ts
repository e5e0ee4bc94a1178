// The log says who did what and how it went, and holds no key and nothing of what was sent.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const lines: string[] = [];
const service = await startTestApp({
  logLevel: 'trace',
  server: { logStream: { write: (line) => lines.push(line) } },
});
after(service.close);
const { app, key, contract, request } = service;

const secret = 'NOBODY-MAY-READ-THIS';

test('one line for each request: operation, status, time, request id, organization and key id', async () => {
  lines.length = 0;
  const { headers } = await request('GET', '/customers?search=x', undefined, { 'x-request-id': 'till-7' });
  assert.equal(headers['x-request-id'], 'till-7');
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assert.ok(line.ms >= 0 && line.apiKeyId.length === 36);
  assert.deepEqual(
    [line.operationId, line.method, line.path, line.status, line.requestId, line.organizationId],
    ['listCustomers', 'GET', '/api/v1/customers', 200, 'till-7', service.organizationId],
  );
});

test('no key, no header and nothing of a body or of a query is logged, whatever happens', async () => {
  for (const operation of contract.operations) {
    const sample = await sampleOf(operation)(request);
    const send = (body: unknown, headers = {}) =>
      request(operation.method, addressOf(operation, sample), body, headers);
    await send(sample.body);
    await send({ [secret]: secret });
    await send(`{"name":"${secret}`);
    await service.as(`wb_live_${secret}`)(operation.method, addressOf(operation, sample), sample.body);
    await service.as(undefined)(operation.method, addressOf(operation, sample), sample.body, {
      authorization: `Basic ${secret}`,
    });
  }
  await request('POST', '/customers', { name: secret, email: secret });
  await request('GET', `/customers?search=${secret}`);
  await request('GET', '/customers', undefined, { 'x-service-client': secret, cookie: secret });
  const log = lines.join('');
  assert.ok(log.length > 0);
  assert.ok(!log.includes(secret));
  assert.ok(!log.includes(key) && !/wb_(live|test)_\w/.test(log));
});

test('a failure of the service itself is logged with its stack and answered with the request id alone', async () => {
  lines.length = 0;
  const { database } = service;
  const { query } = database;
  database.query = async () => {
    throw new Error(`secret cause ${secret.length}`);
  };
  const answer = await request('GET', '/customers');
  database.query = query;
  assert.equal(answer.status, 500);
  assert.deepEqual(answer.body.error.details, {
    code: 'internal_error',
    requestId: answer.headers['x-request-id'],
  });
  assert.doesNotMatch(answer.text, /cause/);
  const failure = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 50);
  assert.match(failure.err.stack, /secret cause/);
  assert.equal(failure.requestId, answer.headers['x-request-id']);
});

test('what operators look at needs no key', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    const answer = await app.inject(path);
    assert.ok([200, 302].includes(answer.statusCode), path);
    assert.ok(!answer.body.includes(key), path);
  }
});
