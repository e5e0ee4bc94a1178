// More than can be done: it is refused before anything is done for it, and what was let in is answered.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/database/ids.ts';
import * as limits from '../../src/limits.ts';
import { startTestApp } from '../support/app.ts';
import { makeProduct } from '../support/factories.ts';

const service = await startTestApp();
after(service.close);
const { app, database, request } = service;

const metric = async (reason: string) => {
  const { body } = await app.inject('/metrics');
  return Number(new RegExp(`waybill_http_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(body)?.[1] ?? 0);
};
const get = () => request('GET', '/customers?limit=1');

/**
 * Holds the database, with a long line of requests that want to begin, while `work` runs. Returns the statuses of the line,
 * which is sent straight to the service: it must be long before it has waited, and a proxy in between takes its time.
 */
async function jammed(work: () => Promise<void>): Promise<number[]> {
  const headers = { authorization: `Bearer ${service.key}` };
  const held = await Promise.all(Array.from({ length: limits.poolSize }, () => database.pool.connect()));
  const begun = Array.from({ length: limits.poolSize }, () => database.pool.query('select 1'));
  const line = Array.from({ length: limits.shortLine + 1 }, () =>
    app.inject({ url: '/api/v1/customers?limit=1', headers }),
  );
  try {
    // Asked after them, answered after the last of them has come.
    await app.inject('/healthz');
    await sleep(limits.lineMs * 1.2);
    await work();
  } finally {
    for (const client of held) client.release();
  }
  await Promise.all(begun);
  return (await Promise.all(line)).map(({ statusCode }) => statusCode);
}

test('503 overloaded with Retry-After when the line stands still; who stood in it is answered', async () => {
  // What is made once is made now: the line gives up after five seconds.
  await Promise.all([get(), app.inject('/openapi.json')]);
  const refusedBefore = await metric('database');
  const sent: string[] = [];
  const letIn = await jammed(async () => {
    const before = database.onStatement;
    database.onStatement = (text) => sent.push(text);
    const refused = await Promise.all([get(), get(), request('GET', '/orders/x')]);
    database.onStatement = before;
    for (const answer of refused) {
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.body.error.details.code, 'overloaded');
      assert.equal(answer.headers['retry-after'], String(limits.retryAfterSeconds));
      assert.ok(answer.headers['x-request-id']);
    }
    for (const path of ['/healthz', '/metrics', '/openapi.json']) {
      assert.equal((await app.inject(path)).statusCode, 200, path);
    }
  });
  assert.deepEqual(sent, [], 'work was done for what was refused');
  assert.deepEqual(new Set(letIn), new Set([200]));
  assert.equal((await metric('database')) - refusedBefore, 3);
  assert.equal((await get()).status, 200);
});

test('a write that was refused has left nothing, and the same key does it afterwards, once', async () => {
  const key = { 'idempotency-key': newId() };
  const create = () => request('POST', '/customers', { name: 'Refused Once' }, key);
  await jammed(async () => assert.equal((await create()).status, 503));
  const named = async () =>
    (await database.pool.query(`select 1 from customers where name = 'Refused Once'`)).rowCount;
  assert.equal(await named(), 0);
  assert.equal((await create()).headers['idempotency-replayed'], undefined);
  assert.equal((await create()).headers['idempotency-replayed'], 'true');
  assert.equal(await named(), 1);
});

test('who waits for events is no load: others are served, and no connection is held', async () => {
  const last = (await request('GET', '/events?limit=100')).body.data.at(-1)?.sequence ?? 0;
  const refusedBefore = await metric('database');
  const waiting = Array.from({ length: 200 }, () => request('GET', `/events?after=${last}&wait=30`));
  do await sleep(100);
  while (database.pool.waitingCount > 0);
  for (let n = 0; n < 50; n += 1) assert.equal((await get()).status, 200);
  await makeProduct(request);
  // Somebody numbers: here it is another reader.
  await request('GET', '/events');
  for (const { status, body } of await Promise.all(waiting)) {
    assert.equal(status, 200);
    assert.equal(body.data[0].type, 'product.created');
  }
  assert.equal(await metric('database'), refusedBefore);
});

test('503 for who has waited too long, though the line was short when he came', async () => {
  const held = await Promise.all(Array.from({ length: limits.poolSize }, () => database.pool.connect()));
  const begun = Array.from({ length: limits.poolSize }, () => database.pool.query('select 1'));
  const answer = await get();
  for (const client of held) client.release();
  await Promise.all(begun);
  assert.deepEqual([answer.status, answer.body.error.details.code], [503, 'overloaded']);
});

test('who stood in line is let in one by one, also while all of them wait for one key to be looked up', async () => {
  const other = service.as(await service.makeKey(['all']));
  const held = await Promise.all(Array.from({ length: limits.poolSize }, () => database.pool.connect()));
  const begun = Array.from({ length: limits.poolSize }, () => database.pool.query('select 1'));
  const line = Array.from({ length: 200 }, () => other('GET', '/customers?limit=1'));
  await sleep(50);
  let most = 0;
  const look = () => {
    most = Math.max(most, database.pool.waitingCount);
  };
  database.pool.on('acquire', look);
  for (const client of held) client.release();
  const answers = await Promise.all(line);
  database.pool.off('acquire', look);
  await Promise.all(begun);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(most <= 5 * limits.poolSize, `${most} waited for a connection`);
});

test('a burst of half as many as a short line holds is answered whole', async () => {
  const answers = await Promise.all(Array.from({ length: limits.shortLine / 2 }, get));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

test('/openapi.json is the same bytes for whoever asks: who does not read it holds none of his own', async () => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const written: unknown[] = [];
  app.server.prependListener('request', (_request, response) => {
    const { end } = response;
    response.end = ((...given: unknown[]) => {
      written.push(given[0]);
      return Reflect.apply(end, response, given);
    }) as typeof end;
  });
  for (let n = 0; n < 2; n += 1) assert.equal((await fetch(`${url}/openapi.json`)).status, 200);
  assert.ok(Buffer.isBuffer(written[0]));
  assert.equal(written[0], written[1]);
});
