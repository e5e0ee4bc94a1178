// Clients that are slow, idle or many: each costs little, for a bounded time, and others are served meanwhile.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { nothingRefused } from '../../src/http/admission.ts';
import type { ConnectionLimits } from '../../src/http/connections.ts';
import { makeServer } from '../../src/http/server.ts';
import * as limits from '../../src/limits.ts';
import { startTestApp } from '../support/app.ts';
import { converse, listen } from '../support/socket.ts';

const service = await startTestApp();
after(service.close);

/** A server with other bounds, and one answer that is far more than the kernel keeps for a connection when it is asked for often. */
async function startServer(bounds: Partial<ConnectionLimits>) {
  const refused = nothingRefused();
  const app = await makeServer({ logLevel: 'error', connections: bounds, refused });
  after(() => app.close());
  const big = JSON.stringify('x'.repeat(2_000_000));
  app.get('/big', (_request, reply) => reply.header('content-type', 'application/json').send(big));
  app.get('/small', async () => 'small');
  return { app, refused, port: await listen(app) };
}

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** A connection that has sent `text`; what it received is kept unless it does not read. */
function open(port: number, text = '', reads = true) {
  const socket = connect(port, '127.0.0.1');
  const state = { socket, received: '', closed: false };
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('close', () => {
    state.closed = true;
  });
  if (reads) {
    socket.on('data', (chunk) => {
      state.received += chunk;
    });
  }
  if (text !== '') socket.write(text);
  return state;
}

const connections = (app: FastifyInstance) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

const head = (method: string, path: string, headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const announce = (path: string, length: number, key?: string) =>
  head('POST', path, [
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
  ]);
const codeOf = (received: string) =>
  JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4)).error.details.code as string;

test('large bodies are let in up to a sum; one more is 503 before it is sent, and small ones are taken', async () => {
  const { app, key } = service;
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const bulk = announce('/api/v1/inventory/bulk', limits.bulkBodyBytes, key);
  const many = limits.largeBodiesBytes / limits.bulkBodyBytes;
  const slow = Array.from({ length: many }, () => open(port, bulk));
  let refused = open(port, bulk);
  // Which of them came last is not certain.
  await until(() => [...slow, refused].some(({ received }) => received.includes('\r\n\r\n')));
  refused = [...slow, refused].find(({ received }) => received !== '')!;
  assert.match(refused.received, /^HTTP\/1\.1 503 /);
  assert.match(refused.received, /\r\nretry-after: 1\r\n/i);
  assert.equal(codeOf(refused.received), 'overloaded');
  const chunked = head('POST', '/api/v1/inventory/bulk', [
    'Transfer-Encoding: chunked',
    'Content-Type: application/json',
    'Connection: close',
    `Authorization: Bearer ${key}`,
  ]);
  assert.match((await converse(port, chunked)).received, /^HTTP\/1\.1 503 /);
  assert.equal((await service.request('POST', '/customers', { name: 'Small' })).status, 200);
  for (const { socket } of slow) socket.destroy();
  refused.socket.destroy();
  const big = { name: 'x'.repeat(limits.smallBodyBytes) };
  await until(async () => (await service.request('POST', '/customers', big)).status !== 503);
  assert.equal((await service.request('POST', '/customers', big)).status, 400);
});

test('bodies that are sent without a key use up no room but their own', async () => {
  const port = (service.app.server.address() as { port: number }).port;
  const unknown = `/api/v1/carrier-webhooks/${service.organizationId}/${service.organizationId}`;
  const many = limits.largeBodiesWithoutKeyBytes / limits.bodyBytes + 1;
  const slow = Array.from({ length: many }, () => open(port, announce(unknown, limits.bodyBytes)));
  await until(() => slow.some(({ received }) => received.startsWith('HTTP/1.1 503 ')));
  const answer = await service.request('POST', '/customers', { name: 'x'.repeat(limits.smallBodyBytes) });
  assert.equal(answer.status, 400);
  // Without a key where one is needed, a body is never waited for.
  const closing = announce('/api/v1/inventory/bulk', limits.bulkBodyBytes);
  const refused = open(port, closing);
  await until(() => refused.received !== '');
  assert.match(refused.received, /^HTTP\/1\.1 401 /);
  for (const { socket } of [...slow, refused]) socket.destroy();
});

test('requests that are sent ahead are answered in order, 503 from the eleventh on', async () => {
  const port = (service.app.server.address() as { port: number }).port;
  const get = (close: boolean) =>
    head('GET', '/api/v1/customers?limit=1', [
      `Authorization: Bearer ${service.key}`,
      ...(close ? ['Connection: close'] : []),
    ]);
  const { received } = await converse(port, get(false).repeat(39) + get(true), 60_000);
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  assert.equal(statuses.length, 40);
  assert.deepEqual(statuses.slice(0, limits.pipelinedMax + 1), Array(limits.pipelinedMax + 1).fill('200'));
  assert.deepEqual(new Set(statuses), new Set(['200', '503']));
});

test('one connection too many is told 503 and closed; when another has gone there is room again', async () => {
  const { app, refused, port } = await startServer({ connections: 4 });
  const get = head('GET', '/small', ['Connection: close']);
  const idle = Array.from({ length: 4 }, () => open(port));
  await until(async () => (await connections(app)) === 4);
  const { received, closed } = await converse(port, get);
  assert.ok(closed);
  assert.match(received, /^HTTP\/1\.1 503 /);
  assert.match(received, /\r\nRetry-After: 1\r\n/);
  assert.equal(codeOf(received), 'overloaded');
  assert.equal(refused.connections, 1);
  idle[0]!.socket.destroy();
  await until(async () => (await converse(port, get)).received.startsWith('HTTP/1.1 200 '));
  for (const { socket } of idle) socket.destroy();
});

const askForMuch = head('GET', '/big', []).repeat(limits.pipelinedMax + 1);

test('who does not read an answer is cut off; who reads is not', async () => {
  const { app, port } = await startServer({ readMs: 300, lookMs: 20 });
  open(port, askForMuch, false).socket.pause();
  const reading = open(port, head('GET', '/small', []));
  await until(() => reading.received !== '');
  await until(async () => (await connections(app)) === 1);
  assert.equal(reading.closed, false);
  assert.match(reading.received, /^HTTP\/1\.1 200 /);
  reading.socket.destroy();
});

test('of too many bytes that nobody reads, the oldest go long before their time', async () => {
  const { app, port } = await startServer({ unreadBytes: 200_000, lookMs: 20 });
  let accepted = 0;
  app.server.on('connection', () => {
    accepted += 1;
  });
  for (let n = 0; n < 4; n += 1) open(port, askForMuch, false).socket.pause();
  await until(() => accepted === 4);
  await until(async () => (await connections(app)) === 0);
});
