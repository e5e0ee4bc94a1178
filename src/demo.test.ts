// The demo: made once on an empty database, and the line it prints works when pasted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { startTestApp } from '../test/support/app.ts';
import { createTestDatabase } from '../test/support/cluster.ts';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { connect, sql } from './database/connect.ts';
import { demoCurl, seedDemo } from './demo.ts';

const { url, drop } = await createTestDatabase();
const database = connect(url);
const app = await buildApp({ database, config: readConfig({ WAYBILL_LOG_LEVEL: 'error' }) });
after(async () => {
  await app.close();
  await database.close();
  await drop();
});

const seeds = await Promise.all([1, 2, 3].map(() => seedDemo(database, 'live')));
const [demo] = seeds.filter((seed) => seed !== undefined);

const get = async (path: string) => {
  const headers = { authorization: `Bearer ${demo!.key}` };
  return (await app.inject({ url: `/api/v1${path}`, headers })).json();
};

test('processes that start at once make one demo, and a later one none', async () => {
  assert.equal(seeds.filter((seed) => seed !== undefined).length, 1);
  assert.equal(await seedDemo(database, 'live'), undefined);
  const organizations = await database.query(sql`select slug, parent_id from organizations`);
  assert.deepEqual(organizations, [{ slug: 'demo', parent_id: null }]);
});

test('its key may do everything, and its stock is consistent with the ledger', async () => {
  const keys = await get('/api-keys');
  assert.deepEqual([keys.totalCount, keys.data[0].permissions], [1, ['all']]);
  const levels = await get(`/inventory/levels?warehouseId=${demo!.warehouseId}&search=${demo!.sku}`);
  assert.equal(levels.data[0].availableQuantity, 100);
  assert.equal((await get('/products')).totalCount, 3);
  assert.equal((await get('/inventory/verify')).data.consistent, true);
});

test('the curl line, read by a shell, creates an order that takes stock', async () => {
  const line = demoCurl('http://127.0.0.1:3000/api/v1', demo!.key);
  assert.ok(!line.includes('\n'));
  const printArguments = `curl() { for argument in "$@"; do printf '%s\\n' "$argument"; done; }; ${line}`;
  const words = execFileSync('sh', ['-c', printArguments], { encoding: 'utf8' }).trimEnd().split('\n');
  const [address, authorization, contentType, body] = [words[1]!, words[3]!, words[5]!, words[7]!];
  const answer = await app.inject({
    method: 'POST',
    url: new URL(address).pathname,
    headers: Object.fromEntries([authorization, contentType].map((header) => header.split(': '))),
    payload: body,
  });
  assert.equal(answer.statusCode, 200, answer.body);
  const { lineItems } = answer.json().data;
  assert.deepEqual([lineItems[0].productVariant.sku, lineItems[0].quantityAllocated], [demo!.sku, 2]);
});

test('a database with any organization is left alone', async () => {
  const home = await startTestApp();
  assert.equal(await seedDemo(home.database, 'live'), undefined);
  await home.close();
});
