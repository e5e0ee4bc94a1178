// updateOrganization and getOrganization: the settings of the organisation acted for.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

test('changes what the body names, and the ETag with it', async () => {
  const before = await request('GET', '/organization');
  assert.equal(before.body.object, 'organization');
  assert.deepEqual([before.body.data.id, before.body.data.slug], [home.organizationId, 'home']);
  assert.deepEqual([before.body.data.parentId, before.body.data.allocation], [null, 'split']);

  const after = await request('POST', '/organization', { allocation: 'whole' });
  assert.equal(after.status, 200);
  assert.equal(after.body.data.allocation, 'whole');
  assert.equal(after.body.data.name, before.body.data.name);
  assert.notEqual(after.headers['etag'], before.headers['etag']);
  assert.deepEqual((await request('GET', '/organization')).body, after.body);
});

test('412 when it has changed since it was read, and nothing is written', async () => {
  const { headers } = await request('GET', '/organization');
  await request('POST', '/organization', { name: 'First' });
  const stale = await request('POST', '/organization', { name: 'Second' }, { 'if-match': headers['etag']! });
  assert.equal(stale.status, 412);
  assert.equal((await request('GET', '/organization')).body.data.name, 'First');
});

test('400 names every wrong field at once; the slug is none that can be changed', async () => {
  const answer = await request('POST', '/organization', { name: '', allocation: 'half', slug: 'other' });
  assert.equal(answer.status, 400);
  const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths.sort(), ['/allocation', '/name', '/slug']);
});

test('a parent changes its client when it acts for it, and a client itself only', async () => {
  const client = await make(request, '/clients', { name: 'Client', slug: 'settings' });
  const acting = await request(
    'POST',
    '/organization',
    { name: 'Renamed' },
    { 'x-service-client': 'settings' },
  );
  assert.deepEqual([acting.body.data.id, acting.body.data.name], [client.id, 'Renamed']);
  const own = home.as(await home.makeKey(['organization:write'], { organizationId: client.id }));
  const changed = await own('POST', '/organization', { allocation: 'whole' });
  assert.equal(changed.body.data.id, client.id);
  assert.equal((await own('POST', '/organization', {}, { 'x-service-client': 'home' })).status, 404);
});
