// A fresh, migrated database for a test file, from one server that all files of a test run share.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isAlive } from '../../src/database/embedded-cluster.ts';

export interface TestCluster {
  /** A database of the server, from which others can be created. */
  adminUrl: string;
  /** A database that is migrated and empty. */
  template: string;
  /** What the names of this run's databases begin with. */
  prefix: string;
}

/** What cluster-process.ts writes once it is done preparing. */
export type Prepared = { pid: number } & (TestCluster | { error: string });

const pollMs = 20;

/**
 * Finds the server of this test run, or starts it. It belongs to the `node --test` process (or to this one, where a file
 * is run by itself) and cluster-process.ts ends it when that has ended, however it did.
 */
export async function startTestCluster(): Promise<TestCluster> {
  const owner = process.env.NODE_TEST_CONTEXT === undefined ? process.pid : process.ppid;
  const folder = join(tmpdir(), `waybill-test-${process.getuid?.() ?? 0}-${owner}`);
  for (;;) {
    const first = await mkdir(folder).then(
      () => true,
      () => false,
    );
    if (first) await startProcess(folder, owner);
    const prepared = await waitFor(folder);
    if ('error' in prepared) throw new Error(prepared.error);
    if (isAlive(prepared.pid)) return prepared;
    // Left by a run long ago whose process had the same number.
    await rm(folder, { recursive: true, force: true });
  }
}

async function startProcess(folder: string, owner: number): Promise<void> {
  const log = await open(join(folder, 'log'), 'w');
  const program = fileURLToPath(new URL('cluster-process.ts', import.meta.url));
  spawn(process.execPath, [program, folder, String(owner)], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  }).unref();
  await log.close();
}

async function waitFor(folder: string): Promise<Prepared> {
  for (;;) {
    const text = await readFile(join(folder, 'ready.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
    await sleep(pollMs);
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template, prefix } = await startTestCluster();
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

export async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
