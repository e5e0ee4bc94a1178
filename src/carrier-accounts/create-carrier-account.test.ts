// Creating carrier accounts: what each kind takes, how many there may be, and what an organisation begins with.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { rateCard } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, unique } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { seedDemo } from '../demo.ts';
import * as limits from '../limits.ts';

const live = await startTestApp();
const testing = await startTestApp({ environment: 'test' });
after(async () => {
  await live.close();
  await testing.close();
});
const { request, database, organizationId } = live;

const easypost = (fields: object) => ({
  carrierCode: 'ups',
  description: 'UPS through EasyPost',
  kind: 'easypost',
  ...fields,
});

test('the record says whether there are credentials, and not what they are', async () => {
  const settings = { easypostCarrier: 'UPSDAP', carrierAccountIds: ['ca_1'] };
  const body = easypost({ settings, credentials: { apiKey: 'EZTK-unseen', webhookSecret: 'unseen too' } });
  const made = await make(request, '/carrier-accounts', body);
  const { id, createdAt, updatedAt, ...others } = made;
  assert.deepEqual(others, {
    organizationId,
    carrierCode: 'ups',
    description: 'UPS through EasyPost',
    kind: 'easypost',
    enabled: true,
    settings,
    hasCredentials: true,
    sharedWithChildren: false,
    archivedAt: null,
  });
  assert.equal(createdAt, updatedAt);
  assert.deepEqual((await request('GET', `/carrier-accounts/${id}`)).body.data, made);
  assert.equal((await makeCarrierAccount(request)).hasCredentials, false);
});

test('400 naming every setting, credential and card that the kind does not take, and nothing is written', async () => {
  const before = await rowsOf(database, organizationId);
  const wrong = async (body: object) => issuesOf(await request('POST', '/carrier-accounts', body));
  const easypostFaults = easypost({
    settings: { carrierAccountIds: ['no id'], nonsense: 1, easypostCarrier: 5 },
    credentials: { apiKey: '', password: 'x' },
    rateCard: rateCard(),
  });
  assert.deepEqual(await wrong(easypostFaults), {
    '/settings/carrierAccountIds/0': 'invalid_format',
    '/settings/nonsense': 'unknown_field',
    '/settings/easypostCarrier': 'invalid_type',
    '/credentials/apiKey': 'too_short',
    '/credentials/password': 'unknown_field',
    '/rateCard': 'not_allowed',
  });
  const vans = { carrierCode: 'vans', description: 'Vans', kind: 'rate-card' };
  assert.deepEqual(await wrong({ ...vans, settings: { a: 1 }, credentials: { apiKey: 'x' } }), {
    '/settings/a': 'unknown_field',
    '/credentials/apiKey': 'unknown_field',
  });
  assert.deepEqual(await wrong({ ...vans, carrierCode: 'two words' }), { '/carrierCode': 'invalid_format' });
  const services = rateCard().services.map((service: object) => ({ ...service, code: 'same' }));
  const zones = [{ by: 'country', countries: { '*': 'elsewhere' } }];
  assert.deepEqual(await wrong({ ...vans, rateCard: rateCard({ services, zones }) }), {
    '/rateCard/services/0/breaks/0/prices/all': 'unknown_zone',
    '/rateCard/services/1/code': 'duplicate',
    '/rateCard/services/1/breaks/0/prices/all': 'unknown_zone',
  });
  assert.deepEqual(await rowsOf(database, organizationId), before);
});

test('its first card is stored with it', async () => {
  const { id } = await makeCarrierAccount(request, { rateCard: rateCard({ name: 'First' }) });
  const { body } = await request('GET', `/carrier-accounts/${id}/rate-cards`);
  assert.deepEqual(
    body.data.map(({ name, effectiveFrom }: Record<string, string>) => [name, effectiveFrom]),
    [['First', '2020-01-01']],
  );
});

test('simulated accounts are for the test environment: 400 elsewhere', async () => {
  const body = { carrierCode: 'usps', description: 'Toy', kind: 'simulated' };
  assert.deepEqual(issuesOf(await request('POST', '/carrier-accounts', body)), { '/kind': 'not_allowed' });
  assert.equal((await make(testing.request, '/carrier-accounts', body)).kind, 'simulated');
  const wrong = { ...body, carrierCode: 'dhl', settings: { fault: 'nonsense' } };
  assert.deepEqual(issuesOf(await testing.request('POST', '/carrier-accounts', wrong)), {
    '/carrierCode': 'not_allowed',
    '/settings/fault': 'not_allowed',
  });
});

test('409 too_many_carrier_accounts for more than are allowed; archived ones do not count', async () => {
  const own = await live.makeOrganization();
  const accounts = [];
  for (let n = 0; n < limits.carrierAccountsMax; n += 1) accounts.push(await makeCarrierAccount(own.request));
  const body = { carrierCode: 'vans', description: 'One more', kind: 'rate-card' };
  const refused = await own.request('POST', '/carrier-accounts', body);
  assert.deepEqual([refused.status, refused.body.error.details.code], [409, 'too_many_carrier_accounts']);
  await make(own.request, `/carrier-accounts/${accounts[0].id}`, { archived: true });
  await make(own.request, '/carrier-accounts', body);
  const back = await own.request('POST', `/carrier-accounts/${accounts[0].id}`, { archived: false });
  assert.deepEqual([back.status, back.body.error.details.code], [409, 'too_many_carrier_accounts']);
});

const simulated = [
  ['fedex', 'simulated'],
  ['ups', 'simulated'],
  ['usps', 'simulated'],
];
const kindsOf = (list: { carrierCode: string; kind: string }[]) =>
  list.map(({ carrierCode, kind }) => [carrierCode, kind]).sort();

test('in the test environment a client has three simulated accounts from its creation, elsewhere none', async () => {
  for (const [app, expected] of [
    [testing, simulated],
    [live, []],
  ] as const) {
    const slug = unique('client-');
    await make(app.request, '/clients', { name: slug, slug });
    const as = { 'x-service-client': slug };
    const { body } = await app.request('GET', '/carrier-accounts', undefined, as);
    assert.deepEqual(kindsOf(body.data), expected);
  }
});

test('so has the demo', async () => {
  const empty = await startTestApp({ environment: 'test' });
  try {
    for (const table of ['api_keys', 'carrier_accounts', 'organizations']) {
      await empty.database.pool.query(`delete from ${table}`);
    }
    const demo = await seedDemo(empty.database, 'test');
    const { body } = await empty.as(demo!.key)('GET', '/carrier-accounts');
    assert.deepEqual(kindsOf(body.data), simulated);
  } finally {
    await empty.close();
  }
});
