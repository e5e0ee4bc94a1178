// Importing a rate card: CSV or JSON by the file's name, wrong lines named, a second run adds nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestApp } from '../../../test/support/app.ts';
import { rateCard } from '../../../test/support/carriers.ts';
import { makeCarrierAccount } from '../../../test/support/factories.ts';
import { newId } from '../../database/ids.ts';
import { importRateCard, type RateCardImport } from './rate-card.ts';

const service = await startTestApp();
const folder = await mkdtemp(join(tmpdir(), 'waybill-card-'));
after(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
const { request, database, organizationId } = service;

/** Returns made, there and failed, and what was said. */
async function load(
  name: string,
  content: string | Buffer,
  given: Partial<RateCardImport> & { account: string },
) {
  const file = join(folder, name);
  await writeFile(file, content);
  const said: string[] = [];
  const progress = { start() {}, update() {}, say: (text: string) => said.push(text), stop() {} };
  const { made, there, failed } = await importRateCard(
    { database, organizationId, file, ...given },
    progress,
  );
  return { counts: [made, there, failed], said };
}

const accountOf = async (fields = {}) => (await makeCarrierAccount(request, fields)).id as string;
const cardsOf = async (id: string) => (await request('GET', `/carrier-accounts/${id}/rate-cards`)).body.data;

const csv = (price: string) => `name,Vans
effectiveFrom,2026-01-01
currency,usd
carrierName,Own vans
trackingNumbers.form,prefix
trackingNumbers.prefix,VANS
trackingNumbers.digits,8
zones.1.by,country
zones.1.countries,"{""*"":""all""}"
services.same-day.name,Same day
service,weightUpTo,weightUnit,zone all
same-day,5,lb,${price}
same-day,50,lb,19
`;

test('a CSV is one card, a second run adds nothing, other prices from the same day are refused', async () => {
  const account = await accountOf();
  assert.deepEqual(await load('vans.csv', csv('12.5'), { account, dryRun: true }), {
    counts: [1, 0, 0],
    said: [],
  });
  assert.deepEqual(await cardsOf(account), []);
  assert.deepEqual(await load('vans.csv', csv('12.5'), { account }), { counts: [1, 0, 0], said: [] });
  assert.deepEqual(await load('vans.csv.gz', gzipSync(csv('12.5')), { account }), {
    counts: [0, 1, 0],
    said: [],
  });
  assert.deepEqual(await load('vans.csv', csv('13'), { account }), {
    counts: [0, 0, 1],
    said: ['vans.csv: The account has a rate card from this day on already'],
  });
  const [card, ...others] = await cardsOf(account);
  assert.deepEqual([card.name, card.effectiveFrom, others], ['Vans', '2026-01-01', []]);
});

test('the same CSV is taken by the API, where a wrong row is named by its line', async () => {
  const account = await accountOf();
  const path = `/carrier-accounts/${account}/rate-cards`;
  const wrong = await request('POST', path, { csv: csv('cheap') });
  assert.equal(wrong.status, 400, wrong.text);
  const [issue, ...others] = wrong.body.error.details.issues;
  assert.deepEqual([issue.path, others], ['/csv', []]);
  assert.match(issue.message, /^line 12: /);
  const made = await request('POST', path, { csv: csv('12.5') });
  assert.equal(made.body.data.card.services[0].breaks[0].prices.all, 12.5);
  const { said } = await load('vans.csv', csv('cheap'), { account });
  assert.equal(said.length, 1);
  assert.match(said[0]!, /^vans\.csv:12: /);
});

test('JSON by its name; what is wrong is named by its place', async () => {
  const account = await accountOf();
  assert.deepEqual((await load('card.json', JSON.stringify(rateCard()), { account })).counts, [1, 0, 0]);
  const { currency: _, ...without } = rateCard({ effectiveFrom: '2027-01-01' });
  assert.deepEqual(await load('card.json', JSON.stringify(without), { account }), {
    counts: [0, 0, 1],
    said: ['card.json: /currency: is required'],
  });
  assert.match((await load('card.json', '{', { account })).said[0]!, /^card\.json: is no JSON/);
});

test('what the account does not take is said, and a file that is too long is refused', async () => {
  const json = JSON.stringify(rateCard());
  const easypost = await accountOf({ kind: 'easypost' });
  assert.deepEqual((await load('card.json', json, { account: easypost })).said, [
    'card.json: An account of kind easypost has no rate cards',
  ]);
  assert.deepEqual((await load('card.json', json, { account: newId() })).said, [
    'card.json: No such carrier account',
  ]);
  await assert.rejects(load('card.json', json, { account: 'x' }), /--account must be the id/);
  const long = gzipSync(Buffer.alloc(2 ** 21, 32));
  await assert.rejects(load('card.csv.gz', long, { account: easypost }), /is longer than \d+ bytes/);
});
