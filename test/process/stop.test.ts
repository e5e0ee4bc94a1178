// Stopping: what runs is finished first, and nothing that was answered is lost, however the end comes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sql } from '../../src/database/connect.ts';
import {
  createCustomer,
  customerNames,
  databaseIsRunning,
  databasePid,
  endDatabaseAfterwards,
  eventually,
  joinDatabase,
  makeKey,
  readyAddress,
  run,
  type Service,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from './program.ts';

/** Sends the head of a request whose body never comes; resolves once the service has taken it up. */
async function sendHalf({ url }: Service, key: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /api/v1/customers HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
  const body = ['Content-Type: application/json', 'Content-Length: 14', 'Expect: 100-continue'];
  socket.write(`${[...head, ...body].join('\r\n')}\r\n\r\n`);
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 100 /);
  return socket;
}

/** Resolves once the service no longer accepts connections. */
async function closed({ url }: Service): Promise<void> {
  const { hostname, port } = new URL(url);
  await eventually(async () => {
    const socket = connect(Number(port), hostname);
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return open ? undefined : true;
  });
}

/** Resolves once a statement waits for a lock. */
async function isWaiting(database: Database): Promise<void> {
  await eventually(async () => {
    const waiting = await database.query(sql`select 1 from pg_locks where not granted`);
    return waiting.length > 0 ? true : undefined;
  });
}

for (const processes of ['1', '2']) {
  test(`SIGTERM accepts nothing new and finishes what runs (processes: ${processes})`, async () => {
    const dataDir = await temporaryFolder();
    const service = await startService(dataDir, { WAYBILL_PROCESSES: processes });
    const database = await joinDatabase(dataDir);
    const key = await makeKey(database);
    let answer: Promise<Response> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query(sql`lock table customers in share mode`);
      answer = createCustomer(service.url, key, 'Ada');
      await isWaiting(database);
      service.child.kill('SIGTERM');
      await closed(service);
    });
    assert.equal((await answer!).status, 200);
    assert.equal(await service.ended, 0);
    assert.deepEqual(await database.query(sql`select name from customers`), [{ name: 'Ada' }]);
  });
}

test('a request that never ends is cut off, and the database still stops in order', async () => {
  const dataDir = await temporaryFolder();
  const service = await startService(dataDir);
  const key = await makeKey(await joinDatabase(dataDir));
  const socket = await sendHalf(service, key);
  const cut = once(socket, 'close');
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  await cut;
});

test('a second signal ends it at once; the next start finds everything', async () => {
  const dataDir = await temporaryFolder();
  const service = await startService(dataDir);
  const key = await makeKey(await joinDatabase(dataDir));
  await createCustomer(service.url, key, 'Ada');
  const socket = await sendHalf(service, key);
  service.child.kill('SIGTERM');
  await closed(service);
  // Sooner it would count as the same Ctrl-C, which npm passes on a second time.
  await sleep(300);
  service.child.kill('SIGINT');
  assert.equal(await service.ended, 1);
  socket.destroy();
  assert.deepEqual(await customerNames((await startService(dataDir)).url, key), ['Ada']);
});

test('kill -9 of the service loses nothing that was answered', async () => {
  const dataDir = await temporaryFolder();
  const first = await startService(dataDir);
  const key = await makeKey(await joinDatabase(dataDir));
  const answers = await Promise.all(
    ['Ada', 'Bea', 'Cid'].map((name) => createCustomer(first.url, key, name)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  first.child.kill('SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  const second = await startService(dataDir);
  assert.deepEqual(await customerNames(second.url, key), ['Ada', 'Bea', 'Cid']);
});

test('kill -9 of the database under load loses nothing that was answered, and the service goes on', async () => {
  const dataDir = await temporaryFolder();
  const service = await startService(dataDir, { WAYBILL_LOG_LEVEL: 'fatal' });
  const database = await joinDatabase(dataDir);
  const key = await makeKey(database);
  const answered: string[] = [];
  let written = 0;
  let stopping = false;
  const writers = Array.from({ length: 8 }, async () => {
    while (!stopping) {
      const name = `customer ${written++}`;
      const { status } = await createCustomer(service.url, key, name);
      if (status === 200) answered.push(name);
      else assert.equal(status, 503);
    }
  });
  for (let kill = 1; kill <= 3; kill += 1) {
    const before = answered.length;
    await eventually(async () => (answered.length > before + 50 ? true : undefined));
    process.kill((await databasePid(dataDir))!, 'SIGKILL');
  }
  const before = answered.length;
  await eventually(async () => (answered.length > before + 50 ? true : undefined));
  stopping = true;
  await Promise.all(writers);
  const rows = await database.query<{ name: string }>(sql`select name from customers`);
  const stored = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    answered.filter((name) => !stored.has(name)),
    [],
  );
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0, service.output.err);
});

test('a worker that dies is replaced, and the port goes on answering', async () => {
  const dataDir = await temporaryFolder();
  const service = await startService(dataDir, { WAYBILL_PROCESSES: '2' });
  const workers = () =>
    execFileSync('pgrep', ['-P', String(service.child.pid), '-f', 'server.ts'], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const before = await eventually(async () => (workers().length === 2 ? workers() : undefined));
  process.kill(Number(before[0]), 'SIGKILL');
  const after = await eventually(async () => {
    const now = workers();
    return now.length === 2 && !now.includes(before[0]!) ? now : undefined;
  });
  assert(after.includes(before[1]!));
  await eventually(async () => ((await fetch(`${service.url}/readyz`)).status === 200 ? true : undefined));
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  assert.equal(await databaseIsRunning(dataDir), false);
});

// A terminal sends Ctrl-C to every program of the group, and npm passes it on besides; an init system tells npm alone.
const endings = {
  'Ctrl-C in a terminal': (npm: number) => process.kill(-npm, 'SIGINT'),
  'SIGTERM to npm': (npm: number) => process.kill(npm, 'SIGTERM'),
};

for (const [name, end] of Object.entries(endings)) {
  test(`${name} under npm start finishes what runs and stops the database in order`, async () => {
    const dataDir = await temporaryFolder();
    endDatabaseAfterwards(dataDir);
    const npm = run('npm', ['start'], serviceEnvironment(dataDir), true);
    const service = { ...npm, url: await readyAddress(npm) };
    const database = await joinDatabase(dataDir);
    const key = await makeKey(database);
    let answer: Promise<Response> | undefined;
    await database.transaction(async (transaction) => {
      await transaction.query(sql`lock table customers in share mode`);
      answer = createCustomer(service.url, key, 'Ada');
      await isWaiting(database);
      end(npm.child.pid!);
      await closed(service);
    });
    assert.equal((await answer!).status, 200);
    assert.equal(await npm.ended, 0);
  });
}
