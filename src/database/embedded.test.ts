// The built-in PostgreSQL: durable, shared by processes, and found again whatever was killed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { type EmbeddedOptions, startEmbedded } from './embedded.ts';
import { accountFor, canEnter, sharedFolder } from './embedded-binaries.ts';

const isRoot = process.getuid?.() === 0;
const embeddedModule = new URL('embedded.ts', import.meta.url).href;

/** Run last to first: servers stop before their folders go. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-embedded-'));
  if (isRoot) await chmod(folder, 0o755);
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Started in the test, and stopped with it where the test has not done so. */
async function start(dataDir: string, options?: EmbeddedOptions) {
  const embedded = await startEmbedded(dataDir, options);
  cleanups.push(() => embedded.stop());
  return embedded;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function isRunning(directory: string): Promise<boolean> {
  return stat(join(directory, 'postmaster.pid')).then(
    () => true,
    () => false,
  );
}

/** Another process that starts the database, says where it is, and stops it on SIGTERM. */
async function startElsewhere(dataDir: string, account?: { uid: number; gid: number }) {
  const program = `
    import { startEmbedded } from '${embeddedModule}';
    const embedded = await startEmbedded(process.argv[1]);
    process.on('SIGTERM', async () => { await embedded.stop(); process.exit(0); });
    setInterval(() => {}, 1000);
    console.log(JSON.stringify(embedded));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  cleanups.push(() => child.kill('SIGKILL'));
  const line = await once(createInterface({ input: child.stdout! }), 'line');
  return { child, ...(JSON.parse(line[0]) as { url: string; directory: string }) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

test('keeps what was written over a stop and a start, with a password that only its owner can read', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const first = await start(dataDir);
  await query(first.url, `create table kept as select 'yes' as answer`);
  await first.stop();
  assert.equal(await isRunning(first.directory), false);

  const second = await start(dataDir);
  assert.deepEqual(await query(second.url, 'select answer from kept'), [{ answer: 'yes' }]);
  assert.equal((await stat(join(dataDir, 'database.json'))).mode & 0o777, 0o600);
  assert.equal((await stat(second.directory)).mode & 0o777, 0o700);
});

test('is durable, speaks UTF-8 and UTC, and answers on loopback with the password alone', async () => {
  const embedded = await start(await temporaryFolder());
  const [settings] = await query(
    embedded.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('server_encoding') as encoding, current_setting('TimeZone') as timezone,
       current_setting('listen_addresses') as addresses, lower('ÄÉ') as lower, 'a' < 'B' as alphabetic`,
  );
  assert.deepEqual(settings, {
    fsync: 'on',
    commit: 'on',
    encoding: 'UTF8',
    timezone: 'UTC',
    addresses: '127.0.0.1',
    lower: 'äé',
    alphabetic: false,
  });
  const wrong = new URL(embedded.url);
  wrong.password = 'wrong';
  await assert.rejects(query(wrong.href, 'select 1'), { code: '28P01' });
});

test('several data folders have a server each', async () => {
  const folder = await temporaryFolder();
  const [one, two] = await Promise.all([start(join(folder, 'one')), start(join(folder, 'two'))]);
  await query(one.url, 'create table only_here (id int)');
  await assert.rejects(query(two.url, 'select * from only_here'), { code: '42P01' });
});

test('first starts of one folder at the same time share one server, which the last to stop ends', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const all = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir), start(dataDir)]);
  assert.equal(new Set(all.map((each) => each.url)).size, 1);
  const [first, second, last] = all;
  await end(first.child, 'SIGTERM');
  assert.deepEqual(await query(last.url, 'select 1 as one'), [{ one: 1 }]);
  await last.stop();
  assert.deepEqual(await query(last.url, 'select 1 as one'), [{ one: 1 }]);
  await end(second.child, 'SIGTERM');
  assert.equal(await isRunning(last.directory), false);
  assert.deepEqual((await readdir(dataDir)).sort(), ['database.json', 'postgres', 'postgres.log']);
});

test('a server left behind by kill -9 is joined, and stopped by whoever joined it', async () => {
  const dataDir = await temporaryFolder();
  const killed = await startElsewhere(dataDir);
  const pid = await serverPid(killed.directory);
  await end(killed.child, 'SIGKILL');
  const next = await start(dataDir);
  assert.equal(await serverPid(next.directory), pid);
  await next.stop();
  assert.equal(await isRunning(next.directory), false);
});

