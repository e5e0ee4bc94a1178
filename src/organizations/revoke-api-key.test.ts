// revokeApiKey: for good, at once in this process, and as often as one likes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const makeKey = (permissions = ['all']) => make(request, '/api-keys', { name: 'Short-lived', permissions });

test('the key is 401 at once, also where it was used a moment ago', async () => {
  const { id, key } = await makeKey();
  const own = home.as(key);
  assert.equal((await own('GET', '/organization')).status, 200);
  const revoked = await request('DELETE', `/api-keys/${id}`);
  assert.equal(revoked.status, 200);
  assert.equal(revoked.body.object, 'api-key');
  assert.ok(revoked.body.data.revokedAt !== null);
  assert.equal('key' in revoked.body.data, false);
  assert.equal((await own('GET', '/organization')).status, 401);
});

test('a repeat answers the same, and the key stays in the list', async () => {
  const { id } = await makeKey();
  const first = await request('DELETE', `/api-keys/${id}`);
  const second = await request('DELETE', `/api-keys/${id}`);
  assert.deepEqual([second.status, second.text], [200, first.text]);
  const list = await request('GET', '/api-keys');
  assert.ok(list.body.data.some((key: { id: string; revokedAt: string }) => key.id === id && key.revokedAt));
});

test('a key revokes itself', async () => {
  const { id, key } = await makeKey(['organization:write']);
  const own = home.as(key);
  assert.equal((await own('DELETE', `/api-keys/${id}`)).status, 200);
  assert.equal((await own('DELETE', `/api-keys/${id}`)).status, 401);
});

test('404 for a key of another organization, a sibling’s and the parent’s included, and it stays valid', async () => {
  await make(request, '/clients', { name: 'One', slug: 'one' });
  await make(request, '/clients', { name: 'Two', slug: 'two' });
  const keyOf = async (client: string) =>
    (
      await request(
        'POST',
        '/api-keys',
        { name: client, permissions: ['all'] },
        { 'x-service-client': client },
      )
    ).body.data;
  const [one, two] = [await keyOf('one'), await keyOf('two')];
  const parents = await makeKey();
  for (const { id } of [two, parents]) {
    const answer = await home.as(one.key)('DELETE', `/api-keys/${id}`);
    assert.equal(answer.status, 404);
  }
  assert.equal((await request('DELETE', `/api-keys/${two.id}`)).status, 404);
  for (const { key } of [two, parents])
    assert.equal((await home.as(key)('GET', '/organization')).status, 200);
  const acting = await request('DELETE', `/api-keys/${two.id}`, undefined, { 'x-service-client': 'two' });
  assert.equal(acting.status, 200);
});
