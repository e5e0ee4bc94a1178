// The command line: on a database that nobody runs, beside a running service, and under an older Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test from 'node:test';
import { sql } from '../../src/database/connect.ts';
import {
  createCustomer,
  customerNames,
  databaseIsRunning,
  type Environment,
  endDatabaseAfterwards,
  eventually,
  joinDatabase,
  readyAddress,
  run,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from './program.ts';

/** Runs `waybill` to its end. */
async function waybill(args: string[], env: Environment, node = process.execPath) {
  const { ended, output } = run(node, ['bin/waybill.js', ...args], env);
  const code = await ended;
  return { code, out: output.out.trim(), err: output.err.trim() };
}

async function succeed(args: string[], env: Environment): Promise<string> {
  const { code, out, err } = await waybill(args, env);
  assert.equal(err, '');
  assert.equal(code, 0);
  return out;
}

async function refuse(args: string[], env: Environment): Promise<string> {
  const { code, out, err } = await waybill(args, env);
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^waybill: [^\n]+$/);
  return err;
}

async function post(url: string, key: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

test('organisations and keys: made on a database that nobody runs, which is stopped again', async () => {
  const dataDir = await temporaryFolder();
  const env = serviceEnvironment(dataDir);
  assert.match(await succeed(['org', 'create', '--slug', 'acme', '--name', 'Acme'], env), /^made acme \(/);
  assert.equal(await databaseIsRunning(dataDir), false);
  await succeed(['org', 'create', '--slug', 'shop', '--parent', 'acme'], env);
  const organizations = JSON.parse(await succeed(['org', 'list', '--json'], env));
  assert.deepEqual(
    organizations.map(({ slug, name, parentSlug }: Record<string, unknown>) => [slug, name, parentSlug]),
    [
      ['acme', 'Acme', null],
      ['shop', 'shop', 'acme'],
    ],
  );
  const made = JSON.parse(
    await succeed(
      ['key', 'create', '--org', 'acme/shop', '--name', 'Till', '--permissions', 'orders:write', '--json'],
      env,
    ),
  );
  assert.match(made.key, /^wb_live_[\w-]{43}$/);
  assert.deepEqual(made.permissions, ['orders:write']);
  const [listed] = JSON.parse(await succeed(['key', 'list', '--org', 'shop', '--json'], env));
  assert.equal(listed.id, made.id);
  assert.equal(listed.key, undefined);
});

test('what a command refuses is one line and exit code 1', async () => {
  const env = serviceEnvironment(await temporaryFolder());
  await succeed(['org', 'create', '--slug', 'acme'], env);
  assert.match(await refuse(['org', 'create', '--slug', 'acme'], env), /taken/);
  assert.match(await refuse(['org', 'create', '--slug', 'No Slug'], env), /\/slug/);
  assert.match(
    await refuse(['key', 'create', '--org', 'nobody', '--name', 'x'], env),
    /no organization nobody/,
  );
  const permissions = ['--permissions', 'orders:writes'];
  assert.match(
    await refuse(['key', 'create', '--org', 'acme', '--name', 'x', ...permissions], env),
    /\/permissions\/0/,
  );
  assert.match(await refuse(['key', 'revoke', 'nothing', '--org', 'acme'], env), /No such API key/);
  assert.match(await refuse(['migrate'], { ...env, WAYBILL_PORT: 'x' }), /WAYBILL_PORT/);
  assert.equal((await waybill(['nonsense'], env)).code, 1);
});

test('beside a running service commands use its database, and leave it running', async () => {
  const dataDir = await temporaryFolder();
  const env = serviceEnvironment(dataDir);
  const { url } = await startService(dataDir);
  await succeed(['org', 'create', '--slug', 'acme'], env);
  const made = JSON.parse(await succeed(['key', 'create', '--org', 'acme', '--name', 'all', '--json'], env));
  assert.equal((await createCustomer(url, made.key, 'Ada')).status, 200);
  assert.equal(await succeed(['migrate'], env), 'up to date');
  await succeed(['key', 'revoke', made.id, '--org', 'acme'], env);
  await eventually(async () =>
    (await createCustomer(url, made.key, 'Bea')).status === 401 ? true : undefined,
  );
});

test('verify ends with 1 where a kept figure differs from the ledger', async () => {
  const dataDir = await temporaryFolder();
  const env = serviceEnvironment(dataDir);
  const { url } = await startService(dataDir);
  await succeed(['org', 'create', '--slug', 'acme'], env);
  const key = await succeed(['key', 'create', '--org', 'acme', '--name', 'all'], env);
  const warehouse = await post(url, key, '/warehouses', { name: 'Main' });
  const location = await post(url, key, `/warehouses/${warehouse['id']}/locations`, { name: 'A-1' });
  await post(url, key, '/products', { name: 'Cup', variants: [{ title: 'Cup', sku: 'CUP' }] });
  await post(url, key, '/inventory', {
    productVariantIdentifier: 'CUP',
    warehouseId: warehouse['id'],
    warehouseLocationId: location['id'],
    changeQuantity: 5,
  });
  assert.match(await succeed(['verify'], env), /no difference in [1-9]/);
  const database = await joinDatabase(dataDir);
  await database.query(sql`update inventory_locations set quantity = 6 where quantity = 5`);
  const { code, out } = await waybill(['verify', '--org', 'acme'], env);
  assert.equal(code, 1);
  assert.match(out, /expected 5, found 6/);
});

test('import: what is made is there beside a running service, wrong rows are named, and the code is 1', async () => {
  const dataDir = await temporaryFolder();
  const env = serviceEnvironment(dataDir);
  const { url } = await startService(dataDir);
  await succeed(['org', 'create', '--slug', 'acme'], env);
  const file = join(dataDir, 'people.csv');
  await writeFile(file, 'name,email\nAda,ada@example.com\n,\nBea,bea@example.com\n');
  const args = ['import', 'customers', file, '--org', 'acme'];
  const wrong = 'people.csv:3: needs a name, email, phone or company';
  assert.deepEqual(await waybill([...args, '--dry-run'], env), {
    code: 1,
    out: '2 would be made, 0 there already, 1 failed',
    err: wrong,
  });
  assert.deepEqual(await waybill(args, env), {
    code: 1,
    out: '2 made, 0 there already, 1 failed',
    err: wrong,
  });
  const key = await succeed(['key', 'create', '--org', 'acme', '--name', 'all'], env);
  assert.deepEqual(await customerNames(url, key), ['Ada', 'Bea']);
  await writeFile(file, 'name,email\nAda,ada@example.com\n');
  assert.equal(await succeed([...args, '--json'], env), '{"made":0,"there":1,"failed":0}');
  assert.match(
    await refuse(['import', 'customers', join(dataDir, 'none.csv'), '--org', 'acme'], env),
    /no such file/,
  );
});

test('an import that was killed half-way goes on where it was', async () => {
  const dataDir = await temporaryFolder();
  const env = serviceEnvironment(dataDir);
  const { url } = await startService(dataDir);
  await succeed(['org', 'create', '--slug', 'acme'], env);
  const key = await succeed(['key', 'create', '--org', 'acme', '--name', 'all'], env);
  await post(url, key, '/warehouses', { name: 'Main' });
  await post(url, key, '/products', { name: 'Cup', variants: [{ title: 'Cup', sku: 'CUP' }] });
  const lines = 20_000;
  const file = join(dataDir, 'stock.csv');
  await writeFile(file, `sku,warehouse,location,quantity\n${'CUP,Main,RECEIVING,1\n'.repeat(lines)}`);
  const args = ['bin/waybill.js', 'import', 'inventory', file, '--org', 'acme'];
  const database = await joinDatabase(dataDir);
  const units = async () => {
    const [row] = await database.query<{ units: number }>(
      sql`select coalesce(sum(quantity), 0)::int as units from inventory_locations`,
    );
    return row!.units;
  };
  const killed = run(process.execPath, args, env);
  await eventually(async () => ((await units()) > 0 ? true : undefined));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const before = await units();
  assert(before < lines, 'it was killed too late');
  const { code } = await waybill(args.slice(1), env);
  assert.equal(code, 0);
  assert.equal(await units(), lines);
  assert.match(await succeed(['verify'], env), /no difference/);
});

test('openapi prints the document that the service serves, without a database', async () => {
  const dataDir = await temporaryFolder();
  const printed = await succeed(['openapi'], serviceEnvironment(dataDir));
  assert.deepEqual(await readdir(dataDir), []);
  const { url } = await startService(dataDir);
  assert.deepEqual(JSON.parse(printed), await (await fetch(`${url}/openapi.json`)).json());
});

test('under an older Node the installed one is used; signals and exit codes pass through', async (t) => {
  const node = olderNode();
  if (node === undefined) return t.skip('no older Node on the path');
  assert.equal((await waybill(['nonsense'], {}, node)).code, 1);
  assert.match((await waybill(['--help'], {}, node)).out, /serve/);
  const dataDir = await temporaryFolder();
  endDatabaseAfterwards(dataDir);
  const program = run(node, ['bin/waybill.js', 'serve'], serviceEnvironment(dataDir));
  assert.equal((await fetch(`${await readyAddress(program)}/readyz`)).status, 200);
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0);
  assert.equal(await databaseIsRunning(dataDir), false);
});

function olderNode(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      const node = join(folder, 'node');
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
      if (Number.parseInt(version.slice(1), 10) < 24) return node;
    } catch {
      // None in this folder.
    }
  }
  return undefined;
}
