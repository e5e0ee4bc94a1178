// Files and functions stay small enough to be read in one go.
import assert from 'node:assert/strict';
import test from 'node:test';
import { functionsOf } from './functions.ts';
import { isTest, service, sources } from './sources.ts';

const fileLinesMax = 300;
const testLinesMax = 400;
const functionLinesMax = 70;

/**
 * What is longer than that today. A number may only go down, and the line goes when it is no longer needed;
 * never add one: split the file by topic, or give a part of the function a name.
 */
const longerFiles: Record<string, number> = {};
const longerTests: Record<string, number> = {};
const longerFunctions: Record<string, number> = {};

const lines = (text: string) => text.replace(/\n$/, '').split('\n').length;

function judge(sizes: Map<string, number>, most: number, longer: Record<string, number>): string[] {
  const grown = [...sizes]
    .filter(([name, size]) => size > (longer[name] ?? most))
    .map(([name, size]) => `${name} has ${size} lines; at most ${longer[name] ?? most} are allowed`);
  const slack = Object.entries(longer)
    .filter(([name, allowed]) => (sizes.get(name) ?? 0) < allowed)
    .map(([name, allowed]) => {
      const now = sizes.get(name) ?? 0;
      return now <= most
        ? `${name} is within bounds: take it from the list in this test`
        : `${name} has ${now} lines, no longer ${allowed}: lower its number in this test`;
    });
  return [...grown, ...slack];
}

test(`no file is longer than ${fileLinesMax} lines, no test than ${testLinesMax}`, () => {
  const sizes = (test: boolean) =>
    new Map(
      sources
        .filter(({ path }) => path.endsWith('.test.ts') === test)
        .map(({ path, text }) => [path, lines(text)]),
    );
  const wrong = [
    ...judge(sizes(false), fileLinesMax, longerFiles),
    ...judge(sizes(true), testLinesMax, longerTests),
  ];
  assert.deepEqual(wrong, []);
});

test(`no function is longer than ${functionLinesMax} lines`, () => {
  const sizes = new Map<string, number>();
  for (const { path, text } of sources.filter(
    ({ path }) => !path.startsWith('test/') && !path.endsWith('.test.ts'),
  )) {
    for (const { name, lines: size } of functionsOf(text)) {
      // A feature's routes are a table: one entry for each endpoint.
      if (path.endsWith('routes.ts') && name.endsWith('Routes')) continue;
      const key = `${path} ${name}`;
      sizes.set(key, Math.max(sizes.get(key) ?? 0, size));
    }
  }
  assert.deepEqual(judge(sizes, functionLinesMax, longerFunctions), []);
});

test('the longest functions are found at all', () => {
  const source = `export const long = (x: number) => {\n${'x += 1;\n'.repeat(80)}};`;
  assert.deepEqual(functionsOf(source), [{ name: 'long', lines: 82 }]);
});

test('an operation has the name of its file', () => {
  const operation =
    /^src\/[a-z-]+\/((?:create|update|archive|restore|cancel|hold|release|fulfill|receive|adjust|move)-[a-z-]+)\.ts$/;
  const wrong = service.flatMap(({ path, text }) => {
    const [, file] = operation.exec(path) ?? [];
    if (file === undefined || isTest(path)) return [];
    const name = file.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
    return new RegExp(`export (async )?function ${name}\\b`).test(text)
      ? []
      : [`${path} exports no ${name}()`];
  });
  assert.deepEqual(wrong, []);
});
