// createApiKey and listApiKeys: secrets shown once, and no key that grants more than the one that made it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make } from '../../test/support/factories.ts';
import { systemScope } from '../auth/scope.ts';
import { sql } from '../database/connect.ts';
import { createApiKey } from './create-api-key.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const body = (fields: object = {}) => ({ name: 'Scanner', permissions: ['inventory:read'], ...fields });

test('the key works, within its permissions and its organization', async () => {
  const created = await make(request, '/api-keys', body());
  assert.match(created.key, /^wb_live_[\w-]{43}$/);
  assert.ok(created.key.startsWith(created.prefix) && created.key.endsWith(created.lastFour));
  assert.deepEqual([created.organizationId, created.revokedAt], [home.organizationId, null]);
  const own = home.as(created.key);
  assert.equal((await own('GET', '/warehouses')).status, 200);
  assert.equal((await own('POST', '/warehouses', { name: 'North' })).status, 403);
  assert.equal((await own('GET', '/api-keys')).status, 403);
});

test('the secret is in that answer alone: not in the list, not in the database, not in the replay', async () => {
  const headers = { 'idempotency-key': 'key-once' };
  const first = await request('POST', '/api-keys', body({ name: 'Once' }), headers);
  const { key, ...record } = first.body.data;
  const again = await request('POST', '/api-keys', body({ name: 'Once' }), headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.deepEqual(again.body.data, { ...record, key: null });
  const list = await request('GET', '/api-keys?search=once');
  assert.deepEqual(list.body.data, [record]);
  for (const table of ['api_keys', 'idempotency_keys', 'events']) {
    const rows = await home.database.query<{ text: string }>(
      sql`select t::text as text from ${sql.ref(table)} t where t.organization_id = ${home.organizationId}`,
    );
    for (const { text } of rows) assert.ok(!text.includes(key), table);
  }
});

test('403 for a permission that the acting key lacks, which is named, and no key is made', async () => {
  const acting = home.as(await home.makeKey(['organization:write', 'orders:write', 'products:read']));
  const before = (await request('GET', '/api-keys')).body.totalCount;
  const refused: [string[], string][] = [
    [['products:write'], 'products:write'],
    [['orders:read', 'shipments:read'], 'shipments:read'],
    [['all'], 'all'],
  ];
  for (const [permissions, lacking] of refused) {
    const answer = await acting('POST', '/api-keys', body({ permissions }));
    assert.equal(answer.status, 403);
    const { code, permission } = answer.body.error.details;
    assert.deepEqual([code, permission], ['permission_denied', lacking]);
  }
  assert.equal((await request('GET', '/api-keys')).body.totalCount, before);
  const granted = ['organization:write', 'organization:read', 'orders:write', 'orders:read', 'products:read'];
  const created = await make(acting, '/api-keys', body({ permissions: granted }));
  assert.deepEqual(created.permissions, granted);
});

test('every permission by name is not `all`', async () => {
  const areas = ['orders', 'quotes', 'shipments', 'products', 'inventory', 'purchase-orders', 'webhooks'];
  const every = [...areas, 'organization'].map((area) => `${area}:write`);
  const acting = home.as(await home.makeKey(every));
  assert.equal((await acting('POST', '/api-keys', body({ permissions: ['all'] }))).status, 403);
  await make(acting, '/api-keys', body({ permissions: every }));
});

test('a key hands on its own rate limit', async () => {
  const acting = home.as(await home.makeKey(['all'], { rateLimit: 50 }));
  assert.equal((await make(acting, '/api-keys', body())).rateLimit, 50);
  assert.equal((await make(request, '/api-keys', body())).rateLimit, null);
});

test('keys with one e-mail address belong to one user, in one organization', async () => {
  const ada = (client?: string) =>
    request(
      'POST',
      '/api-keys',
      body({ userName: 'Ada', userEmail: client === undefined ? 'ada@example.org' : 'ADA@example.org' }),
      client === undefined ? {} : { 'x-service-client': client },
    );
  const answers = await Promise.all([ada(), ada(), ada()]);
  const ids = new Set(answers.map((answer) => answer.body.data.user.id));
  assert.equal(ids.size, 1);
  const again = await make(request, '/api-keys', body({ userEmail: 'Ada@Example.org' }));
  assert.ok(ids.has(again.user.id));
  const client = await make(request, '/clients', { name: 'Other', slug: 'other' });
  const elsewhere = await ada('other');
  assert.equal(elsewhere.body.data.organizationId, client.id);
  assert.ok(!ids.has(elsewhere.body.data.user.id));
  const nobody = await make(request, '/api-keys', body());
  assert.deepEqual([nobody.user.name, nobody.user.email], [null, null]);
});

test('a parent makes keys for its client, which act for that client and no other', async () => {
  const client = await make(request, '/clients', { name: 'Keyed', slug: 'keyed' });
  const answer = await request('POST', '/api-keys', body({ permissions: ['all'] }), {
    'x-service-client': 'keyed',
  });
  const own = home.as(answer.body.data.key);
  assert.equal((await own('GET', '/organization')).body.data.id, client.id);
  const listed = await own('GET', '/api-keys');
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    [answer.body.data.id],
  );
  const up = await own('GET', '/organization', undefined, { 'x-service-client': home.organizationSlug });
  assert.equal(up.status, 404);
});

