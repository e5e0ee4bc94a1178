// What no HTTP client sends: half of a request, chunks that lie about themselves, two lengths, headers without end.
import { converse } from '../support/socket.ts';
import type { Random } from './random.ts';

const head = (headers: Record<string, string>, path: string, more: string, method = 'POST') =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Content-Type: application/json\r\n${more}`;

type Make = (headers: Record<string, string>) => string;

/** What the service waits for the rest of, and answers 408 in the end. */
const halves: Record<string, Make> = {
  'half of the headers': (headers) => head(headers, '/customers', 'Idempotency-K'),
  'half of a body': (headers) => head(headers, '/customers', 'Content-Length: 40\r\n\r\n{"name":"Half'),
  'a chunk cut short': (headers) =>
    head(headers, '/orders', 'Transfer-Encoding: chunked\r\n\r\nff\r\n{"name":"Half'),
  'a chunked body without its end': (headers) =>
    head(headers, '/customers', 'Transfer-Encoding: chunked\r\n\r\n10\r\n{"name":"Halves"}\r\n'),
};

const wholes: Record<string, Make> = {
  'a chunk of no size': (headers) =>
    head(headers, '/customers', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
  'a chunk of too large a size': (headers) =>
    head(headers, '/customers', 'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
  'length and chunks': (headers) =>
    head(
      headers,
      '/customers',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ),
  'two lengths': (headers) =>
    head(headers, '/customers', 'Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}'),
  'a length below zero': (headers) => head(headers, '/customers', 'Content-Length: -1\r\n\r\n{}'),
  'a length beyond all bounds': (headers) =>
    head(headers, '/customers', 'Content-Length: 99999999999999999999\r\n\r\n{}'),
  'headers without end': (headers) => head(headers, '/customers', `X-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
  'a thousand headers': (headers) =>
    head(headers, '/customers', `${'X-Many: 1\r\n'.repeat(3_000)}\r\n`, 'GET'),
  'a header with a line break in it': (headers) => head(headers, '/customers', 'X-A: b\n c\r\n\r\n', 'GET'),
  'a NUL in a header': (headers) => head(headers, '/customers', 'X-A: b\0c\r\n\r\n', 'GET'),
  'no method that is known': (headers) => head(headers, '/customers', '\r\n', 'STEAL'),
  'an address with a space': (headers) => head(headers, '/customers x y', '\r\n', 'GET'),
  'an address of 20,000 characters': (headers) =>
    head(headers, `/orders/${'a'.repeat(20_000)}`, '\r\n', 'GET'),
  'no host': () => 'GET /api/v1/customers HTTP/1.1\r\n\r\n',
  'HTTP/0.9': () => 'GET /api/v1/customers\r\n\r\n',
  'HTTP/2 without asking': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the start of TLS': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an upgrade': (headers) =>
    head(
      headers,
      '/customers',
      'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
      'GET',
    ),
};

/** Sends one of them. Returns what is wrong with the answer, if anything; none is right too where the connection ends. */
export async function sendRaw(
  random: Random,
  port: number,
  headers: Record<string, string>,
  half: boolean,
): Promise<string[]> {
  const [name, make] = random.pick(Object.entries(half ? halves : wholes));
  const { received, closed } = await converse(port, make(headers), half ? 40_000 : 2_000);
  if (half && !closed) return [`${name}: the connection stays open`];
  // More than one answer came for more than one request; each begins with its status.
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  if (received !== '' && statuses.length === 0) return [`${name}: answered ${received.slice(0, 200)}`];
  const wrong = statuses.filter((status) => status >= 500 || (half && status === 200));
  return wrong.map((status) => `${name}: answered ${status}: ${received.slice(0, 1_000)}`);
}
