// Prism, Stoplight's validating proxy, between the tests and the service: it holds requests and answers against openapi.json.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, InjectOptions } from 'fastify';

const version = '5.14.2';
const root = fileURLToPath(new URL('../../', import.meta.url));
const document = `${root}openapi.json`;
/** Says which service a request is for: Prism knows one upstream, and each test file has a service of its own. */
const portHeader = 'x-waybill-port';
/** The key as the test sent it, which is what the service is sent, where Prism is shown another spelling. */
const keyHeader = 'x-waybill-authorization';

export interface Prism {
  /** What tests find in WAYBILL_PRISM. */
  url: string;
  /** Resolves when Prism is no more, of its own or not. */
  ended: Promise<void>;
  stop(): void;
}

export async function startPrism(): Promise<Prism> {
  const relay = createServer((incoming, outgoing) => {
    const { [portHeader]: port, [keyHeader]: key, ...headers } = incoming.headers;
    if (key !== undefined) headers.authorization = String(key);
    const options = {
      host: '127.0.0.1',
      port: Number(port),
      path: incoming.url,
      method: incoming.method,
      headers,
    };
    const forward = httpRequest(options, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    incoming.pipe(forward);
  });
  const upstream = await listening(relay);
  const free = createServer();
  const port = await listening(free);
  free.close();
  const asked = ['--yes', '--ignore-scripts', '-p', `@stoplight/prism-cli@${version}`, 'prism', 'proxy'];
  const target = `http://127.0.0.1:${upstream}/api/v1`;
  // Silent, for its lines of each request were 30 % of its work. A process group of its own, so that what npx starts ends
  // with it.
  const child = spawn('npx', [...asked, document, target, '-p', String(port), '-v', 'fatal'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () => {
    relay.close();
    relay.closeAllConnections();
    if (child.exitCode === null) process.kill(-child.pid!);
  };
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) {
      stop();
      throw new Error(`Prism ended with ${child.exitCode}`);
    }
    await delay(100);
  }
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return { url: `http://127.0.0.1:${port}`, ended, stop };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

interface Violation {
  location: string[];
  severity: string;
  code: string;
  message: string;
}

/** One request that went through Prism, as a line of WAYBILL_PRISM_LOG. */
export interface Line {
  /** The test file that sent it. */
  file: string;
  method: string;
  path: string;
  status: number;
  violations: string[];
  /** Prism had more to say than fits into a header, so that what it said last is not known. */
  cut: boolean;
}

/** An answer as Fastify's `inject` gives it. */
export interface Judged {
  statusCode: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Prism refuses a body with GET, and ends where an address cannot be decoded (`/customers/%ff`). */
export function suitsPrism({ method, path, payload }: InjectOptions & { path: string }): boolean {
  if (method === 'GET' && payload !== undefined) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const ports = new WeakMap<FastifyInstance, Promise<number>>();

/** Where Prism finds the service: on a server beside its own, which a test may want to listen with. */
function portOf(app: FastifyInstance): Promise<number> {
  const known = ports.get(app);
  if (known !== undefined) return known;
  const server = createServer((request, response) => app.routing(request, response));
  // What Prism's connections keep open must not keep the test's process.
  server.unref().on('connection', (socket) => socket.unref());
  const port = listening(server);
  ports.set(app, port);
  return port;
}

/**
 * Sends what `inject` would have taken through the Prism of WAYBILL_PRISM, and notes it in the file of WAYBILL_PRISM_LOG.
 * A violation is an answer that the document does not describe, or a 200 to a request that it does not.
 */
export async function sendThroughPrism(
  app: FastifyInstance,
  sent: InjectOptions & { path: string },
): Promise<Judged> {
  const { method, path, payload } = sent;
  const headers = {
    ...shownToPrism(sent.headers as Record<string, string>),
    [portHeader]: String(await portOf(app)),
  };
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload as string) };
  const asked = { method, headers: { ...headers, ...length } };
  const judged = await new Promise<Judged>((resolve, reject) => {
    const outgoing = httpRequest(`${process.env['WAYBILL_PRISM']}${path}`, asked, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ statusCode, headers: received, body: Buffer.concat(parts).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload as string | undefined);
  });
  const status = judged.statusCode;
  const file = relative(root, process.argv[1]!);
  const found = judged.headers['sl-violations'] as string | undefined;
  const line: Line = { file, method: method!, path, status, ...violationsIn(found, status) };
  appendFileSync(process.env['WAYBILL_PRISM_LOG']!, `${JSON.stringify(line)}\n`);
  return judged;
}

/** Prism wants `Bearer` to be spelled so, but the name of a scheme is the same in every case (RFC 9110, 11.1). */
function shownToPrism(headers: Record<string, string>): Record<string, string> {
  const key = headers['authorization'];
  if (key === undefined || !/^bearer /i.test(key) || key.startsWith('Bearer ')) return headers;
  return { ...headers, authorization: key.replace(/^bearer/i, 'Bearer'), [keyHeader]: key };
}

function violationsIn(found: string | undefined, status: number): Pick<Line, 'violations' | 'cut'> {
  if (found === undefined) return { violations: [], cut: false };
  const cut = found.startsWith('Too many violations!');
  if (cut) return { violations: status === 200 ? [found.slice(0, 500)] : [], cut };
  const counted = (JSON.parse(found) as Violation[]).filter(
    ({ location }) => location[0] === 'response' || status === 200,
  );
  return {
    violations: counted.map(({ location, code, message }) => `${location.join('.')} ${code}: ${message}`),
    cut,
  };
}
