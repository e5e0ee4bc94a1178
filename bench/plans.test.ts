// Reads look at as many rows as a page needs, however many there are; at full size it is `npm run explain -- --size 1m`.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../test/support/cluster.ts';
import { fillDatabase } from './data-set.ts';
import { plansOf, unboundedReads } from './plans.ts';
import { readScenarios } from './scenarios/lists.ts';

/** Enough for PostgreSQL to prefer an index to a walk through the table. */
const orders = 4_000;

const { url, drop } = await createTestDatabase();
after(drop);
const data = await fillDatabase(url, orders, () => {});
const plans = await plansOf(url, data);

test('a list reads no more rows than its page needs, sorts no more, and walks through no table', () => {
  assert.equal(plans.length, readScenarios.length);
  assert.deepEqual(unboundedReads(plans), []);
});

test('what is said to grow is seen to read or sort more', () => {
  const byFigure = plans.find(({ scenario }) => scenario.name === 'list-levels-by-available-quantity')!;
  assert.ok(byFigure.rowsSorted > 500, String(byFigure.rowsSorted));
  const { cost: _cost, ...scenario } = byFigure.scenario;
  assert.match(unboundedReads([{ ...byFigure, scenario }]).join(), /sorts \d+ rows/);
});
