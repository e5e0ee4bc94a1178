// What arrives on a real connection and is no proper request: half of one, none at all, or too much of it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { converse, listen } from '../support/socket.ts';

const requestTimeoutMs = 400;
const logged: string[] = [];
const service = await startTestApp({
  server: { requestTimeoutMs, logStream: { write: (line) => logged.push(line) } },
});
after(service.close);
const { app, contract, key, database } = service;
const port = await listen(app);

const customers = async () =>
  Number((await database.pool.query('select count(*)::int as n from customers')).rows[0].n);

const head = (length: number) =>
  `POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;

/** The error body of a raw answer. */
function errorOf(received: string): { code: string; requestId: string } {
  return JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4)).error.details;
}

const halfRequests: Record<string, string> = {
  'nothing at all after the first line': 'GET /api/v1/customers HTTP/1.1\r\n',
  'half of the headers': 'GET /api/v1/customers HTTP/1.1\r\nHost: x\r\nAuthoriz',
  'headers without the body they announce': `${head(20)}\r\n`,
  'half of the body': `${head(20)}\r\n{"name":"A`,
  'half of a chunked body': `${head(0).replace(/Content-Length.*/, 'Transfer-Encoding: chunked')}\r\nff\r\n{"na`,
};

for (const [name, text] of Object.entries(halfRequests)) {
  test(`408 and closed in good time: ${name}, and nothing is written`, async () => {
    const before = await customers();
    const { received, closed, ms } = await converse(port, text);
    assert.ok(closed, 'the server left the connection open');
    // Generous for a busy machine, and still far from the patience of whoever waits.
    assert.ok(ms < requestTimeoutMs * 10, `it took ${Math.round(ms)} ms`);
    assert.match(received, /^HTTP\/1\.1 408 /);
    assert.equal(errorOf(received).code, 'request_timeout');
    assert.equal(await customers(), before);
  });
}

test('a client that goes away in the middle of a body leaves nothing', async () => {
  const before = await customers();
  const { received, closed } = await converse(port, `${head(20)}\r\n{"name":"A`, 50);
  assert.deepEqual([received, closed], ['', false]);
  assert.equal(await customers(), before);
  assert.equal((await service.request('GET', '/customers')).status, 200);
});

const malformed: Record<string, [text: string, status: number]> = {
  'no HTTP': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  'a header without a colon': ['GET / HTTP/1.1\r\nHost x\r\n\r\n', 400],
  'two lengths that differ': [`${head(2)}Content-Length: 3\r\n\r\n{}`, 400],
  'a length and chunks': [`${head(2)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  'headers beyond measure': [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
};

for (const [name, [text, status]] of Object.entries(malformed)) {
  test(`${status} in the documented form, and closed: ${name}`, async () => {
    const { received, closed } = await converse(port, text);
    assert.ok(closed);
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(errorOf(received).requestId, /^[0-9a-f-]{36}$/);
    assert.match(received, /\r\nX-Content-Type-Options: nosniff\r\n/);
    const { responses } = contract.find('GET', '/customers')!.specification;
    assert.ok(status in responses, 'the document does not list it');
  });
}

test('an address with a broken escape is a 400 in the documented form', async () => {
  const text = `GET /api/v1/customers/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const { received } = await converse(port, text);
  assert.match(received, /^HTTP\/1\.1 400 /);
  assert.equal(errorOf(received).code, 'invalid_url');
  assert.match(received, /\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  assert.match(received, /\r\nx-content-type-options: nosniff\r\n/);
});

test('an expectation that nobody knows is ignored', async () => {
  const text = `GET /api/v1/customers?limit=1 HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const { received } = await converse(port, text);
  assert.match(received, /^HTTP\/1\.1 200 /);
});

test('two requests on one connection are answered in their order', async () => {
  const get = (id: string, last: string) =>
    `GET /api/v1/customers?limit=1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${last}Authorization: Bearer ${key}\r\n\r\n`;
  const { received } = await converse(port, get('first', '') + get('second', 'Connection: close\r\n'));
  const ids = [...received.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id);
  assert.deepEqual(ids, ['first', 'second']);
});

test('none of that is a failure of the service: nothing was logged as an error', () => {
  assert.deepEqual(logged, []);
});
