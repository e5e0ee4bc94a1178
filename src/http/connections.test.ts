// Which readers are cut off, as numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooSlow } from './connections.ts';

const bounds = { readMs: 60, unreadBytes: 100 };
const cutOff = (...waiting: [since: number, bytes: number][]) =>
  tooSlow(
    waiting.map(([since, bytes]) => ({ since, bytes })),
    1_000,
    bounds,
  ).map(({ since }) => since);

test('who has taken as long as is allowed is cut off, whatever the others do', () => {
  assert.deepEqual(cutOff([941, 1], [940, 1], [999, 1], [100, 1]), [100, 940]);
});

test('of too much the longest go first, and no more than needed', () => {
  assert.deepEqual(cutOff([980, 60], [970, 30], [990, 20], [960, 15]), [960, 970]);
  assert.deepEqual(cutOff([980, 60], [970, 40]), []);
});

test('one answer that is too much by itself goes', () => {
  assert.deepEqual(cutOff([999, 101]), [999]);
});
