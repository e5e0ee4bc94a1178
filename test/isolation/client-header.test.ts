// WAYBILL_CLIENT_HEADER: a further header that names the client, read exactly as X-Service-Client is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp({ clientHeader: 'x-tenant', environment: 'test' });
after(service.close);
const client = await service.makeOrganization({ slug: 'client', parentId: service.organizationId });
await service.makeOrganization({ slug: 'other', parentId: service.organizationId });
await service.makeOrganization({ slug: 'stranger' });
const ofLive = await service.makeKey(['all'], { environment: 'live' });

const create = (headers: Record<string, string>) =>
  service.request('POST', '/customers', { name: 'x' }, headers);

test('it acts for the client, never by mistake for the parent', async () => {
  const answer = await create({ 'x-tenant': 'client' });
  assert.equal(answer.body.data.organizationId, client.id);
});

test('both headers may name the same client', async () => {
  const answer = await create({ 'x-tenant': 'client', 'x-service-client': 'client' });
  assert.equal(answer.body.data.organizationId, client.id);
});

test('400 invalid_header when the two name different organizations', async () => {
  const answer = await create({ 'x-tenant': 'client', 'x-service-client': 'other' });
  assert.deepEqual([answer.status, answer.body.error.details.code], [400, 'invalid_header']);
});

test('404 client_not_found for a foreign or unknown slug in it, alike', async () => {
  for (const slug of ['stranger', 'nobody']) {
    const answer = await create({ 'x-tenant': slug });
    assert.deepEqual([answer.status, answer.body.error.details.code], [404, 'client_not_found']);
    assert.equal(answer.body.error.message, 'No such client organization');
  }
});

test('in the test environment a live key is 401', async () => {
  assert.equal((await service.as(ofLive)('GET', '/customers')).status, 401);
  assert.match(service.key, /^wb_test_/);
});
