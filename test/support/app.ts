// The service as a test sees it: on a database of its own, with every answer checked against what the document promises.
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { hashSecret, makeSecret } from '../../src/auth/key.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { connect, type Database, sql } from '../../src/database/connect.ts';
import { newId } from '../../src/database/ids.ts';
import { basePath } from '../../src/http/openapi.ts';
import type { ServerOptions } from '../../src/http/server.ts';
import type { ShippingOptions } from '../../src/shipping.ts';
import { sendThroughPrism, suitsPrism } from '../judges/prism.ts';
import { createTestDatabase } from './cluster.ts';
import { type Contract, readContract } from './contract.ts';
import { tenancyProblems } from './tenancy.ts';

export interface Answer {
  status: number;
  /** The parsed JSON; the text where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects by looking
  body: any;
  headers: Record<string, string>;
  text: string;
}

/** `path` is relative to /api/v1. A body that is a string or a buffer is sent as it is. */
export type Request = (
  method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'HEAD' | 'OPTIONS',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface TestKey {
  organizationId?: string;
  environment?: 'live' | 'test';
  rateLimit?: number;
  expiresAt?: Date;
  revokedAt?: Date;
  userName?: string;
  userEmail?: string;
}

export interface TestOrganization {
  id: string;
  slug: string;
  /** A key of its own with all permissions. */
  key: string;
  /** Sends with that key. */
  request: Request;
}

export interface TestApp {
  app: FastifyInstance;
  database: Database;
  contract: Contract;
  databaseUrl: string;
  organizationId: string;
  organizationSlug: string;
  /** A key of that organisation with all permissions. */
  key: string;
  /** Sends with `key`, and fails the test when the answer is not what the OpenAPI document says. */
  request: Request;
  /** The same with another key; without one, the request carries none. */
  as(key: string | undefined): Request;
  makeKey(permissions: string[], options?: TestKey): Promise<string>;
  makeOrganization(options?: { slug?: string; parentId?: string }): Promise<TestOrganization>;
  /** The statements that the requests of `work` cost, those that authenticate left out. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

/** Nobody listens there: no test reaches the world outside. */
const nowhere = 'http://127.0.0.1:1';

/** Encrypts what tests keep. */
export const testSecret = 'a secret of the tests, long enough for it';

export type TestAppOptions = Partial<Config> & {
  server?: Partial<ServerOptions>;
  /** How the service reaches its database, when not directly. */
  reach?: (url: string) => Promise<string>;
  /** How long the database may be silent. */
  answerTimeoutMs?: number;
  shipping?: ShippingOptions;
};

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { server = {}, reach, answerTimeoutMs, shipping = {}, ...given } = options;
  const { url: direct, drop } = await createTestDatabase();
  const url = (await reach?.(direct)) ?? direct;
  const variables = {
    WAYBILL_LOG_LEVEL: 'error',
    WAYBILL_SECRET: testSecret,
    WAYBILL_EASYPOST_URL: nowhere,
  };
  const config: Config = { ...readConfig(variables), databaseUrl: url, ...given };
  const database = connect(url, {
    applicationName: 'waybill-test',
    ...(answerTimeoutMs === undefined ? {} : { answerTimeoutMs }),
  });
  const app = await buildApp({ database, config, server, shipping });
  await app.ready();
  const contract = readContract(app.swagger());
  const problems = watchStatements(database);
  const as = (key: string | undefined) => makeRequest(app, contract, problems, key);
  const organization = (from: { slug?: string; parentId?: string }) =>
    makeOrganization(database, config.environment, as, from);
  const { id, slug, key, request } = await organization({ slug: 'home' });
  return {
    app,
    database,
    contract,
    databaseUrl: direct,
    organizationId: id,
    organizationSlug: slug,
    key,
    request,
    as,
    makeKey: (permissions, more = {}) =>
      insertKey(database, permissions, { organizationId: id, environment: config.environment, ...more }),
    makeOrganization: (from = {}) => organization(from),
    statements: (work) => statementsOf(database, work),
    async close() {
      await app.close();
      await database.close();
      await drop();
    },
  };
}

/** Every statement of every test is read; returns what is wrong with those sent so far. */
function watchStatements(database: Database): string[] {
  const read = new Set<string>();
  const problems: string[] = [];
  database.onStatement = (text) => {
    if (read.has(text)) return;
    read.add(text);
    problems.push(...tenancyProblems(text).map((problem) => `This statement ${problem}: ${text}`));
  };
  return problems;
}

function makeRequest(
  app: FastifyInstance,
  contract: Contract,
  statementProblems: string[],
  key: string | undefined,
): Request {
  return async (method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const sent = {
      method,
      url: `${basePath}${path}`,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
    };
    const prism = process.env['WAYBILL_PRISM'] !== undefined;
    const judged = prism && !raw && suitsPrism({ ...sent, path }) && contract.find(method, path);
    const response = judged ? await sendThroughPrism(app, { ...sent, path }) : await app.inject(sent);
    const answer: Answer = {
      status: response.statusCode,
      body: parsed(response.body),
      headers: response.headers as Record<string, string>,
      text: response.body,
    };
    const problem = contract.problemOf(method, path, answer);
    assert.equal(problem, undefined, problem);
    assert.deepEqual(statementProblems, []);
    return answer;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

let organizationsMade = 0;

async function makeOrganization(
  database: Database,
  environment: Config['environment'],
  as: (key: string) => Request,
  from: { slug?: string; parentId?: string },
): Promise<TestOrganization> {
  organizationsMade += 1;
  const { slug = `org-${organizationsMade}`, parentId = null } = from;
  const id = newId();
  const now = new Date();
  await database.query(sql`
    insert into organizations (id, parent_id, slug, name, created_at, updated_at)
    values (${id}, ${parentId}, ${slug}, ${`Organization ${slug}`}, ${now}, ${now})`);
  const key = await insertKey(database, ['all'], { organizationId: id, environment });
  return { id, slug, key, request: as(key) };
}

async function insertKey(
  database: Database,
  permissions: string[],
  key: TestKey & { organizationId: string; environment: Config['environment'] },
): Promise<string> {
  const secret = makeSecret(key.environment);
  await database.query(sql`
    insert into api_keys (id, organization_id, key_hash, key_prefix, last_four, name, permissions, user_id,
      user_name, user_email, rate_limit, expires_at, revoked_at, created_at)
    values (${newId()}, ${key.organizationId}, ${hashSecret(secret)}, ${`wb_${key.environment}_`},
      ${secret.slice(-4)}, 'test', ${permissions}, ${newId()}, ${key.userName ?? 'Ada Byron'},
      ${key.userEmail ?? 'ada@example.com'}, ${key.rateLimit ?? null}, ${key.expiresAt ?? null},
      ${key.revokedAt ?? null}, ${new Date()})`);
  return secret;
}

/** Sent or not, depending on what this process remembers of a key: of no interest to whoever counts. */
const authenticating = /k\.key_hash =|set last_used_at|select id from organizations where parent_id/;

async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const before = database.onStatement;
  const sent: string[] = [];
  database.onStatement = (text) => {
    before?.(text);
    if (!authenticating.test(text)) sent.push(text);
  };
  try {
    await work();
  } finally {
    database.onStatement = before;
  }
  return sent;
}
