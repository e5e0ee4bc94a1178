// The service under simulation: one of our own on a fresh database, or one that is already up.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillMarked } from '../../src/allocation/fill-marked.ts';
import { verifyCounts } from '../../src/cli/verify-counts.ts';
import { connect, type Database, sql } from '../../src/database/connect.ts';
import { expireDue } from '../../src/inventory/expire-due.ts';
import { startTestApp } from '../support/app.ts';
import { rowsOf } from '../support/rows.ts';
import type { Facts } from './facts.ts';
import { readFacts } from './facts-from-database.ts';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely
  body: any;
  text: string;
  headers: Record<string, unknown>;
}

export type Send = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** An organisation that takes part. */
export interface Party {
  organizationId: string;
  /** It was made for this run, so that its settings may be changed. */
  own: boolean;
  send: Send;
}

export interface Service {
  /** An organisation and a client of it, for one run. */
  parties(): Promise<[parent: Party, child: Party]>;
  /** What only the database tells; undefined where it cannot be reached. */
  inside?: {
    database: Database;
    read(organizationIds: readonly string[]): Promise<Facts>;
    /** A fingerprint of everything that is stored of an organisation. */
    rows(organizationId: string): Promise<Record<string, string>>;
    /** What `waybill verify` finds wrong with the counts of lists. */
    wrongCounts(organizationIds: readonly string[]): Promise<unknown[]>;
  };
  /** Does the background work, or waits until it has surely been done. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Every answer is held against the OpenAPI document, every statement against the rules of tenancy. */
export async function startService(): Promise<Service> {
  const test = await startTestApp();
  // A pool of its own, so that what the auditor asks is not mistaken for a statement of the service.
  const database = connect(test.databaseUrl, { max: 4, applicationName: 'waybill-auditor' });
  return {
    async parties() {
      const { id, request } = await test.makeOrganization();
      return [{ organizationId: id, own: true, send: request }, await makeClient(request)];
    },
    inside: {
      database,
      read: (organizationIds) => readFacts(database, organizationIds),
      rows: (organizationId) => rowsOf(database, organizationId),
      wrongCounts: async (ids) => (await verifyCounts(database, ids)).countDifferences,
    },
    settle: () => work(test.database, database),
    async close() {
      await database.close();
      await test.close();
    },
  };
}

const turnsMax = 20;

/** Background work until nothing is left to do; what a turn leaves marked, the next one has to finish. */
async function work(service: Database, database: Database): Promise<void> {
  for (let turn = 1; turn <= turnsMax; turn += 1) {
    const [due] = await database.query<{ count: number }>(sql`
      select (select count(*) from backorder_fills)
        + (select count(*) from inventory_levels where next_expiration_date <= ${new Date()}) as count`);
    if (due!.count === 0) return;
    await expireDue(service);
    await fillMarked(service);
  }
  throw new Error(`background work is not done after ${turnsMax} turns`);
}

async function makeClient(parent: Send): Promise<Party> {
  const slug = `sim-${randomBytes(5).toString('hex')}`;
  const { body, status, text } = await parent('POST', '/clients', { name: `Simulation ${slug}`, slug });
  if (status !== 200) throw new Error(`POST /clients answered ${status}: ${text}`);
  return {
    organizationId: body.data.id,
    own: true,
    send: (method, path, sent, headers = {}) =>
      parent(method, path, sent, { ...headers, 'x-service-client': slug }),
  };
}

/** Longer than the service leaves an expiry unnoticed, or a mark unfilled. */
const backgroundMs = 25_000;

/** `url` with /api/v1. */
export async function reachService(url: string, key: string): Promise<Service> {
  const send: Send = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      body: parsed(text),
      headers: Object.fromEntries(response.headers),
    };
  };
  const { status, text, body } = await send('GET', '/organization');
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  return {
    parties: async () => [{ organizationId: body.data.id, own: false, send }, await makeClient(send)],
    settle: () => sleep(backgroundMs),
    close: async () => {},
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
