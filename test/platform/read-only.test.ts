// A database that takes no writes: reads go on, writes are 503 and leave nothing; whatever PostgreSQL's reason is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { type Answer, startTestApp } from '../support/app.ts';
import { makeProduct } from '../support/factories.ts';
import { rowsOf } from '../support/rows.ts';
import { addressOf, type Sample, sampleOf } from '../support/samples.ts';

const service = await startTestApp({ logLevel: 'silent' });
const name = new URL(service.databaseUrl).pathname.slice(1);
const admin = new pg.Client({
  connectionString: Object.assign(new URL(service.databaseUrl), { pathname: '/postgres' }).href,
});
await admin.connect();
after(async () => {
  await admin.end();
  await service.close();
});
const { app, request, contract, database, organizationId } = service;

async function setReadOnly(on: boolean): Promise<void> {
  await admin.query(`alter database ${name} set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  // The setting is for new connections.
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  while ((await app.inject('/readyz')).statusCode !== 200);
}

function assertUnavailable({ status, body, headers, text }: Answer, what = ''): void {
  assert.equal(status, 503, `${what}: ${text}`);
  assert.equal(body.error.details.code, 'unavailable');
  assert.ok(Number(headers['retry-after']) >= 1);
}

test('read-only: every GET is 200, every write 503, nothing is changed; afterwards every write is 200', async () => {
  const samples = new Map<string, Sample>();
  for (const operation of contract.operations) {
    samples.set(operation.operationId, await sampleOf(operation)(request));
  }
  // Events without a number: the feed gives numbers, where it can.
  await makeProduct(request);
  const call = (operation: (typeof contract.operations)[number]) => {
    const sample = samples.get(operation.operationId)!;
    return request(operation.method, addressOf(operation, sample), sample.body);
  };
  await setReadOnly(true);
  const before = await rowsOf(database, organizationId);
  for (const operation of contract.operations) {
    const answer = await call(operation);
    if (operation.method === 'GET')
      assert.equal(answer.status, 200, `${operation.operationId}: ${answer.text}`);
    else assertUnavailable(answer, operation.operationId);
  }
  assert.deepEqual(await rowsOf(database, organizationId), before);
  const ready = await app.inject('/readyz');
  assert.deepEqual([ready.statusCode, ready.json()], [200, { status: 'read-only' }]);
  await setReadOnly(false);
  assert.deepEqual((await app.inject('/readyz')).json(), { status: 'ready' });
  for (const operation of contract.operations) {
    const answer = await call(operation);
    assert.equal(answer.status, 200, `${operation.operationId}: ${answer.text}`);
  }
});

test('keys that are used while it is read-only cost one failing statement a minute, not one a request', async () => {
  await setReadOnly(true);
  const key = await service.makeKey(['all']).catch(() => service.key);
  const sent: string[] = [];
  database.onStatement = (text) => sent.push(text);
  for (let n = 0; n < 5; n += 1) assert.equal((await service.as(key)('GET', '/customers')).status, 200);
  database.onStatement = undefined;
  assert.ok(sent.filter((text) => text.includes('last_used_at')).length <= 1);
  await setReadOnly(false);
});

/** What PostgreSQL says when it cannot take a write for now, and what stands for that on the wire. */
const reasons: Record<string, number> = {
  '53100': 503, // disk full
  '53200': 503, // out of memory
  '53300': 503, // too many connections
  '53400': 503, // a configured limit, of temporary files for example
  '57014': 503, // cancelled, by its time limit for example
  '57P01': 503, // shutting down
  '57P02': 503, // another of its processes crashed
  '57P03': 503, // starting up
  '58000': 503, // system error
  '58030': 503, // the file system failed
  '25006': 503, // read-only
  '55P03': 503, // locked for too long
  XX001: 500, // data is damaged: trying again does not help
};

for (const [state, status] of Object.entries(reasons)) {
  test(`SQLSTATE ${state} in the middle of a write is ${status}, and nothing is half written`, async () => {
    await database.pool.query(`
      create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'no' using errcode = '${state}'; end $$;
      create trigger fail before insert on events for each row execute function fail()`);
    try {
      const before = await rowsOf(database, organizationId);
      const answer = await request('POST', '/products', {
        name: state,
        variants: [{ title: 'Default', sku: `SKU-${state}` }],
      });
      if (status === 503) assertUnavailable(answer);
      else assert.equal(answer.body.error.details.code, 'internal_error');
      assert.doesNotMatch(answer.text, /fail|SQLSTATE/);
      assert.deepEqual(await rowsOf(database, organizationId), before);
    } finally {
      await database.pool.query('drop trigger fail on events; drop function fail()');
    }
    const again = { name: state, variants: [{ title: 'Default', sku: `SKU-${state}` }] };
    assert.equal((await request('POST', '/products', again)).status, 200);
  });
}
