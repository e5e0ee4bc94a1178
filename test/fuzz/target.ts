// The service that is fuzzed, and the two organisations that do it: of a service of our own, or clients in one that is up.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { verifyCounts } from '../../src/cli/verify-counts.ts';
import { startTestApp, type TestOrganization } from '../support/app.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { listen } from '../support/socket.ts';

export interface Sent {
  method: string;
  /** Relative to the address of the API, written as it goes on the wire. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely
  body: any;
  text: string;
}

export interface Organization {
  name: string;
  /** What each of its requests carries. */
  headers: Record<string, string>;
  /** Organisations that its requests may try to act for; none where the key may act for all of them. */
  clients: string[];
  /** Ids that it must not use, lest it can do nothing more. */
  kept: Set<string>;
}

export interface Target {
  contract: Contract;
  organizations: [Organization, Organization];
  send(sent: Sent): Promise<Received>;
  /** A text with the ids that both organisations may be shown: of one key's user, where both act with one key. */
  shared: string;
  /** The port, where the service may be sent what is no HTTP; else undefined. */
  port: number | undefined;
  /** It is ours: nobody is reached through it, whatever it is asked to do. */
  own: boolean;
  /** The log of what went wrong inside, where it can be read. */
  failuresOf(requestId: string): string[];
  /** What is wrong in the database when all is over. */
  differences(): Promise<unknown[]>;
  close(): Promise<void>;
}

const halfRequestMs = 5_000;
const patienceMs = 120_000;

export async function startTarget(): Promise<Target> {
  const lines: string[] = [];
  const write = (line: string) => void (lines.push(line) > 1_000 && lines.shift());
  const test = await startTestApp({
    rateLimit: 1_000_000,
    server: { requestTimeoutMs: halfRequestMs, logStream: { write } },
  });
  const port = await listen(test.app);
  const client = makeClient(new URL(`http://127.0.0.1:${port}/api/v1`));
  const [first, second] = [await test.makeOrganization(), await test.makeOrganization()];
  const organizationOf = async ({ id, key, request, slug }: TestOrganization, other: TestOrganization) => {
    const child = await test.makeOrganization({ parentId: id });
    const keys = await request('GET', '/api-keys');
    return {
      name: slug,
      headers: { authorization: `Bearer ${key}` },
      clients: [child.slug, slug, other.slug],
      kept: new Set<string>(keys.body.data.map((one: { id: string }) => one.id)),
    };
  };
  return {
    contract: test.contract,
    organizations: [await organizationOf(first, second), await organizationOf(second, first)],
    send: client.send,
    shared: '',
    port,
    own: true,
    failuresOf: (requestId) => lines.filter((line) => line.includes(requestId)),
    async differences() {
      const answers = await Promise.all(
        [first, second].map(({ request }) => request('GET', '/inventory/verify')),
      );
      const { countDifferences } = await verifyCounts(test.database, [first.id, second.id]);
      return [...answers.flatMap(({ body }) => body.data.differences), ...countDifferences];
    },
    async close() {
      client.close();
      await test.close();
    },
  };
}

/** `url` with /api/v1. The organisations are two new clients of the key's. */
export async function reachTarget(url: string, key: string): Promise<Target> {
  const address = new URL(url);
  const client = makeClient(address);
  const authorization = `Bearer ${key}`;
  const makeOrganization = async (): Promise<Organization> => {
    const name = `fuzz-${randomBytes(5).toString('hex')}`;
    const body = JSON.stringify({ name, slug: name });
    const headers = { authorization, 'content-type': 'application/json' };
    const { status, text } = await client.send({ method: 'POST', path: '/clients', headers, body });
    if (status !== 200) throw new Error(`POST /clients answered ${status}: ${text}`);
    return { name, headers: { authorization, 'x-service-client': name }, clients: [], kept: new Set() };
  };
  const keys = await client.send({ method: 'GET', path: '/api-keys?limit=100', headers: { authorization } });
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  const organizations: [Organization, Organization] = [await makeOrganization(), await makeOrganization()];
  return {
    contract: readContract(JSON.parse(committed)),
    organizations,
    send: client.send,
    shared: keys.text,
    port: address.hostname === '127.0.0.1' ? Number(address.port) : undefined,
    own: false,
    failuresOf: () => [],
    async differences() {
      const found = await Promise.all(
        organizations.map(({ headers }) =>
          client.send({ method: 'GET', path: '/inventory/verify', headers }),
        ),
      );
      return found.flatMap(({ body }) => body.data.differences);
    },
    close: async () => client.close(),
  };
}

function makeClient(url: URL) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const base = url.pathname.replace(/\/$/, '');
  const once = ({ method, path, headers, body }: Sent) =>
    new Promise<Received>((resolve, reject) => {
      const { hostname, port } = url;
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = {
        agent,
        hostname,
        port,
        method,
        path: base + path,
        headers: { ...length, ...headers },
      };
      const sending = httpRequest({ ...options, timeout: patienceMs }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const received = response.headers as Record<string, string>;
          resolve({ status: response.statusCode!, headers: received, text, body: parsed(text) });
        });
      });
      sending.on('timeout', () => sending.destroy(new Error(`no answer in ${patienceMs} ms`)));
      sending.on('error', (error) => reject(Object.assign(error, { reused: sending.reusedSocket })));
      sending.end(body);
    });
  return {
    close: () => agent.destroy(),
    /** Once more, where a connection was closed between two requests. */
    send: (sent: Sent) =>
      once(sent).catch((error) => {
        if (error.code === 'ECONNRESET' && error.reused) return once(sent);
        throw error;
      }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
