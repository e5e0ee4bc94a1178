// Reads look at as many rows as a page needs, however many there are; at full size it is `npm run explain -- --size 1m`.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../test/support/cluster.ts';
import { fillDatabase } from './data-set.ts';
import { plansOf, unboundedReads } from './plans.ts';
import { listPairs, unnamedParameters } from './scenarios/list-pairs.ts';
import { readScenarios } from './scenarios/lists.ts';

/** Enough for PostgreSQL to prefer an index to a walk through the table. */
const orders = 4_000;

const { url, drop } = await createTestDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await drop();
});
await costPagesAsBuiltIn();
const data = await fillDatabase(url, orders, () => {});
await makeFamily();
const { reads, pairs } = await plansOf(url, data);

test('a list reads no more rows than its page needs, sorts no more, and walks through no table', () => {
  assert.equal(reads.length, readScenarios.length);
  assert.deepEqual(unboundedReads(reads), []);
});

test('so do the lists with kept totals under every filter and in every order, but for those whose cost is stated', () => {
  assert.equal(pairs.length, listPairs.length);
  assert.deepEqual(unboundedReads(pairs), []);
});

test("a parent's lists are of its clients' records too, and sort a page of each", () => {
  const sortedBy = (wanted: string) => pairs.find(({ name }) => name === wanted)!.rowsSorted;
  assert.ok(sortedBy('orders childOrders=true price asc') > sortedBy('orders price asc'));
});

test('every parameter of those lists is a filter that is tried, or known to be none', () => {
  assert.deepEqual(unnamedParameters(), []);
});

test('what is said to grow is seen to read or sort more', () => {
  const deep = reads.find(({ name }) => name === 'list-orders-deepest-page')!;
  assert.ok(deep.rowsRead > 1_000, String(deep.rowsRead));
  assert.match(unboundedReads([{ ...deep, cost: undefined }]).join(), /reads \d+ rows/);
});

/** By default a page read at random is taken to be dear, and a walk through a small table cheaper than an index. */
async function costPagesAsBuiltIn(): Promise<void> {
  const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.query(`alter database ${name} set random_page_cost = 1.1`);
}

/** The organisation that is asked becomes the parent of all others. */
async function makeFamily(): Promise<void> {
  const { rows } = await client.query('select organization_id as id from api_keys');
  await client.query('update organizations set parent_id = $1 where id <> $1', [rows[0].id]);
}