test('a start while the last user is stopping waits for the end and starts anew', async () => {
  const dataDir = await temporaryFolder();
  const first = await start(dataDir);
  const [, second] = await Promise.all([first.stop(), start(dataDir)]);
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }]);
});

test('a killed server is brought back at the same address with all that was committed', async () => {
  const messages: string[] = [];
  const embedded = await start(await temporaryFolder(), { log: (message) => messages.push(message) });
  await query(embedded.url, 'create table kept as select 1 as one');
  const pid = await serverPid(embedded.directory);
  process.kill(pid, 'SIGKILL');
  let rows: unknown;
  while (rows === undefined) {
    await sleep(20);
    rows = await query(embedded.url, 'select one from kept').catch(() => undefined);
  }
  assert.deepEqual(rows, [{ one: 1 }]);
  assert.notEqual(await serverPid(embedded.directory), pid);
  assert.match(messages[0] ?? '', /bringing it back/);
});

test('starts although the number of the dead server now belongs to another program', async () => {
  const dataDir = await temporaryFolder();
  const first = await start(dataDir);
  const pidFile = await readFile(join(first.directory, 'postmaster.pid'), 'utf8');
  await first.stop();
  const account = await accountFor(first.directory);
  const other = spawn('sleep', ['60'], { ...account });
  cleanups.push(() => other.kill('SIGKILL'));
  await writeFile(
    join(first.directory, 'postmaster.pid'),
    [other.pid, ...pidFile.split('\n').slice(1)].join('\n'),
  );
  const second = await start(dataDir);
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }]);
  assert.equal(other.exitCode ?? other.signalCode, null);
});

test('what a first start that was killed half-way left is removed', async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'postgres.new-4194999/base'), { recursive: true });
  await start(dataDir);
  assert(!(await readdir(dataDir)).includes('postgres.new-4194999'));
});

test('works as root below a folder that only root may enter, and as an ordinary user', async (t) => {
  if (!isRoot) return t.skip('needs root');
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'closed'), { mode: 0o700 });
  const dataDir = join(folder, 'closed/checkout/.waybill');
  const closed = await start(dataDir);
  cleanups.push(() => rm(dirname(closed.directory), { recursive: true, force: true }));
  assert(closed.directory.startsWith(`${sharedFolder}/`));
  await query(closed.url, 'create table kept as select 1 as one');
  await closed.stop();
  const again = await start(dataDir);
  assert.equal(again.directory, closed.directory);
  assert.deepEqual(await query(again.url, 'select one from kept'), [{ one: 1 }]);

  const account = (await accountFor(folder))!;
  if (!(await canEnter(dirname(process.execPath), account))) return;
  const own = join(folder, 'own');
  await mkdir(own);
  await chown(own, account.uid, account.gid);
  const ordinary = await startElsewhere(join(own, 'data'), account);
  assert.equal(ordinary.directory, join(own, 'data/postgres'));
  assert.equal((await stat(join(own, 'data'))).mode & 0o777, 0o700);
  // Root can join it, or start it later.
  const joined = await start(join(own, 'data'));
  await end(ordinary.child, 'SIGTERM');
  assert.deepEqual(await query(joined.url, 'select 1 as one'), [{ one: 1 }]);
});

test('failures that an operator can mend are one line', async () => {
  const folder = await temporaryFolder();
  const oneLine = (match: RegExp) => (error: unknown) => {
    assert(error instanceof StartError, String(error));
    assert(!error.message.includes('\n'));
    assert.match(error.message, match);
    return true;
  };
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(start(join(folder, 'file/data')), oneLine(/cannot be used: ENOTDIR/));

  const broken = await start(join(folder, 'broken'));
  await broken.stop();
  await writeFile(join(broken.directory, 'PG_VERSION'), '14\n');
  await assert.rejects(start(join(folder, 'broken')), oneLine(/was made by PostgreSQL 14/));

  const damaged = await start(join(folder, 'damaged'));
  await damaged.stop();
  await rm(join(damaged.directory, 'global/pg_control'));
  await assert.rejects(start(join(folder, 'damaged')), oneLine(/did not start: .*pg_control.*postgres\.log/));

  const lost = await start(join(folder, 'lost'));
  await lost.stop();
  await writeFile(
    join(folder, 'lost/database.json'),
    JSON.stringify({ password: 'x', directory: join(folder, 'nowhere/postgres') }),
  );
  await assert.rejects(start(join(folder, 'lost')), oneLine(/is missing from/));
});
