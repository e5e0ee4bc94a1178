// The limit that tells how few rows an array holds.
import assert from 'node:assert/strict';
import test from 'node:test';
import { noMoreThan } from './no-more-than.ts';
import { compile } from './sql.ts';

test('the limit is never below the number of rows, and one of a few', () => {
  const limits = new Set<string>();
  for (let count = 0; count <= 3_000; count += 1) {
    const { text, values } = compile(noMoreThan(count));
    assert.deepEqual(values, []);
    limits.add(text);
    if (text !== '') assert.ok(Number(text.replace('limit ', '')) >= count, `${text} for ${count} rows`);
  }
  assert.equal(limits.size, 5);
});
