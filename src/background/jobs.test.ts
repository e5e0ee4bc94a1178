// Scheduled jobs: known to the library once, however many processes there are, and done when their time comes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../test/support/app.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { startJobs } from './jobs.ts';

const service = await startTestApp();
after(service.close);
const { database, databaseUrl, organizationId } = service;
const log = { error: (error: unknown) => assert.fail(String(error)) };
const start = () => startJobs({ database, config: { databaseUrl, eventRetentionDays: 30 }, log });

test('two processes schedule each job once; what is too old is gone when it has run', async () => {
  const long = new Date(Date.now() - 40 * 86_400_000);
  await database.query(sql`
    insert into idempotency_keys (organization_id, key, fingerprint, status, body, created_at)
    values (${organizationId}, ${newId()}, ${Buffer.from('x')}, 200, '{}', ${long})`);
  const processes = [start(), start()];
  const scheduled = async () =>
    (await database.pool.query('select name from jobs.schedule order by name').catch(() => ({ rows: [] })))
      .rows;
  while ((await scheduled()).length < 3) await sleep(50);
  await sleep(500);
  assert.deepEqual(
    (await scheduled()).map(({ name }) => name),
    ['purge-events', 'purge-idempotency-keys', 'purge-webhook-deliveries'],
  );
  // Its time has come.
  await database.pool.query(`insert into jobs.job (name) values ('purge-idempotency-keys')`);
  const left = async () =>
    (await database.query(sql`select 1 from idempotency_keys where organization_id = ${organizationId}`))
      .length;
  while ((await left()) > 0) await sleep(100);
  await Promise.all(processes.map((process) => process.stop()));
});
