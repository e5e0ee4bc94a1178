// Starting: what answers when it is ready, and the one line that says why it cannot start.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { sql } from '../../src/database/connect.ts';
import { createTestDatabase } from '../support/cluster.ts';
import {
  cleanups,
  createCustomer,
  customerNames,
  databaseIsRunning,
  type Environment,
  eventually,
  joinDatabase,
  makeKey,
  run,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from './program.ts';

/** Starts what cannot start, and returns the one line it says. */
async function refusal(env: Environment): Promise<string> {
  const { ended, output } = run(process.execPath, ['src/server.ts'], env);
  assert.equal(await ended, 1);
  assert.equal(output.out, '');
  assert.match(output.err, /^waybill: [^\n]+\n$/);
  return output.err;
}

test('serves the API, its document, health and metrics at the address it prints', async () => {
  const dataDir = await temporaryFolder();
  const { url, child, ended } = await startService(dataDir);
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    assert.equal((await fetch(url + path)).status, 200, path);
  }
  assert.equal((await fetch(`${url}/api/v1/customers`)).status, 401);
  assert.equal((await stat(join(dataDir, 'secret'))).mode & 0o777, 0o600);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  assert.equal(await databaseIsRunning(dataDir), false);
});

test('wrong variables stop the start with one line that names them all', async () => {
  const line = await refusal({ WAYBILL_PORT: 'http', WAYBILL_DEMO: 'maybe', WAYBILL_PORTS: '1' });
  for (const name of ['WAYBILL_PORT must', 'WAYBILL_DEMO must', 'no such variable: WAYBILL_PORTS']) {
    assert(line.includes(name), line);
  }
});

test('a port in use stops the start with one line, and leaves no database running', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  cleanups.push(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  for (const processes of ['1', '2']) {
    const dataDir = await temporaryFolder();
    const env = { WAYBILL_PORT: String(port), WAYBILL_PROCESSES: processes, WAYBILL_LOG_LEVEL: 'error' };
    const line = await refusal(serviceEnvironment(dataDir, env));
    assert.match(line, new RegExp(`cannot listen on 127.0.0.1 port ${port}: another program uses it`));
    assert.equal(await databaseIsRunning(dataDir), false);
  }
});

test('uses the database of DATABASE_URL, and makes none of its own', async () => {
  const dataDir = await temporaryFolder();
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  const { url, child, ended } = await startService(dataDir, { DATABASE_URL: database.url });
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.deepEqual(await readdir(dataDir), ['secret']);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});

test('a database that cannot be used stops the start with one line', async () => {
  const dataDir = await temporaryFolder();
  const away = { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/waybill' };
  const line = await refusal(serviceEnvironment(dataDir, away));
  assert.match(line, /127\.0\.0\.1:1\/waybill\) cannot be used: .*ECONNREFUSED/);
  assert(!line.includes('hunter2'));

  const tooMany = { WAYBILL_PROCESSES: '8', WAYBILL_POOL_SIZE: '40' };
  assert.match(await refusal(serviceEnvironment(dataDir, tooMany)), /WAYBILL_POOL_SIZE must be at most 20/);
  const nowhere = serviceEnvironment('/dev/null/data');
  assert.match(await refusal(nowhere), /data folder|\/dev\/null\/data/);
});

test('an empty database gets a demo: its curl line works when pasted, and its key is kept for its owner', async () => {
  for (const processes of ['1', '2']) {
    const dataDir = await temporaryFolder();
    const env = { WAYBILL_DEMO: '1', WAYBILL_PROCESSES: processes };
    const first = await startService(dataDir, env);
    const pasted = await eventually(async () => /^curl .*$/m.exec(first.output.out)?.[0]);
    const order = JSON.parse(execFileSync('sh', ['-c', pasted], { encoding: 'utf8' }));
    assert.equal(order.data.name, 'SO-1001');
    const file = join(dataDir, 'demo-key');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const key = (await readFile(file, 'utf8')).trim();
    assert.deepEqual(await customerNames(first.url, key), []);
    first.child.kill('SIGTERM');
    assert.equal(await first.ended, 0);

    const second = await startService(dataDir, env);
    assert.deepEqual(await customerNames(second.url, key), []);
    assert(!second.output.out.includes('curl'));
  }
});

test('WAYBILL_DEMO=0 leaves an empty database empty', async () => {
  const dataDir = await temporaryFolder();
  await startService(dataDir, { WAYBILL_DEMO: '0' });
  const database = await joinDatabase(dataDir);
  assert.deepEqual(await database.query(sql`select id from organizations`), []);
  assert(!(await readdir(dataDir)).includes('demo-key'));
});

test('two services on one data folder share its database', async () => {
  const dataDir = await temporaryFolder();
  const first = await startService(dataDir);
  const second = await startService(dataDir);
  const key = await makeKey(await joinDatabase(dataDir));
  assert.equal((await createCustomer(first.url, key, 'Ada')).status, 200);
  first.child.kill('SIGTERM');
  assert.equal(await first.ended, 0);
  assert.deepEqual(await customerNames(second.url, key), ['Ada']);
});

test('serves as root with its data below a folder that only root may enter', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('needs root');
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'closed'), { mode: 0o700 });
  const dataDir = join(folder, 'closed/data');
  const { url, child, ended } = await startService(dataDir);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  assert.equal(await databaseIsRunning(dataDir), false);
});
