// A backup taken while clients write, restored elsewhere: the same rows, sound figures, and a service that goes on with them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test, { after } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import {
  cleanups,
  type Environment,
  endDatabaseAfterwards,
  eventually,
  run,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from '../process/program.ts';
import type { Request } from '../support/app.ts';
import { testSecret } from '../support/app.ts';
import { mountainView, quoteBody } from '../support/carriers.ts';
import { administer, createTestDatabase, startTestCluster } from '../support/cluster.ts';
import { easypostKey, startEasyPost } from '../support/easypost.ts';
import {
  addStock,
  make,
  makeOrder,
  makePlace,
  makeProduct,
  makeStocked,
  makeVariant,
} from '../support/factories.ts';
import { startReceiver, verified } from '../support/receiver.ts';
import { requestOver } from './over-http.ts';
import { digestsOf, emptyTables, withClient } from './world.ts';

const fixture = new URL('fixtures/0010.backup', import.meta.url).pathname;
const receiver = await startReceiver();
const easypost = await startEasyPost();
after(() => {
  receiver.close();
  easypost.close();
});

const environment = { WAYBILL_ENVIRONMENT: 'test', WAYBILL_SECRET: testSecret, WAYBILL_LOG_LEVEL: 'fatal' };

async function waybill(args: string[], env: Environment) {
  const { ended, output } = run(process.execPath, ['src/cli/main.ts', ...args], env);
  return { code: await ended, out: output.out, err: output.err };
}

async function succeed(args: string[], env: Environment): Promise<string> {
  const { code, out, err } = await waybill(args, env);
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  return out;
}

async function refuse(args: string[], env: Environment, reason: RegExp): Promise<void> {
  const { code, err } = await waybill(args, env);
  assert.equal(code, 1);
  assert.match(err, /^waybill: [^\n]+\n$/);
  assert.match(err, reason);
}

/** A database without any table, and the environment of a service on it. */
async function emptyDatabase(): Promise<{ url: string; env: Environment }> {
  const { adminUrl, prefix } = await startTestCluster();
  const name = `${prefix}empty${Math.random().toString(36).slice(2)}`;
  await administer(adminUrl, `create database ${name}`);
  cleanups.push(() => administer(adminUrl, `drop database if exists ${name} with (force)`));
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  return { url, env: await environmentOn(url) };
}

async function environmentOn(url: string): Promise<Environment> {
  return serviceEnvironment(await temporaryFolder(), { ...environment, DATABASE_URL: url });
}

/** A service with records of every kind, and a key to it. */
async function startFilled() {
  const { url, env } = await emptyDatabase();
  await succeed(['restore', fixture], env);
  const key = (await succeed(['key', 'create', '--org', 'home', '--name', 'kept'], env)).trim();
  const service = await start(env);
  return { databaseUrl: url, env, key, request: requestOver(service.url, key), service };
}

const start = (env: Environment) =>
  startService(env['WAYBILL_DATA_DIR']!, {
    ...env,
    WAYBILL_WEBHOOK_ALLOW_PRIVATE: '1',
    WAYBILL_EASYPOST_URL: easypost.url,
  });

/** Orders, stock and products, one after the other, until it is told to end; returns the names of the orders. */
function keepWriting(request: Request, clients: number) {
  const names: string[] = [];
  let ended = false;
  const working = Promise.all(
    Array.from({ length: clients }, async () => {
      const place = await makePlace(request);
      const variant = await makeVariant(request);
      while (!ended) {
        await addStock(request, place, variant.id, 5);
        const order = await makeOrder(request, {}, [[variant.id, 2]]);
        names.push(order.name);
        await make(request, `/orders/${order.id}/fulfillments`, {});
      }
    }),
  );
  return {
    names,
    async end() {
      ended = true;
      await working;
    },
  };
}

test('made while clients write it is whole and sound, and a service on what is restored goes on', async () => {
  const { env, key, request } = await startFilled();
  const hook = await make(request, '/webhook-endpoints', {
    url: `${receiver.url}/kept`,
    eventTypes: ['product.created'],
  });
  const account = {
    ...{ kind: 'easypost', carrierCode: 'usps', description: 'EasyPost' },
    credentials: { apiKey: easypostKey },
  };
  await make(request, '/carrier-accounts', account);
  const writing = keepWriting(request, 4);
  await eventually(async () => (writing.names.length > 12 ? true : undefined));
  const before = [...writing.names];
  const file = join(env['WAYBILL_DATA_DIR']!, 'busy.backup');
  assert.match(await succeed(['backup', file], env), /rows of \d+ tables[\s\S]*WAYBILL_SECRET/);
  await writing.end();
  assert.ok(writing.names.length > before.length, 'nothing was written meanwhile');
  assert.equal((await stat(file)).mode & 0o777, 0o600);

  const { url, env: other } = await emptyDatabase();
  assert.match(await succeed(['restore', file], other), /no difference in [1-9]/);
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from orders');
    const restored = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      before.filter((name) => !restored.has(name)),
      [],
    );
    await assertOfOneMoment(client);
  });
  await assertGoesOn(other, key, hook.secret);
});

