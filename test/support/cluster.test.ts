// The test databases themselves: migrated, apart from each other, and gone when the run has ended.
import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './cluster.ts';

test('each is migrated, empty, and apart from the others', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  assert.notEqual(one.url, two.url);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  const { rows } = await client.query('select count(*)::int as organizations from organizations');
  await client.end();
  assert.deepEqual(rows, [{ organizations: 0 }]);
  await one.drop();
  await two.drop();
  await assert.rejects(new pg.Client({ connectionString: one.url }).connect(), { code: '3D000' });
});
