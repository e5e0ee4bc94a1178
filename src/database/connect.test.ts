// How long statements of a connection may take.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/support/cluster.ts';
import { connect, sql } from './connect.ts';

const { url, drop } = await createTestDatabase();
after(drop);

async function longest(patient: boolean): Promise<string> {
  const database = connect(url, { max: 1, patient });
  try {
    const [row] = await database.query<{ timeout: string }>(
      sql`select current_setting('statement_timeout') as timeout`,
    );
    return row!.timeout;
  } finally {
    await database.close();
  }
}

test('a request has a minute for a statement, and who looks at all there is has as long as it takes', async () => {
  assert.equal(await longest(false), '1min');
  assert.equal(await longest(true), '0');
});
