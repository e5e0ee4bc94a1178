// docs/errors.md lists the table of errors, code by code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { errorTable } from '../../src/errors.ts';

it('docs/errors.md lists every code with its status and message, and no other', async () => {
  const text = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const documented = text.split('\n').filter((line) => /^\| \d{3} \|/.test(line));
  const table = Object.entries(errorTable) as [string, readonly [number, string, string?]][];
  const expected = table.map(
    ([code, [status, message, onTheWire]]) => `| ${status} | \`${onTheWire ?? code}\` | ${message} |`,
  );
  assert.deepEqual(documented.toSorted(), expected.toSorted());
});
