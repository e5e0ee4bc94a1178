// The project's own files as the tests of the house read them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Source {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
  /** The paths of what it imports from the project, types included, dynamic imports too. */
  imports: string[];
  /** Those of them that remain when the types are gone. */
  valueImports: string[];
}

const folders = ['src', 'test', 'examples', 'bench', 'bin'];

/** Every TypeScript and JavaScript file of ours. */
export const sources: Source[] = folders
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(ts|mts|js|mjs)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort()
  .map(read);

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || !path.startsWith('src/');
}

/** The files that make up the service itself. */
export const service = sources.filter(({ path }) => !isTest(path));

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const from = (specifiers: string[]) => [
    ...new Set(specifiers.map((name) => posix.normalize(posix.join(posix.dirname(path), name)))),
  ];
  const statements = [...text.matchAll(/^(?:import|export)(\s+type)?\s[^;]*?from '(\.[^']+)'/gm)];
  const others = [...text.matchAll(/\bimport\('(\.[^']+)'\)|^import '(\.[^']+)'/gm)].map(
    ([, dynamic, bare]) => (dynamic ?? bare)!,
  );
  return {
    path,
    text,
    imports: from([...statements.map(([, , name]) => name!), ...others]),
    valueImports: from([
      ...statements.filter(([, type]) => type === undefined).map(([, , name]) => name!),
      ...others,
    ]),
  };
}
