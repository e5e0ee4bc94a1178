// The process behind cluster.ts: prepares a server with a migrated template, and removes both when the test run has ended.
import { chmod, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
  max_wal_size: '256MB',
};

/** More than three test files at a time fill. */
const roomBytes = 2 * 2 ** 30;
/** Where PostgreSQL's files are. */
let dataFolder = folder;

/** In memory where there is room: a database is 600 files, and ext4 takes half a second of CPU to make and remove them. */
async function makeDataFolder(): Promise<void> {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = await statfs(memory);
    if (Math.min(bavail * bsize, process.availableMemory()) < roomBytes) return;
    const inMemory = join(memory, basename(folder));
    const runs = inMemory.slice(0, inMemory.lastIndexOf('-') + 1);
    for (const name of await readdir(memory)) {
      const left = join(memory, name);
      // Of a run that was killed before it could remove it.
      const isLeft = left.startsWith(runs) && !isAlive(Number(left.slice(runs.length)));
      if (isLeft || left === inMemory) await rm(left, { recursive: true, force: true });
    }
    await mkdir(inMemory);
    dataFolder = inMemory;
    await chmod(inMemory, 0o755);
  } catch {
    // It is not there, or not for us.
  }
}

interface Server {
  adminUrl: string;
  end(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, end: () => dropDatabases(given) };
  await makeDataFolder();
  const embedded = await startEmbedded(join(dataFolder, 'data'), { settings });
  return {
    adminUrl: embedded.url,
    async end() {
      await embedded.stop();
      if (!embedded.directory.startsWith(dataFolder)) {
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
await rm(dataFolder, { recursive: true, force: true });
await rm(folder, { recursive: true, force: true });
