// package-lock.json lists the packages of every platform, not only of the one that it was written on: else `npm ci` refuses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));
const lock: { packages: Record<string, Locked> } = await read('package-lock.json');

test('every dependency has an entry, also those of other platforms', () => {
  const missing = Object.entries(lock.packages).flatMap(([from, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !resolves(from, name))
      .map((name) => `${name}, which ${from || 'the project'} asks for`),
  );
  assert.deepEqual(missing, []);
});

test('it is of this package.json', async () => {
  const { dependencies, devDependencies } = await read('package.json');
  const locked = lock.packages['']!;
  assert.deepEqual([locked.dependencies, locked.devDependencies], [dependencies, devDependencies]);
});

/** Node looks in the nearest node_modules first, then further up. */
function resolves(from: string, name: string): boolean {
  const folders = from
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return ['', ...folders].some(
    (folder) => `${folder}/node_modules/${name}`.replace(/^\//, '') in lock.packages,
  );
}
