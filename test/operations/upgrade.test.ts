// A database that an earlier version made is brought up to date at the start, shows what it showed, and is written to.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { loadArchive } from '../../src/cli/archive/load-archive.ts';
import { openArchive } from '../../src/cli/archive/read-archive.ts';
import { connect } from '../../src/database/connect.ts';
import { migrationNames, readMigration } from '../../src/database/migrate.ts';
import {
  cleanups,
  eventually,
  readyAddress,
  run,
  serviceEnvironment,
  temporaryFolder,
} from '../process/program.ts';
import { testSecret } from '../support/app.ts';
import { administer, startTestCluster } from '../support/cluster.ts';
import { makeOrder, makeStocked, unique } from '../support/factories.ts';
import { describeSchema } from '../support/schema.ts';
import { contract, requestOver } from './over-http.ts';
import { shownBy } from './shown.ts';
import { fillWorld } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

/** What has landed is never changed; a release adds its own migrations here. */
const landed: Record<string, string> = {
  '0001_organizations.sql': 'e6acca63a5b2697acb68df68e4bc7f15cef822b6583b6da89ea113a792aa6a42',
  '0002_products.sql': '687f2482e1189ec4530b3a5f45d9c4e92151de917f39cfbbb5875623ffef39eb',
  '0003_warehouses.sql': 'e846f41943425083d37e252353cb77d0930a844a7eb874052f5552a8f8914143',
  '0004_inventory.sql': '07757bbde8934587cb1631a02f5345946c98a2a20bdd518d3f0b2630daafec1e',
  '0005_orders.sql': 'bd1e7a431af73655a75450672e76ce73cb03bbe56f6e75eadce0e44809a117e3',
  '0006_return_orders.sql': '2d5a251118c2773de26b9f95685b4620a47974f18ea51471ca19e2f4adf925b8',
  '0007_fulfillments.sql': '724da083ce7e8ce9c3ef5e8f0d130a7eb9c9a350184cfbb4be3074f51fb933d4',
  '0008_purchasing.sql': 'd5c9df1fc081c9eb305f4e704c442aefa2fd4b88b8882e8fbebb6f7062e3bfb5',
  '0009_webhooks.sql': '53ea1fd3f87e30b2838c761b113a52d588beb739cdb11f3437dde5557dfa9593',
  '0010_shipping.sql': '9d4fa8e6464d14261d0944a7fd13dd782984d706278557d39b547a6d1e029f47',
};

test('migrations that have landed are what they were', async () => {
  const found: Record<string, string> = {};
  for (const name of Object.keys(landed)) {
    found[name] = createHash('sha256')
      .update(await readMigration(name))
      .digest('hex');
  }
  assert.deepEqual(found, landed);
  assert.deepEqual((await migrationNames()).slice(0, Object.keys(landed).length), Object.keys(landed));
});

const fixtures = new URL('fixtures/', import.meta.url).pathname;

for (const name of ['0010']) {
  test(`a database of version ${name}: its schema is as if made today, it shows what it showed, and takes every write`, async () => {
    const { adminUrl, prefix } = await startTestCluster();
    const databaseName = `${prefix}upgrade${name}`;
    await administer(adminUrl, `create database ${databaseName}`);
    cleanups.push(() => administer(adminUrl, `drop database if exists ${databaseName} with (force)`));
    const url = Object.assign(new URL(adminUrl), { pathname: `/${databaseName}` }).href;
    const archive = await openArchive(`${fixtures}${name}.backup`);
    const { leftOut } = await loadArchive(url, archive);
    assert.deepEqual(leftOut, []);

    // Its own migrations were applied; the start applies what has come since.
    const env = serviceEnvironment(await temporaryFolder(), {
      ...{
        DATABASE_URL: url,
        WAYBILL_ENVIRONMENT: 'test',
        WAYBILL_SECRET: testSecret,
        WAYBILL_LOG_LEVEL: 'error',
      },
    });
    const program = run(process.execPath, ['src/cli/main.ts', 'serve', '--only', 'api'], env);
    const service = await readyAddress(program);
    const database = connect(url, { max: 1 });
    cleanups.push(() => database.close());
    const rows = await database.pool.query('select name from schema_migrations order by name');
    assert.deepEqual(
      rows.rows.map((row) => row.name),
      await migrationNames(),
    );
    const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
    assert.deepEqual((await describeSchema(database)).split('\n'), schema.split('\n'));

    const waybill = async (...args: string[]) => {
      const { ended, output } = run(process.execPath, ['src/cli/main.ts', ...args], env);
      assert.equal(await ended, 0, output.err + output.out);
      return output.out.trim();
    };
    assert.match(await waybill('verify'), /no difference in [1-9]/);
    const request = requestOver(service, await waybill('key', 'create', '--org', 'home', '--name', 'after'));
    const { shown } = JSON.parse(
      brotliDecompressSync(await readFile(`${fixtures}${name}.json.br`)).toString(),
    );
    assertShows(await shownBy(request), shown);

    // The words that it counts are in the fixture already.
    for (let n = 0; n < 10_000; n += 1) unique('');
    const { variant, place } = await makeStocked(request, 3);
    const before = shown['/orders?limit=100'].data.map((order: Json) => order.name);
    const order = await makeOrder(request, {}, [[variant.id, 1]]);
    assert.ok(!before.includes(order.name) && place.warehouseId !== undefined);
    const last = Math.max(...shown['/events?limit=100'].data.map((event: Json) => event.sequence));
    const feed = await eventually(async () => {
      const { body } = await request('GET', `/events?after=${last}&limit=100`);
      return body.data.length > 0 ? body.data : undefined;
    });
    assert.equal(feed[0].sequence, last + 1);
    await fillWorld(
      request,
      contract.operations.filter(({ method }) => method !== 'GET'),
    );
    assert.match(await waybill('verify'), /no difference in [1-9]/);
    program.child.kill('SIGTERM');
    assert.equal(await program.ended, 0, program.output.err);
    assert.doesNotMatch(program.output.out, /"level":50/);
  });
}

/** A later version may show more; what was shown is still there, and is the same. */
function assertShows(now: Record<string, Json>, then: Record<string, Json>): void {
  for (const [path, answer] of Object.entries(then)) {
    assert.deepEqual(asMuchAs(unsigned(answer), unsigned(now[path])), unsigned(answer), path);
  }
}

/** Addresses of documents say when they expire, and so are others every second. */
function unsigned(answer: Json): Json {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\?expires=\d+&signature=[0-9a-f]+/g, ''));
}

/** Of the present value what the former one has. */
function asMuchAs(former: Json, present: Json): Json {
  if (Array.isArray(former) && Array.isArray(present)) {
    if (former.length !== present.length) return present;
    return present.map((value, index) => asMuchAs(former[index], value));
  }
  if (former === null || typeof former !== 'object' || present === null || typeof present !== 'object')
    return present;
  return Object.fromEntries(
    Object.entries(former).map(([name, value]) => [name, asMuchAs(value, present[name])]),
  );
}
