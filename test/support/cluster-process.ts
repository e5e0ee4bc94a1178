// The process behind cluster.ts: prepares a server with a migrated template, and removes both when the test run has ended.
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect } from '../../src/database/connect.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { isAlive } from '../../src/database/embedded-cluster.ts';
import { migrate } from '../../src/database/migrate.ts';
import { administer, type Prepared, type TestCluster } from './cluster.ts';

const [folder = '', ownerText = ''] = process.argv.slice(2);
const owner = Number(ownerText);
const prefix = `waybill_test_${owner}_`;
const watchMs = 100;

/** Nothing here needs to survive a crash; all of it only costs time. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
};

interface Server {
  adminUrl: string;
  end(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, end: () => dropDatabases(given) };
  const embedded = await startEmbedded(join(folder, 'data'), { settings });
  return {
    adminUrl: embedded.url,
    async end() {
      await embedded.stop();
      if (!embedded.directory.startsWith(folder)) {
        await rm(dirname(embedded.directory), { recursive: true, force: true });
      }
    },
  };
}

async function dropDatabases(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
    prefix,
  ]);
  await client.end();
  for (const { datname } of rows)
    await administer(adminUrl, `drop database if exists ${datname} with (force)`);
}

async function makeTemplate(adminUrl: string): Promise<TestCluster> {
  const template = `${prefix}template`;
  await administer(adminUrl, `create database ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  const database = connect(url.href, { max: 1 });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  return { adminUrl, template, prefix };
}

async function tell(result: TestCluster | { error: string }): Promise<void> {
  const prepared: Prepared = { pid: process.pid, ...result };
  await writeFile(join(folder, 'ready.json.new'), JSON.stringify(prepared), { mode: 0o600 });
  await rename(join(folder, 'ready.json.new'), join(folder, 'ready.json'));
}

let ending = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending = true;
  });
}

let server: Server | undefined;
try {
  await chmod(folder, 0o755);
  server = await startServer();
  await tell(await makeTemplate(server.adminUrl));
} catch (error) {
  console.error(error);
  await tell({ error: `The test database could not be prepared: ${(error as Error).message}` });
}
while (!ending && isAlive(owner)) await sleep(watchMs);
await server?.end();
await rm(folder, { recursive: true, force: true });
