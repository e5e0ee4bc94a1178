// Credentials go in and never come out: not in an answer, an event, a replay, a log or a table.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { quoteBody } from '../../test/support/carriers.ts';
import { make, unique } from '../../test/support/factories.ts';
import { scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { CarrierError } from '../carriers/carrier.ts';
import { makeSecrets } from '../secrets.ts';
import { sealCredentials } from './credentials.ts';
import { loadCarrierAccounts } from './load-carrier-accounts.ts';

const apiKey = 'EZTK-nobody-may-read-this';
const lines: string[] = [];
const { carrier } = scriptedCarrier();
const service = await startTestApp({
  logLevel: 'trace',
  server: { logStream: { write: (line) => lines.push(line) } },
  shipping: { carriers: { easypost: carrier } },
});
after(service.close);
const { request, database, organizationId } = service;

/** Every row of every table, as PostgreSQL writes it. */
async function everything(): Promise<string> {
  const { rows: tables } = await database.pool.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts = tables.map(async ({ relname }) => {
    const { rows } = await database.pool.query(`select t::text as row from "${relname}" t`);
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

test('whatever is done with an account, and whatever its carrier says', async () => {
  const answers: string[] = [];
  const send = async (path: string, body?: object) => {
    const headers = { 'idempotency-key': unique('key-') };
    for (const _ of ['first', 'replay']) {
      const answer = await request(body === undefined ? 'GET' : 'POST', path, body, body && headers);
      answers.push(answer.text, JSON.stringify(answer.headers));
    }
    return JSON.parse(answers.at(-2)!).data;
  };
  const account = { carrierCode: 'ups', description: 'UPS', kind: 'easypost', credentials: { apiKey } };
  const { id } = await send('/carrier-accounts', account);
  await send(`/carrier-accounts/${id}`, { credentials: { apiKey, webhookSecret: apiKey } });
  await send(`/carrier-accounts/${id}`, { sharedWithChildren: true });
  await send('/clients', { name: 'Client', slug: unique('client-') });
  await send('/carrier-accounts', { ...account, credentials: { apiKey: `${apiKey}${'x'.repeat(255)}` } });
  await send('/carrier-accounts', { ...account, credentials: { apiKey, [apiKey.slice(0, 4)]: apiKey } });
  carrier.rate = async (asked) => {
    throw new CarrierError('carrier_credentials', `refused ${asked.credentials['apiKey']}`, {
      bought: 'no',
      carrierMessage: `The key ${asked.credentials['apiKey']} is not known`,
    });
  };
  const { messages } = await send('/shipping-quotes', quoteBody());
  assert.deepEqual(messages, ['UPS (ups): The key *** is not known']);
  carrier.rate = async (asked) => {
    throw Object.assign(new Error(`at ${asked.credentials['apiKey']}`), { request: asked });
  };
  await send('/shipping-quotes', quoteBody());
  await send('/carrier-accounts');
  await send(`/carrier-accounts/${id}`);
  await send('/events');
  const stored = await everything();
  assert.match(stored, /UPS \(ups\): The key \*\*\* is not known/);
  assert.match(lines.join(''), /a carrier failed to rate/);
  for (const [where, text] of Object.entries({
    answers: answers.join('\n'),
    lines: lines.join('\n'),
    stored,
  })) {
    assert.ok(!text.includes(apiKey), where);
    assert.ok(!text.includes(Buffer.from(apiKey).toString('hex')), `${where}, in hexadecimal digits`);
    assert.ok(!text.includes(Buffer.from(apiKey).toString('base64').slice(0, 24)), `${where}, in base64`);
  }
});

test('an account that is printed, logged or copied shows none', async () => {
  await make(request, '/carrier-accounts', {
    ...{ carrierCode: 'ups', description: 'UPS', kind: 'easypost' },
    credentials: { apiKey },
  });
  const accounts = await loadCarrierAccounts(database, makeSecrets(testSecret), organizationId, 'enabled');
  assert.ok(accounts.every(({ credentials }) => credentials['apiKey'] === apiKey));
  for (const text of [
    JSON.stringify(accounts),
    inspect(accounts, { depth: null }),
    JSON.stringify({ ...accounts[0] }),
  ]) {
    assert.ok(!text.includes(apiKey), text);
  }
});

test('they open for the account and the owner that they were sealed for, with the same secret, and nowhere else', async () => {
  const { id } = await make(request, '/carrier-accounts', {
    ...{ carrierCode: 'ups', description: 'Moved', kind: 'easypost' },
    credentials: { apiKey },
  });
  const load = async (secret: string) =>
    (await loadCarrierAccounts(database, makeSecrets(secret), organizationId, { ids: [id] }))[0]!;
  const isRefused = (error: CarrierError) => error.failure === 'carrier_credentials' && error.bought === 'no';
  const other = await load('another secret, also long enough for it');
  assert.throws(() => other.credentials, isRefused);
  assert.equal((await load(testSecret)).credentials['apiKey'], apiKey);
  const moved = sealCredentials(makeSecrets(testSecret), organizationId, organizationId, { apiKey });
  await database.pool.query('update carrier_accounts set credentials = $1 where id = $2', [moved, id]);
  const foreign = await load(testSecret);
  assert.throws(() => foreign.credentials, isRefused);
});
