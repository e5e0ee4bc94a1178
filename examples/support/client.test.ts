// What the client promises: a write is retried with the same key, what cannot be helped fails at once with its reason.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClient, RequestFailed } from './client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify(body));
};

/** A service that gives these answers, one a request, and notes what it was asked. */
async function withService(answers: Answer[], use: (url: string, seen: IncomingMessage[]) => Promise<void>) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    const answer = answers.shift() ?? json(500, { error: { message: 'no answer left' } });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await use(`http://127.0.0.1:${port}/api/v1`, seen);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const options = { key: 'wb_live_x', run: 'test', connections: 2 };

test('a write is sent again after 503, 429, a broken connection and its own running attempt, with one key', async () => {
  const answers = [
    json(503, {}),
    json(429, {}, { 'retry-after': '0' }),
    (request: IncomingMessage) => void request.socket.destroy(),
    json(409, { error: { details: { code: 'idempotency_key_in_use' } } }, { 'retry-after': '0' }),
    json(200, { data: { id: 'one' } }, { 'idempotency-replayed': 'true' }),
  ];
  await withService(answers, async (url, seen) => {
    const client = createClient({ ...options, url });
    const answer = await client.post('/orders', 'invoice 1', { name: 'OR-' });
    assert.deepEqual(answer, { body: { data: { id: 'one' } }, replayed: true });
    assert.deepEqual(client.requests, { sent: 5, retried: 4 });
    assert.equal(seen[0]?.url, '/api/v1/orders');
    assert.equal(new Set(seen.map((request) => request.headers['idempotency-key'])).size, 1);
    client.close();
  });
});

test('another write, and the same write of another run, have other keys', async () => {
  const answers = Array.from({ length: 4 }, () => json(200, {}));
  await withService(answers, async (url, seen) => {
    const client = createClient({ ...options, url });
    const again = createClient({ ...options, url });
    const other = createClient({ ...options, url, run: 'other' });
    await client.post('/orders', 'invoice 1', {});
    await again.post('/orders', 'invoice 1', {});
    await client.post('/orders', 'invoice 2', {});
    await other.post('/orders', 'invoice 1', {});
    const keys = seen.map((request) => request.headers['idempotency-key']);
    assert.equal(keys[0], keys[1]);
    assert.equal(new Set(keys).size, 3);
    for (const one of [client, again, other]) one.close();
  });
});

test('a refusal is not sent again and tells its code; patience ends', async () => {
  const refusal = json(409, { error: { message: 'taken', details: { code: 'alias_taken', orderId: 'o' } } });
  await withService([refusal, json(503, {}), json(503, {}), json(503, {})], async (url) => {
    const client = createClient({ ...options, url, patienceMs: 100 });
    await assert.rejects(client.post('/orders', 'invoice 1', {}), (error) => {
      assert(error instanceof RequestFailed);
      assert.deepEqual([error.status, error.code, error.details['orderId']], [409, 'alias_taken', 'o']);
      return true;
    });
    await assert.rejects(client.get('/orders'), /GET \/orders: 503/);
    client.close();
  });
});

test('a list is read to its end, page by page', async () => {
  const answers = [
    json(200, { data: [1, 2], hasMore: true, nextCursor: 'next' }),
    json(200, { data: [3], hasMore: false, nextCursor: null }),
  ];
  await withService(answers, async (url, seen) => {
    const client = createClient({ ...options, url });
    assert.deepEqual(await Array.fromAsync(client.list('/orders', { sortBy: 'orderDate' })), [1, 2, 3]);
    assert.equal(seen[1]?.url, '/api/v1/orders?limit=100&sortBy=orderDate&cursor=next');
    client.close();
  });
});
