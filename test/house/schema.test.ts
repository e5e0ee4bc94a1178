// schema.sql is what the migrations add up to.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { connect } from '../../src/database/connect.ts';
import { createTestDatabase } from '../support/cluster.ts';
import { describeSchema } from '../support/schema.ts';

test('schema.sql is what the migrations add up to (else: npm run schema)', async () => {
  const { url, drop } = await createTestDatabase();
  const database = connect(url, { max: 1 });
  try {
    const committed = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8').catch(() => '');
    const present = await describeSchema(database);
    assert.equal(committed.split('\n').length > 1, true, 'schema.sql is missing: npm run schema');
    assert.deepEqual(
      committed.split('\n'),
      present.split('\n'),
      'schema.sql is not what the migrations add up to: run `npm run schema` and commit it',
    );
  } finally {
    await database.close();
    await drop();
  }
});
