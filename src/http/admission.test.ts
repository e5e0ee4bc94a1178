// When a line is too long to join, as numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooLong } from './admission.ts';

const cases: [name: string, waiting: number, intervalMs: number, stillMs: number, refused: boolean][] = [
  ['a line that moves fast', 2_000, 0.2, 3, false],
  ['a long line of which the last would wait for half a second', 501, 1, 3, true],
  ['the same, just shorter', 500, 1, 3, false],
  ['a short line may take its time', 256, 15, 20, false],
  ['a line of one more may not', 257, 15, 20, true],
  ['a short line so slow that whoever joins it would be given up', 256, 20, 20, true],
  ['a few behind statements that take seconds', 5, 900, 900, false],
  ['a long line that has stopped', 257, 0, 501, true],
  ['a short line that has stopped', 1, 0, 5_001, true],
  ['a short line that has just stopped', 1, 0, 4_999, false],
];

for (const [name, waiting, intervalMs, stillMs, refused] of cases) {
  test(`${refused ? 'refused' : 'let in'}: ${name}`, () => {
    assert.equal(isTooLong({ waiting, intervalMs, stillMs }), refused);
  });
}
