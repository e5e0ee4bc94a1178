// A shared carrier account: the same id for every direct child, the owner's credentials, changes by the owner only.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Request, startTestApp, testSecret } from '../../test/support/app.ts';
import { rateCard } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, unique } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';
import { makeSecrets } from '../secrets.ts';
import { loadCarrierAccounts } from './load-carrier-accounts.ts';

const home = await startTestApp();
after(home.close);
const secrets = makeSecrets(testSecret);

async function childOf(parent: Request) {
  const slug = unique('child-');
  const { id } = await make(parent, '/clients', { name: slug, slug });
  const key = await home.makeKey(['all'], { organizationId: id });
  return { id: id as string, slug, request: home.as(key) };
}

async function family() {
  const parent = await home.makeOrganization();
  return { parent, one: await childOf(parent.request), two: await childOf(parent.request) };
}

const easypost = { kind: 'easypost', credentials: { apiKey: 'of the parent' } };
const get = async (request: Request, id: string) => {
  const { status, body } = await request('GET', `/carrier-accounts/${id}`);
  return status === 200 ? body.data : status;
};
const codeOf = (answer: { status: number; body: { error?: { details: { code: string } } } }) =>
  `${answer.status} ${answer.body.error?.details.code}`;

test('children see it under the same id, with every change, also those made later; strangers do not', async () => {
  const { parent, one, two } = await family();
  const grandchild = await childOf(one.request);
  const stranger = await home.makeOrganization();
  const { id } = await makeCarrierAccount(parent.request, easypost);
  assert.equal(await get(one.request, id), 404);
  await make(parent.request, `/carrier-accounts/${id}`, { sharedWithChildren: true });
  await make(parent.request, `/carrier-accounts/${id}`, {
    description: 'Renamed',
    settings: { easypostCarrier: 'UPS' },
  });
  const late = await childOf(parent.request);
  const expected = await get(parent.request, id);
  assert.equal(expected.organizationId, parent.id);
  for (const { request } of [one, two, late]) {
    assert.deepEqual(await get(request, id), expected);
    assert.deepEqual((await request('GET', '/carrier-accounts')).body.data, [expected]);
  }
  for (const { request } of [grandchild, stranger]) assert.equal(await get(request, id), 404);
});

test('a child acts with the owner’s credentials, which are on the owner’s row alone', async () => {
  const { parent, one } = await family();
  const { id } = await makeCarrierAccount(parent.request, { ...easypost, sharedWithChildren: true });
  const [account] = await loadCarrierAccounts(home.database, secrets, one.id, 'enabled');
  assert.deepEqual(
    [account!.id, account!.organizationId, account!.ownerOrganizationId, account!.credentials],
    [id, one.id, parent.id, { apiKey: 'of the parent' }],
  );
  const rows = await home.database.query<{ organizationId: string }>(sql`
    select organization_id as "organizationId" from carrier_accounts
    where organization_id = any(${[parent.id, one.id]}::uuid[]) and id = ${id} and credentials is not null`);
  assert.deepEqual(rows, [{ organizationId: parent.id }]);
  await make(parent.request, `/carrier-accounts/${id}`, { credentials: { apiKey: 'changed' } });
  const [changed] = await loadCarrierAccounts(home.database, secrets, one.id, 'enabled');
  assert.equal(changed!.credentials['apiKey'], 'changed');
});

test('409 shared_carrier_account for whoever is not the owner, a parent acting for the child included', async () => {
  const { parent, one } = await family();
  const { id } = await makeCarrierAccount(parent.request, { sharedWithChildren: true });
  const path = `/carrier-accounts/${id}`;
  const before = await get(parent.request, id);
  const acting = { 'x-service-client': one.slug };
  const answers = [
    await one.request('POST', path, { enabled: false }),
    await one.request('POST', path, { credentials: null }),
    await parent.request('POST', path, { enabled: false }, acting),
    await one.request('POST', `${path}/rate-cards`, rateCard()),
  ];
  for (const answer of answers) assert.equal(codeOf(answer), '409 shared_carrier_account');
  assert.deepEqual(await get(parent.request, id), before);
});

test('the owner’s cards are not shown to a child', async () => {
  const { parent, one } = await family();
  const fields = { sharedWithChildren: true, rateCard: rateCard() };
  const { id } = await makeCarrierAccount(parent.request, fields);
  const list = async (request: Request) => (await request('GET', `/carrier-accounts/${id}/rate-cards`)).body;
  const [card] = (await list(parent.request)).data;
  assert.equal((await list(one.request)).totalCount, 0);
  const answer = await one.request('GET', `/carrier-accounts/${id}/rate-cards/${card.id}`);
  assert.equal(answer.status, 404);
});

test('shared no more it is gone for the children, with their old rows kept; shared again it is back', async () => {
  const { parent, one } = await family();
  const { id } = await makeCarrierAccount(parent.request, { ...easypost, sharedWithChildren: true });
  await make(parent.request, `/carrier-accounts/${id}`, { sharedWithChildren: false });
  assert.equal(await get(one.request, id), 404);
  assert.deepEqual(await loadCarrierAccounts(home.database, secrets, one.id, 'enabled'), []);
  const [still] = await loadCarrierAccounts(home.database, secrets, one.id, { ids: [id] });
  assert.equal(still!.credentials['apiKey'], 'of the parent', 'a label that was bought can be voided');
  const late = await childOf(parent.request);
  await make(parent.request, `/carrier-accounts/${id}`, { sharedWithChildren: true });
  const expected = await get(parent.request, id);
  for (const { request } of [one, late]) assert.deepEqual(await get(request, id), expected);
});

test('a child made while its parent shares sees what was shared, whichever came first', async () => {
  const parent = await home.makeOrganization();
  for (let round = 0; round < 5; round += 1) {
    const { id } = await makeCarrierAccount(parent.request);
    const [child] = await Promise.all([
      childOf(parent.request),
      make(parent.request, `/carrier-accounts/${id}`, { sharedWithChildren: true }),
    ]);
    assert.deepEqual(await get(child.request, id), await get(parent.request, id));
  }
});