test('an expired key is 401', async () => {
  const expiresAt = new Date(Date.now() + 300).toISOString();
  const created = await make(request, '/api-keys', body({ expiresAt }));
  assert.equal(created.expiresAt, expiresAt);
  const own = home.as(created.key);
  assert.equal((await own('GET', '/warehouses')).status, 200);
  await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 1));
  assert.equal((await own('GET', '/warehouses')).status, 401);
});

test('400 names every wrong field at once', async () => {
  const wrong = { permissions: ['orders:write', 'orders:delete'], userEmail: 'ada', key: 'mine' };
  const answer = await request('POST', '/api-keys', wrong);
  assert.equal(answer.status, 400);
  const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths.sort(), ['/key', '/name', '/permissions/1', '/userEmail']);
  const past = await request('POST', '/api-keys', body({ expiresAt: '2020-01-01T00:00:00Z' }));
  assert.deepEqual([past.status, past.body.error.details.issues[0].path], [400, '/expiresAt']);
  assert.equal((await request('POST', '/api-keys', body({ permissions: [] }))).status, 400);
});

test('a key that was revoked while it was still remembered makes no other', async () => {
  const { key, id } = await make(request, '/api-keys', body({ permissions: ['organization:write'] }));
  const own = home.as(key);
  assert.equal((await own('GET', '/api-keys')).status, 200);
  // As another process would.
  await home.database.query(sql`update api_keys set revoked_at = ${new Date()} where id = ${id}`);
  const answer = await own('POST', '/api-keys', body({ permissions: ['organization:write'] }));
  assert.equal(answer.status, 401);
});

test('the service itself grants anything', async () => {
  const { key } = await home.database.transaction((transaction) =>
    createApiKey(
      { transaction, scope: systemScope(home.organizationId), now: new Date(), ifMatch: undefined },
      { name: 'Operator', permissions: ['all'], rateLimit: 7 },
      'live',
    ),
  );
  const list = await home.as(key)('GET', '/api-keys?search=operator');
  assert.deepEqual([list.status, list.body.data[0].rateLimit], [200, 7]);
});

test('the list is sorted and searched, with keys never used last', async () => {
  const owner = await home.makeOrganization();
  await make(owner.request, '/api-keys', body({ name: 'Beta', userName: 'Grace Hopper' }));
  await make(owner.request, '/api-keys', body({ name: 'Alpha', userEmail: 'grace@example.org' }));
  const names = async (query: string) =>
    (await owner.request('GET', `/api-keys?${query}`)).body.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('sortBy=name&sortOrder=asc'), ['Alpha', 'Beta', 'test']);
  assert.deepEqual(await names('search=GRACE'), ['Alpha', 'Beta']);
  assert.equal((await names('sortBy=lastUsedAt&sortOrder=desc')).length, 3);
});