/** What is written in one transaction is there together or not at all. */
async function assertOfOneMoment(client: pg.Client): Promise<void> {
  const halves = `
    select o.id from orders o where not exists (select from events e where e.object_id = o.id)
    union all select f.id from fulfillments f where not exists (
      select from fulfillment_line_items l where l.organization_id = f.organization_id and l.fulfillment_id = f.id)`;
  assert.deepEqual((await client.query(halves)).rows, []);
}

/** Old keys, credentials and secrets work; names and numbers of events follow the last ones. */
async function assertGoesOn(env: Environment, key: string, hookSecret: string): Promise<void> {
  const numbered = await withClient(env['DATABASE_URL']!, async (client) => {
    const { rows } = await client.query<{ last: string }>(
      'select max(last_sequence) as last from event_counters',
    );
    return Number(rows[0]!.last);
  });
  const request = requestOver((await start(env)).url, key);
  const made = await makeOrder(request);
  assert.match(made.name, /^SO-\d+$/);
  const { body: orders } = await request('GET', `/orders?search=${made.name}`);
  assert.equal(orders.data.filter(({ name }: { name: string }) => name === made.name).length, 1);
  receiver.received.length = 0;
  const product = await makeProduct(request);
  const arrived = await eventually(async () =>
    receiver.received.find(({ body }) => body.includes(product.id) && body.includes('product.created')),
  );
  assert.equal(verified(hookSecret, arrived).data.object.id, product.id);
  const feed = await request('GET', `/events?after=${numbered}&limit=100`);
  const sequences = feed.body.data.map(({ sequence }: { sequence: number }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_: number, index: number) => numbered + 1 + index),
  );
  easypost.asked.length = 0;
  const quote = await make(request, '/shipping-quotes', quoteBody({ shipToAddress: mountainView }));
  assert.ok(easypost.asked.some(({ path }) => path === '/shipments'));
  assert.ok(
    quote.shippingRates.some(
      ({ carrierAccount }: { carrierAccount: { description: string } }) =>
        carrierAccount.description === 'EasyPost',
    ),
    'EasyPost was asked with another key',
  );
}

test('made at rest, every row of every table comes back as it was, into tables that are empty too', async () => {
  const { url, env } = await emptyDatabase();
  await succeed(['restore', fixture], env);
  const file = join(env['WAYBILL_DATA_DIR']!, 'quiet.backup');
  await succeed(['backup', file], env);
  const { url: target, drop } = await createTestDatabase();
  cleanups.push(drop);
  await succeed(['restore', file], await environmentOn(target));
  const digests = await digestsOf(target);
  assert.deepEqual(digests, await digestsOf(url));
  assert.deepEqual(emptyTables(digests), ['backorder_fills']);
});

test('what is not empty, not whole, changed, of another secret or of a newer version is refused, and nothing is written', async () => {
  const { url, env } = await emptyDatabase();
  const copy = join(env['WAYBILL_DATA_DIR']!, 'copy.backup');
  const refused = async (change: (text: string) => string, reason: RegExp) => {
    const text = gunzipSync(await readFile(fixture)).toString('latin1');
    assert.notEqual(change(text), text);
    await writeFile(copy, gzipSync(Buffer.from(change(text), 'latin1')));
    await refuse(['restore', copy], env, reason);
  };
  const whole = await readFile(fixture);
  await writeFile(copy, whole.subarray(0, whole.length - 100));
  await refuse(['restore', copy], env, /not a whole one/);
  await refused((text) => text.slice(0, text.lastIndexOf('{"end"')), /not a whole one/);
  await refused((text) => text.replace('\tMills\t', '\tMulls\t'), /checksum/);
  await refused((text) => text.replace('waybill backup', 'something else'), /no backup/);
  await refused((text) => text.replace('0010_shipping.sql"', '0010_shipping.sql","9999_later.sql"'), /newer/);
  await refused((text) => `${text}more`, /not a whole one/);
  await writeFile(copy, 'name,email');
  await refuse(['restore', copy], env, /no backup/);
  await refuse(['restore', `${copy}.none`], env, /ENOENT/);
  const secret = { WAYBILL_SECRET: 'another secret, long enough for the service' };
  await refuse(['restore', fixture], { ...env, ...secret }, /another secret/);
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    assert.deepEqual(rows, []);
  });
  await refuse(['backup', copy], env, /there already/);
  await refuse(['backup', `${copy}.none`], env, /nothing to back up/);
  await succeed(['restore', '--other-secret', fixture], { ...env, ...secret });
  const before = await digestsOf(url);
  await refuse(['restore', fixture], env, /empty database only/);
  assert.deepEqual(await digestsOf(url), before);
  await refuse(['backup', `${copy}/file`], env, /ENOTDIR/);
});

