// The disk fills up under a running service, a real one of a few megabytes: 503, nothing half written, and on it goes by itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { startEmbedded } from '../../src/database/embedded.ts';
import { freePort } from '../../src/free-port.ts';
import {
  cleanups,
  databasePid,
  endDatabaseAfterwards,
  eventually,
  joinDatabase,
  makeKey,
  run,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from '../process/program.ts';
import { requestOver } from './over-http.ts';

/** A disk of its own, and a way to fill it up to the last byte; undefined where none can be mounted. */
async function smallDisk(megabytes: number) {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch {
    return undefined;
  }
  cleanups.push(() => execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill(): Promise<void> {
      const file = await open(ballast, 'a');
      for (const size of [1_048_576, 4_096]) {
        try {
          for (;;) await file.write(Buffer.alloc(size));
        } catch (error) {
          assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        }
      }
      await file.close();
    },
    empty: () => rm(ballast, { force: true }),
  };
}

const quiet = { WAYBILL_LOG_LEVEL: 'fatal' };

test('a full disk: writes are 503, reads go on; a full pg_wal ends PostgreSQL, and it comes back; nothing is lost', async (t) => {
  const disk = await smallDisk(192);
  if (disk === undefined) return t.skip('needs the right to mount');
  const dataDir = join(disk.folder, 'data');
  const service = await startService(dataDir, quiet);
  const database = await joinDatabase(dataDir);
  const request = requestOver(service.url, await makeKey(database));
  const answered: string[] = [];
  let sent = 0;
  /** Writes until the status comes; every other answer on the way is documented, and says when to come again. */
  const writeUntil = async (status: number) => {
    for (;;) {
      const name = `customer ${sent++}`;
      const fields = { name, metadata: { padding: 'x'.repeat(400) } };
      const answer = await request('POST', '/customers', fields, { 'idempotency-key': name });
      if (answer.status === 200) answered.push(name);
      else {
        assert.equal(answer.status, 503, answer.text);
        assert.equal(answer.body.error.details.code, 'unavailable');
        assert.ok(Number(answer.headers['retry-after']) >= 1);
      }
      if (answer.status === status) return;
    }
  };
  await writeUntil(200);
  await disk.fill();
  await writeUntil(503);
  const file = join(disk.folder, 'no-room.backup');
  const backup = run(
    process.execPath,
    ['src/cli/main.ts', 'backup', file],
    serviceEnvironment(dataDir, quiet),
  );
  assert.equal(await backup.ended, 1);
  assert.match(backup.output.err, /^waybill: the backup cannot be written: ENOSPC[^\n]*\n$/);
  assert.deepEqual((await readdir(disk.folder)).sort(), ['ballast', 'data']);
  const read = await request('GET', '/customers?limit=1');
  assert.deepEqual([read.status, read.body.totalCount], [200, answered.length]);
  await disk.empty();
  await writeUntil(200);

  await disk.fill();
  const pid = await databasePid(dataDir);
  // Its next file of pg_wal has no room.
  for (let n = 0; n < 20; n += 1)
    await database.pool.query('select pg_switch_wal(), txid_current()').catch(() => {});
  await writeUntil(503);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  await disk.empty();
  await writeUntil(200);
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  assert.match(log, /PANIC:.*No space left/);
  assert.ok((await databasePid(dataDir)) !== undefined && pid !== undefined);

  // Each is there once, whole, with all that is written along with it; what was refused is not, in any part.
  const { rows } = await database.pool.query('select name from customers order by created_at');
  assert.deepEqual(rows.map(({ name }) => name).sort(), answered.toSorted());
  const keys = await database.pool.query('select key from idempotency_keys');
  assert.deepEqual(keys.rows.map(({ key }) => key).sort(), answered.toSorted());
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0, service.output.err);
});

test('a start on a full disk fails with one line and leaves nothing half made; with room it starts', async (t) => {
  const disk = await smallDisk(192);
  if (disk === undefined) return t.skip('needs the right to mount');
  const dataDir = join(disk.folder, 'data');
  endDatabaseAfterwards(dataDir);
  await disk.fill();
  const failed = run(process.execPath, ['src/server.ts'], serviceEnvironment(dataDir, quiet));
  assert.equal(await failed.ended, 1);
  assert.match(failed.output.err, /^waybill: [^\n]+(ENOSPC|No space left|space)[^\n]*\n$/);
  await disk.empty();
  const service = await startService(dataDir, quiet);
  const secret = await readFile(join(dataDir, 'secret'), 'utf8');
  assert.match(secret, /^[\w-]{43}\n$/);
  service.child.kill('SIGKILL');
  await service.ended;
  process.kill((await databasePid(dataDir))!, 'SIGKILL');

  // Found as a crash leaves it, and no room to come back: every file is what it was, and the next start works.
  await disk.fill();
  const again = run(process.execPath, ['src/server.ts'], serviceEnvironment(dataDir, quiet));
  let over = false;
  again.ended.finally(() => {
    over = true;
  });
  await eventually(async () => (over || /ready at/.test(again.output.out) ? true : undefined));
  again.child.kill('SIGKILL');
  await again.ended;
  await disk.empty();
  const settings = await readFile(join(dataDir, 'postgres/postgresql.conf'), 'utf8');
  assert.match(
    settings,
    /^# Written by Waybill[\s\S]*listen_addresses = '127\.0\.0\.1'[\s\S]*log_timezone[^\n]*\n/,
  );
  assert.equal(await readFile(join(dataDir, 'secret'), 'utf8'), secret);
  const last = await startService(dataDir, quiet);
  assert.equal((await fetch(`${last.url}/readyz`)).status, 200);
});

test('a log that has no room loses lines, and the service goes on', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /dev/full');
  const dataDir = await temporaryFolder();
  const port = await freePort('127.0.0.1');
  const env = serviceEnvironment(dataDir, { WAYBILL_PORT: String(port), WAYBILL_LOG_LEVEL: 'info' });
  endDatabaseAfterwards(dataDir);
  const service = run('sh', ['-c', 'exec "$0" src/server.ts >/dev/full 2>&1', process.execPath], env);
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => ((await fetch(`${url}/readyz`)).status === 200 ? true : undefined));
  const request = requestOver(url, await makeKey(await joinDatabase(dataDir)));
  for (let n = 0; n < 100; n += 1)
    assert.equal((await request('POST', '/customers', { name: `C${n}` })).status, 200);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal((await request('GET', '/customers')).body.totalCount, 100);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
});

test('a lock file that a power cut left empty does not keep PostgreSQL from starting', async () => {
  const dataDir = await temporaryFolder();
  const first = await startEmbedded(dataDir);
  await first.stop();
  const file = join(first.directory, 'postmaster.pid');
  await writeFile(file, '');
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(file, longAgo, longAgo);
  const second = await startEmbedded(dataDir);
  await second.stop();
});
