// Prism, Stoplight's validating proxy, between the tests and the service: it holds requests and answers against openapi.json.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, InjectOptions } from 'fastify';

const version = '5.14.2';
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url));
/** Says which service a request is for: Prism knows one upstream, and each test file has a service of its own. */
const portHeader = 'x-waybill-port';

export interface Prism {
  /** What tests find in WAYBILL_PRISM. */
  url: string;
  stop(): void;
}

export async function startPrism(): Promise<Prism> {
  const relay = createServer((incoming, outgoing) => {
    const { [portHeader]: port, ...headers } = incoming.headers;
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
  // A process group of its own, so that what npx starts ends with it.
  const child = spawn('npx', [...asked, document, target, '-p', String(port)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    relay.close();
    relay.closeAllConnections();
    if (child.exitCode === null) process.kill(-child.pid!);
  };
  await new Promise<void>((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('is listening')) resolve();
    });
  }).catch((error) => {
    stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, stop };
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

/** An answer as Fastify's `inject` gives it, and what Prism finds wrong. */
export interface Judged {
  statusCode: number;
  headers: IncomingMessage['headers'];
  body: string;
  violations: string[];
}

/**
 * Sends what `inject` would have taken through the Prism of WAYBILL_PRISM, and counts it in the file of WAYBILL_PRISM_LOG.
 * A violation is an answer that the document does not describe, or a 200 to a request that it does not.
 */
export async function sendThroughPrism(
  app: FastifyInstance,
  sent: InjectOptions & { path: string },
): Promise<Judged> {
  const address = app.server.address() as AddressInfo | null;
  const port = address?.port ?? Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const { method, path, headers, payload } = sent;
  const judged = await new Promise<Judged>((resolve, reject) => {
    const asked = { method, headers: { ...(headers as Record<string, string>), [portHeader]: String(port) } };
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload as string) };
    Object.assign(asked.headers, length);
    const outgoing = httpRequest(`${process.env['WAYBILL_PRISM']}${path}`, asked, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: received } = response;
        const found = JSON.parse(String(received['sl-violations'] ?? '[]')) as Violation[];
        const counted = found.filter(({ location }) => location[0] === 'response' || statusCode === 200);
        const violations = counted.map(
          ({ location, code, message }) => `${location.join('.')} ${code}: ${message}`,
        );
        resolve({ statusCode, headers: received, body: Buffer.concat(parts).toString(), violations });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload as string | undefined);
  });
  const line = { method, path, status: judged.statusCode, violations: judged.violations };
  appendFileSync(process.env['WAYBILL_PRISM_LOG']!, `${JSON.stringify(line)}\n`);
  return judged;
}
