// docs/operations.md lists every variable, command, column and metric.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { columnNames } from '../../src/cli/import/columns.ts';
import { kinds } from '../../src/cli/import/kinds.ts';
import { variables } from '../../src/config.ts';
import { startTestApp } from '../support/app.ts';

const file = new URL('../../docs/operations.md', import.meta.url);
const text = await readFile(file, 'utf8');

/** The rows of the table whose head begins so. */
function rowsUnder(head: string): string[] {
  const [, after = ''] = text.split(`\n| ${head} |`);
  const table = after.slice(0, after.indexOf('\n\n'));
  return table.split('\n').slice(2);
}

it('every variable stands there with what it takes, its default and its description, and no other', () => {
  const expected = Object.entries(variables).map(([name, variable]) => {
    const left = variable.default === undefined ? 'unset' : `\`${variable.default}\``;
    return `| \`${name}\` | ${variable.expects} | ${left} | ${variable.description} |`;
  });
  assert.deepEqual(rowsUnder('Variable'), expected);
});

it('every column of every kind of import stands there, and no other', () => {
  const expected = Object.entries(kinds).map(([name, kind]) => {
    const columns = columnNames(kind).map((column) => `\`${column}\``);
    return `| \`${name}\` | ${columns.join(', ')} |`;
  });
  assert.deepEqual(rowsUnder('Kind'), expected);
});

it('every command stands there with an example', () => {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const commandsOf = (...path: string[]): string[] => {
    const help = execFileSync(process.execPath, [main, ...path, '--help'], { encoding: 'utf8' });
    const [, commands = ''] = help.split('Commands:\n');
    const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter((n) => n !== 'help');
    return names.flatMap((name) => {
      const below = path.length === 0 ? commandsOf(name) : [];
      return below.length > 0 ? below.map((each) => `${name} ${each}`) : [name];
    });
  };
  const documented = rowsUnder('Command').map((row) => /^\| `([\w ]+)` \|/.exec(row)?.[1]);
  assert.deepEqual(documented.toSorted(), commandsOf().toSorted());
  for (const row of rowsUnder('Command')) assert.match(row, /npx waybill /);
});

it('every metric of our own stands there', async () => {
  const { app, close } = await startTestApp();
  const metrics = (await app.inject('/metrics')).body;
  const names = [...metrics.matchAll(/^# HELP (waybill_\w+)/gm)].map(([, name]) => name!);
  const documented = rowsUnder('Metric').map((row) => /^\| `(\w+)` \|/.exec(row)?.[1]);
  assert.deepEqual(documented.toSorted(), names.toSorted());
  await close();
});
