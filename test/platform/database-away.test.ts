// The database goes away and comes back: 503 in the meantime, nothing half done, no restart needed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import * as limits from '../../src/limits.ts';
import { type Answer, startTestApp } from '../support/app.ts';
import { type DatabaseProxy, startProxy } from '../support/proxy.ts';
import { addressOf, type Sample, sampleOf } from '../support/samples.ts';

let proxy!: DatabaseProxy;
const service = await startTestApp({
  logLevel: 'silent',
  answerTimeoutMs: 4_000,
  reach: async (url) => {
    proxy = await startProxy(url);
    return proxy.url;
  },
});
const direct = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
after(async () => {
  await direct.end();
  await service.close();
  await proxy.close();
});
const { app, request, contract } = service;

function assertUnavailable({ status, body, headers, text }: Answer): void {
  assert.equal(status, 503, text);
  assert.equal(body.error.details.code, 'unavailable');
  assert.ok(Number(headers['retry-after']) >= 1);
  assert.doesNotMatch(text, /127\.0\.0\.1|ECONN|postgres/i, 'the answer tells of our network');
}

const named = async (name: string) =>
  (await direct.query('select count(*)::int as n from customers where name = $1', [name])).rows[0].n;

test('every operation is 503 with Retry-After while it is away, and 200 as soon as it is back', async () => {
  const samples = new Map<string, Sample>();
  for (const operation of contract.operations) {
    samples.set(operation.operationId, await sampleOf(operation)(request));
  }
  await proxy.cut();
  for (const operation of contract.operations) {
    const sample = samples.get(operation.operationId)!;
    assertUnavailable(await request(operation.method, addressOf(operation, sample), sample.body));
  }
  assert.equal((await app.inject('/readyz')).statusCode, 503);
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  await proxy.mend();
  for (const operation of contract.operations) {
    const sample = samples.get(operation.operationId)!;
    const answer = await request(operation.method, addressOf(operation, sample), sample.body);
    assert.equal(answer.status, 200, `${operation.operationId}: ${answer.text}`);
  }
  assert.equal((await app.inject('/readyz')).statusCode, 200);
});

test('cut in the middle of many writes: what was answered 200 is stored, once; the rest may be sent again', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `Cut ${index}`);
  const send = (name: string) =>
    request('POST', '/customers', { name }, { 'idempotency-key': `cut ${name}` }).then((answer) => ({
      name,
      answer,
    }));
  const first = names.map(send);
  await sleep(15);
  await proxy.cut();
  const answers = await Promise.all(first);
  for (const { answer } of answers) if (answer.status !== 200) assertUnavailable(answer);
  for (const { name, answer } of answers) if (answer.status === 200) assert.equal(await named(name), 1);
  await proxy.mend();
  for (const { answer } of await Promise.all(names.map(send))) assert.equal(answer.status, 200, answer.text);
  for (const name of names) assert.equal(await named(name), 1, name);
});

test('a server that ends every connection, as one that restarts does, is forgotten at once', async () => {
  await request('GET', '/customers');
  await direct.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const answers = [await request('GET', '/customers')];
  while (answers.at(-1)!.status !== 200 && answers.length <= limits.poolSize) {
    assertUnavailable(answers.at(-1)!);
    answers.push(await request('GET', '/customers'));
  }
  assert.equal(answers.at(-1)!.status, 200, 'more requests failed than there were connections');
});

test('a server that falls silent is given up in time, what it held is let go, and its successor is used at once', async () => {
  await request('GET', '/customers');
  const write = () => request('POST', '/customers', { name: 'Silence' });
  proxy.stall();
  for (const answer of await Promise.all([request('GET', '/customers'), write()])) assertUnavailable(answer);
  await proxy.mend();
  assert.equal((await write()).status, 200);
  assert.equal(await named('Silence'), 1);
});

test('a database that takes no connections for now is 503 too', async () => {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const admin = new URL(service.databaseUrl);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2',
      [name, 'waybill-test'],
    );
    await request('GET', '/customers');
    assertUnavailable(await request('GET', '/customers'));
  } finally {
    await client.query(`alter database ${name} with allow_connections true`);
    await client.end();
  }
  assert.equal((await request('GET', '/customers')).status, 200);
});
