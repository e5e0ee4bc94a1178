// `node test/operations/write-fixture.ts <name>`: keeps a database of this version and its answers, for test/operations/upgrade.test.ts.
import { writeFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { writeArchive } from '../../src/cli/archive/write-archive.ts';
import { fingerprint } from '../../src/secrets.ts';
import { startTestApp, testSecret } from '../support/app.ts';
import { shownBy } from './shown.ts';
import { writeWorld } from './written-world.ts';

const [name] = process.argv.slice(2);
if (name === undefined)
  throw new Error('What is the fixture called? The number of the last migration, for example.');
const folder = new URL('fixtures/', import.meta.url).pathname;
const service = await startTestApp({ environment: 'test' });
const world = await writeWorld(service);
const shown = await shownBy(service.request);
await writeArchive(service.databaseUrl, `${folder}${name}.backup`, fingerprint(testSecret));
await writeFile(`${folder}${name}.json.br`, brotliCompressSync(JSON.stringify({ world, shown })));
await service.close();
