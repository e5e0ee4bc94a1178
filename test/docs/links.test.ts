// Every link from one page of the documentation to another file of the repository leads somewhere.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('no link in README.md, CONTRIBUTING.md, SECURITY.md and docs/ is broken', async () => {
  const docs = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) =>
    name.endsWith('.md'),
  );
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => join('docs', name))];
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      if (!existsSync(join(root, dirname(page), link!))) broken.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});
