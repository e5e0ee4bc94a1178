// `npm run schema`: writes schema.sql from a freshly migrated database.
import { writeFile } from 'node:fs/promises';
import { connect } from '../../src/database/connect.ts';
import { createTestDatabase } from './cluster.ts';
import { describeSchema } from './schema.ts';

const { url, drop } = await createTestDatabase();
const database = connect(url, { max: 1 });
try {
  await writeFile(new URL('../../schema.sql', import.meta.url), await describeSchema(database));
} finally {
  await database.close();
  await drop();
}
