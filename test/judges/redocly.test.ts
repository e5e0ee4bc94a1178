// openapi.json passes a judge that nobody here wrote. `npm run judges` asks two more, which are too large to install.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { redoclyProblems } from './redocly.ts';

const committed = fileURLToPath(new URL('../../openapi.json', import.meta.url));

test('openapi.json passes the recommended rules of Redocly without an error or a warning', async () => {
  assert.deepEqual(await redoclyProblems(committed), []);
});

test('the judge does judge: a document with two faults has both named', async () => {
  const document = JSON.parse(await readFile(committed, 'utf8'));
  document.paths['/customers'].get.operationId = document.paths['/customers'].post.operationId;
  delete document.info.license;
  const folder = await mkdtemp(join(tmpdir(), 'waybill-judges-'));
  try {
    const broken = join(folder, 'openapi.json');
    await writeFile(broken, JSON.stringify(document));
    const problems = (await redoclyProblems(broken)).join('\n');
    assert.match(problems, /error operation-operationId-unique/);
    assert.match(problems, /info-license/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
