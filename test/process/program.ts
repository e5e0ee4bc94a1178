// Starts the real program in a process of its own, with its own data folder, and ends what a test leaves behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashSecret, makeSecret } from '../../src/auth/key.ts';
import { connect, type Database, sql } from '../../src/database/connect.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { newId } from '../../src/database/ids.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Run last to first: programs end before their folders go. */
export const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-process-'));
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Program {
  child: ChildProcess;
  output: { out: string; err: string };
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

export type Environment = Record<string, string>;

/** Runs a program to its end or the test's, with nothing of Waybill in its environment but what is given. */
export function run(command: string, args: string[], env: Environment = {}, detached = false): Program {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL_|DATABASE_URL$|NODE_TEST_CONTEXT$)/.test(name),
  );
  // As `npm start` and `waybill` do, what was compiled before is not compiled anew.
  const given = command === process.execPath ? ['--import=./src/compile-cache.js', ...args] : args;
  const child = spawn(command, given, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env },
    detached,
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code);
  cleanups.push(async () => {
    if (detached) killGroup(child.pid!);
    else child.kill('SIGKILL');
    await ended;
  });
  return { child, output, ended };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

export interface Service extends Program {
  /** Without a path. */
  url: string;
}

export function serviceEnvironment(dataDir: string, env: Environment = {}): Environment {
  return { WAYBILL_DATA_DIR: dataDir, WAYBILL_PORT: '0', WAYBILL_DEMO: '0', ...env };
}

/** The service on a free port, once it says that it is ready. */
export async function startService(dataDir: string, env: Environment = {}): Promise<Service> {
  endDatabaseAfterwards(dataDir);
  const program = run(process.execPath, ['src/server.ts'], serviceEnvironment(dataDir, env));
  return { ...program, url: await readyAddress(program) };
}

export async function readyAddress(program: Program): Promise<string> {
  const state: { ended?: number | string } = {};
  void program.ended.then((end) => {
    state.ended = end;
  });
  for (;;) {
    const found = /ready at (http:\/\/[^/]+)\/api\/v1/.exec(program.output.out)?.[1];
    if (found !== undefined) return found;
    if (state.ended !== undefined) throw new Error(`it ended with ${state.ended}: ${program.output.err}`);
    await sleep(10);
  }
}

/** What a killed service leaves running is joined and, as nobody else uses it, stopped. */
export function endDatabaseAfterwards(dataDir: string): void {
  cleanups.push(async () => {
    if (await databaseIsRunning(dataDir)) await (await startEmbedded(dataDir)).stop();
    const directory = await databaseDirectory(dataDir);
    if (!directory.startsWith(dataDir)) await rm(dirname(directory), { recursive: true, force: true });
  });
}

async function databaseDirectory(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'database.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { directory?: string }).directory ?? join(dataDir, 'postgres');
}

export async function databaseIsRunning(dataDir: string): Promise<boolean> {
  return (await databasePid(dataDir)) !== undefined;
}

export async function databasePid(dataDir: string): Promise<number | undefined> {
  const file = join(await databaseDirectory(dataDir), 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}

/** The running service's database, as another process of the machine sees it. */
export async function joinDatabase(dataDir: string): Promise<Database> {
  const embedded = await startEmbedded(dataDir);
  const database = connect(embedded.url, { max: 2 });
  cleanups.push(async () => {
    await database.close();
    await embedded.stop();
  });
  return database;
}

/** An organisation with a key that may do everything. Returns the key. */
export async function makeKey(database: Database): Promise<string> {
  const organizationId = newId();
  const key = makeSecret('live');
  const now = new Date();
  await database.query(
    sql`insert into organizations (id, slug, name, created_at, updated_at)
        values (${organizationId}, 'acme', 'Acme', ${now}, ${now})`,
  );
  await database.query(
    sql`insert into api_keys (id, organization_id, key_hash, key_prefix, last_four, name, permissions, user_id, created_at)
        values (${newId()}, ${organizationId}, ${hashSecret(key)}, 'wb_live_', ${key.slice(-4)}, 'test',
          ${['all']}, ${newId()}, ${now})`,
  );
  return key;
}

export async function createCustomer(url: string, key: string, name: string): Promise<Response> {
  return fetch(`${url}/api/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
}

export async function customerNames(url: string, key: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name).sort();
}

/** Tries until it holds; a test's own time limit ends what never does. */
export async function eventually<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await attempt().catch(() => undefined);
    if (value !== undefined) return value;
    await sleep(20);
  }
}