test('a backup that is killed has no name, a restore that is killed leaves the database empty', async () => {
  const { url, env } = await emptyDatabase();
  await succeed(['restore', fixture], env);
  await withClient(url, (client) =>
    client.query(`
      insert into name_counters (organization_id, kind, prefix, last_number)
      select id, 'test', md5(n::text), n from organizations, generate_series(1, 100000) n where slug = 'home'`),
  );
  const folder = env['WAYBILL_DATA_DIR']!;
  const file = join(folder, 'cut.backup');
  const left = async () => (await readdir(folder)).filter((name) => name.startsWith('cut.backup'));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const backup = run(process.execPath, ['src/cli/main.ts', 'backup', file], env);
    await eventually(async () => ((await left()).length > 0 ? true : undefined));
    backup.child.kill(signal);
    assert.equal(await backup.ended, signal === 'SIGTERM' ? 130 : signal);
    const names = await left();
    assert.ok(!names.includes('cut.backup'), 'it was killed too late');
    assert.equal(names.length, signal === 'SIGTERM' ? 0 : 1);
  }
  await succeed(['backup', file], env);

  const { url: target, env: other } = await emptyDatabase();
  const restore = run(process.execPath, ['src/cli/main.ts', 'restore', file], other);
  await withClient(target, async (client) => {
    await eventually(async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where query like 'copy "name_counters"%'`,
      );
      return rows.length > 0 ? true : undefined;
    });
    restore.child.kill('SIGKILL');
    assert.equal(await restore.ended, 'SIGKILL');
    await eventually(async () => {
      const { rows } = await client.query(`select to_regclass('schema_migrations') is null as empty`);
      return rows[0].empty ? true : undefined;
    });
  });
  await succeed(['restore', file], other);
  assert.deepEqual(await digestsOf(target), await digestsOf(url));
});

test('of the built-in database: by the command while it runs, and as a copy of the stopped data folder', async () => {
  const dataDir = await temporaryFolder();
  const own = { WAYBILL_ENVIRONMENT: 'test', WAYBILL_LOG_LEVEL: 'fatal' };
  const env = serviceEnvironment(dataDir, own);
  const service = await startService(dataDir, own);
  await succeed(['org', 'create', '--slug', 'home'], env);
  const key = (await succeed(['key', 'create', '--org', 'home', '--name', 'kept'], env)).trim();
  const request = requestOver(service.url, key);
  const { place, variant } = await makeStocked(request, 5);
  const hook = await make(request, '/webhook-endpoints', { url: 'https://example.com/kept' });
  const order = await makeOrder(request, {}, [[variant.id, 2]]);
  const file = join(dataDir, 'own.backup');
  assert.match(await succeed(['backup', file], env), /secret only: keep a copy/);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);

  const copied = join(await temporaryFolder(), 'data');
  execFileSync('cp', ['-a', dataDir, copied]);
  const restored = await temporaryFolder();
  const target = serviceEnvironment(restored, own);
  await refuse(['restore', file], target, /another secret/);
  await cp(join(dataDir, 'secret'), join(restored, 'secret'));
  endDatabaseAfterwards(restored);
  assert.match(await succeed(['restore', file], target), /no difference in [1-9]/);
  for (const folder of [copied, restored]) {
    const again = requestOver((await startService(folder, own)).url, key);
    assert.deepEqual((await again('GET', `/orders/${order.id}`)).body.data, order);
    assert.notEqual((await makeOrder(again, {}, [[variant.id, 1]])).name, order.name);
    await addStock(again, place, variant.id, 1);
    const tested = await again('POST', `/webhook-endpoints/${hook.id}/test`);
    assert.equal(tested.status, 200);
    assert.match(await succeed(['verify'], serviceEnvironment(folder, own)), /no difference/);
  }
});

test("by PostgreSQL's own pg_dump and pg_restore, as docs/operations.md writes it", async (t) => {
  const { adminUrl } = await startTestCluster();
  const server = await withClient(adminUrl, async (client) =>
    Number.parseInt((await client.query('show server_version')).rows[0].server_version, 10),
  );
  const programs = await findPrograms(server);
  if (programs === undefined) return t.skip(`no pg_dump of PostgreSQL ${server} or newer here`);
  const { url, env } = await emptyDatabase();
  await succeed(['restore', fixture], env);
  const dump = join(env['WAYBILL_DATA_DIR']!, 'waybill.dump');
  execFileSync(join(programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, url]);
  const { url: target, env: other } = await emptyDatabase();
  execFileSync(join(programs, 'pg_restore'), ['--no-owner', `--dbname=${target}`, dump]);
  assert.deepEqual(await digestsOf(target), await digestsOf(url));
  assert.match(await succeed(['verify'], other), /no difference in [1-9]/);
});

/** The folder of a pg_dump that can read this server. */
async function findPrograms(server: number): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch((): string[] => []);
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((name) => join(debian, name, 'bin')),
  ];
  return folders.find((folder) => {
    try {
      const said = execFileSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      return Number(/\) (\d+)/.exec(said)?.[1]) >= server;
    } catch {
      return false;
    }
  });
}
