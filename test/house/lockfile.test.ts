// package-lock.json lists the packages of every platform, not only of the one that it was written on: else `npm ci` refuses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optional?: boolean;
  integrity?: string;
  deprecated?: string;
  hasInstallScript?: boolean;
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

test('what is fetched is held against a hash of its content', () => {
  // Of other platforms than the one that the file was written on, npm notes none.
  const wrong = Object.entries(lock.packages).filter(
    ([path, { integrity, optional }]) =>
      path !== '' && !/^sha512-/.test(integrity ?? '') && !(optional && integrity === undefined),
  );
  assert.deepEqual(
    wrong.map(([path]) => path),
    [],
  );
  assert.match(lock.packages['node_modules/fastify']?.integrity ?? '', /^sha512-/);
});

test('no package is in use that its authors have given up', () => {
  const wrong = Object.entries(lock.packages).filter(([, { deprecated }]) => deprecated !== undefined);
  assert.deepEqual(
    wrong.map(([path, { deprecated }]) => `${path}: ${deprecated}`),
    [],
  );
});

test('only those packages run scripts when they are installed that package.json allows by name', async () => {
  const { allowScripts } = await read('package.json');
  const running = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = running.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  assert.deepEqual(names.toSorted(), Object.keys(allowScripts).toSorted());
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
