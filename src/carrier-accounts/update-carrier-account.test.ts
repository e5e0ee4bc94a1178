// Updating carrier accounts: what is replaced, what is kept, and what an archived one is still good for.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { make, makeCarrierAccount } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSecrets } from '../secrets.ts';
import { loadCarrierAccounts } from './load-carrier-accounts.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId } = service;

const made = () =>
  makeCarrierAccount(request, {
    kind: 'easypost',
    settings: { easypostCarrier: 'UPS', carrierAccountIds: ['ca_1'] },
    credentials: { apiKey: 'first', webhookSecret: 'hook' },
  });
const update = (id: string, body: object) => make(request, `/carrier-accounts/${id}`, body);
const load = async (id: string) =>
  (await loadCarrierAccounts(database, makeSecrets(testSecret), organizationId, { ids: [id] }))[0]!;

test('settings and credentials are replaced as a whole, and kept where the body does not name them', async () => {
  const { id } = await made();
  await update(id, { description: 'Renamed', enabled: false });
  assert.deepEqual((await load(id)).credentials, { apiKey: 'first', webhookSecret: 'hook' });
  const { settings, hasCredentials } = await update(id, {
    settings: { easypostCarrier: 'UPSDAP' },
    credentials: { apiKey: 'second' },
  });
  assert.deepEqual([settings, hasCredentials], [{ easypostCarrier: 'UPSDAP' }, true]);
  assert.deepEqual((await load(id)).credentials, { apiKey: 'second' });
  assert.equal((await update(id, { credentials: null })).hasCredentials, false);
  assert.deepEqual((await load(id)).credentials, {});
});

test('400 for what its kind does not take', async () => {
  const { id } = await made();
  const body = { settings: { nonsense: 1 }, credentials: { password: 'x' } };
  assert.deepEqual(issuesOf(await request('POST', `/carrier-accounts/${id}`, body)), {
    '/settings/nonsense': 'unknown_field',
    '/credentials/apiKey': 'required',
    '/credentials/password': 'unknown_field',
  });
  for (const fixed of ['kind', 'carrierCode']) {
    const answer = await request('POST', `/carrier-accounts/${id}`, { [fixed]: 'easypost' });
    assert.deepEqual(issuesOf(answer), { [`/${fixed}`]: 'unknown_field' });
  }
});

test('archived or disabled it is asked no more, and can still be had by its id', async () => {
  const { id } = await made();
  const enabled = async () =>
    (await loadCarrierAccounts(database, makeSecrets(testSecret), organizationId, 'enabled')).some(
      (account) => account.id === id,
    );
  const listed = async (query: string) =>
    (await request('GET', `/carrier-accounts?limit=100${query}`)).body.data.some(
      (account: { id: string }) => account.id === id,
    );
  assert.equal(await enabled(), true);
  await update(id, { enabled: false });
  assert.deepEqual([await enabled(), await listed('')], [false, true]);
  const archived = await update(id, { enabled: true, archived: true });
  assert.deepEqual(
    [await enabled(), await listed(''), await listed('&includeArchived=true')],
    [false, false, true],
  );
  assert.equal((await update(id, { archived: true })).archivedAt, archived.archivedAt);
  assert.equal((await load(id)).credentials['apiKey'], 'first');
  assert.equal((await update(id, { archived: false })).archivedAt, null);
  assert.equal(await enabled(), true);
});
