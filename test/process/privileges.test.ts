// The rights that a role needs on a database of DATABASE_URL.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { connect, sql } from '../../src/database/connect.ts';
import { administer, createTestDatabase } from '../support/cluster.ts';
import { cleanups, eventually, run, serviceEnvironment, startService, temporaryFolder } from './program.ts';

/** A migrated database, and the address at which a role of no rights finds it. */
async function databaseFor(grants: string[]) {
  const database = await createTestDatabase();
  const role = `reader_${randomBytes(6).toString('hex')}`;
  cleanups.push(async () => {
    await administer(database.url, `drop owned by ${role}; drop role ${role}`);
    await database.drop();
  });
  await administer(database.url, `create role ${role} login password 'x'`);
  const { pathname } = new URL(database.url);
  for (const grant of grants) await administer(database.url, `${grant} to ${role}`);
  // For the schema of the job queue, which the role makes and owns.
  await administer(database.url, `grant create on database ${pathname.slice(1)} to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'x';
  return { ...database, roleUrl: url.href };
}

const readAndWrite = [
  'grant usage on schema public',
  'grant select, insert, update, delete on all tables in schema public',
  'grant usage on all sequences in schema public',
];

test('a role that may read and write serves what the owner has migrated', async () => {
  const { roleUrl } = await databaseFor(readAndWrite);
  const dataDir = await temporaryFolder();
  const { url, output } = await startService(dataDir, { DATABASE_URL: roleUrl, WAYBILL_DEMO: '1' });
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const database = connect(roleUrl, { max: 1 });
  cleanups.push(() => database.close());
  await eventually(async () => {
    const jobs = await database.query(
      sql`select name from jobs.schedule where name = 'purge-webhook-deliveries'`,
    );
    return jobs.length > 0 ? true : undefined;
  });
  assert.doesNotMatch(output.out, /failed/);
});

test('a migration that the role may not make stops the start with one line', async () => {
  const { url, roleUrl } = await databaseFor(readAndWrite);
  await administer(url, `delete from schema_migrations where name like '0001%'`);
  const env = serviceEnvironment(await temporaryFolder(), { DATABASE_URL: roleUrl });
  const { ended, output } = run(process.execPath, ['src/server.ts'], env);
  assert.equal(await ended, 1);
  assert.match(output.err, /^waybill: the database of DATABASE_URL \([^\n]*permission denied[^\n]*\n$/);
});
