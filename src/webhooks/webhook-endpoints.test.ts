// The operations on webhook endpoints: which are made, changed, archived, and what their secrets sign.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make, makeWebhookEndpoint, unique } from '../../test/support/factories.ts';
import { sql } from '../database/connect.ts';

const service = await startTestApp();
after(service.close);
const { request, database, makeOrganization } = service;

test('an endpoint is answered with its secret once, and never again', async () => {
  const created = await make(request, '/webhook-endpoints', { url: 'https://example.com/a?b=c' });
  assert.match(created.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret, ...record } = created;
  assert.equal(record.url, 'https://example.com/a?b=c');
  assert.deepEqual(
    [record.eventTypes, record.enabled, record.includeChildren, record.disabledReason],
    [null, true, false, null],
  );
  const read = await request('GET', `/webhook-endpoints/${record.id}`);
  assert.deepEqual(read.body, { object: 'webhook-endpoint', data: record });
  const listed = await request('GET', '/webhook-endpoints');
  assert.deepEqual(listed.body.data, [record]);
  const [row] = await database.query<{ text: string }>(sql`
    select encode(secret, 'escape') as text from webhook_endpoints where organization_id = ${service.organizationId}`);
  assert.ok(!row!.text.includes(secret.slice(6, 20)), 'it is encrypted at rest');
});

test('a replay under an Idempotency-Key makes no second endpoint and shows no secret', async () => {
  const headers = { 'idempotency-key': unique('key') };
  const body = { url: 'https://example.com/once' };
  const first = await request('POST', '/webhook-endpoints', body, headers);
  const again = await request('POST', '/webhook-endpoints', body, headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.deepEqual(again.body.data, { ...first.body.data, secret: null });
});

const refused = {
  'http://example.com/': 'http',
  'https://127.0.0.1/': 'loopback',
  'https://2130706433/': 'loopback as one number',
  'https://0x7f.1/': 'loopback in hexadecimal',
  'https://10.1.2.3/': 'private',
  'https://169.254.169.254/latest/meta-data': 'link-local: where clouds keep credentials',
  'https://100.64.0.1/': 'shared by carriers',
  'https://224.0.0.1/': 'multicast',
  'https://0.0.0.0/': 'this host',
  'https://[::1]/': 'loopback',
  'https://[::ffff:127.0.0.1]/': 'loopback, mapped',
  'https://[::ffff:a00:1]/': 'private, mapped',
  'https://[64:ff9b::7f00:1]/': 'loopback by way of NAT64',
  'https://[fd00::1]/': 'private',
  'https://[fe80::1]/': 'link-local',
  'https://me:secret@example.com/': 'with a password',
  'https://example.com/#part': 'with a fragment',
  'ftp://example.com/': 'no URL of the web',
  'example.com': 'no URL',
};

for (const [url, what] of Object.entries(refused)) {
  test(`400 for ${url} (${what}), in creates and updates`, async () => {
    const endpoint = await makeWebhookEndpoint(request);
    for (const path of ['/webhook-endpoints', `/webhook-endpoints/${endpoint.id}`]) {
      const answer = await request('POST', path, { url });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.details.issues[0].path, '/url');
    }
  });
}

test('WAYBILL_WEBHOOK_ALLOW_PRIVATE permits http and private addresses', async () => {
  const permissive = await startTestApp({ webhookAllowPrivate: true });
  try {
    await make(permissive.request, '/webhook-endpoints', { url: 'http://10.0.0.1:8080/hooks' });
  } finally {
    await permissive.close();
  }
});

test('400 for types that there are not, none or twice', async () => {
  for (const eventTypes of [['order.eaten'], [], ['order.created', 'order.created'], 'order.created']) {
    const answer = await request('POST', '/webhook-endpoints', { url: 'https://example.com', eventTypes });
    assert.equal(answer.status, 400, JSON.stringify(eventTypes));
  }
});

test('an update changes what it names; disabling and enabling say why and when', async () => {
  const { id, secret: _, ...before } = await makeWebhookEndpoint(request, { eventTypes: ['order.created'] });
  const path = `/webhook-endpoints/${id}`;
  const described = await make(request, path, {
    description: 'ERP',
    includeChildren: true,
    eventTypes: null,
  });
  const { updatedAt } = described;
  assert.deepEqual(described, {
    id,
    ...before,
    description: 'ERP',
    includeChildren: true,
    eventTypes: null,
    updatedAt,
  });
  const off = await make(request, path, { enabled: false });
  assert.deepEqual([off.enabled, off.disabledReason, off.disabledAt], [false, 'request', off.updatedAt]);
  const refusedTest = await request('POST', `${path}/test`);
  assert.deepEqual([refusedTest.status, refusedTest.body.error.details.code], [409, 'endpoint_disabled']);
  const on = await make(request, path, { enabled: true });
  assert.deepEqual([on.enabled, on.disabledReason, on.disabledAt], [true, null, null]);
  const stale = await request('POST', path, { description: 'x' }, { 'if-match': '"1"' });
  assert.equal(stale.status, 412);
});

test('an archived endpoint is in no list, takes no change, and stays readable; a repeat answers the same', async () => {
  const home = await makeOrganization();
  const { id } = await makeWebhookEndpoint(home.request);
  const path = `/webhook-endpoints/${id}`;
  const delivery = await make(home.request, `${path}/test`);
  const archived = await home.request('DELETE', path);
  assert.deepEqual([archived.status, archived.body.data.enabled], [200, false]);
  assert.ok(archived.body.data.archivedAt);
  assert.deepEqual((await home.request('DELETE', path)).body, archived.body);
  assert.deepEqual((await home.request('GET', path)).body, archived.body);
  assert.equal((await home.request('GET', '/webhook-endpoints')).body.totalCount, 0);
  assert.equal((await home.request('GET', '/webhook-endpoints?includeArchived=true')).body.totalCount, 1);
  for (const action of ['', '/test', '/rotate-secret', `/deliveries/${delivery.id}/redeliver`]) {
    const answer = await home.request('POST', path + action, action === '' ? { enabled: true } : undefined);
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'archived'], action);
  }
  const { body } = await home.request('GET', `${path}/deliveries`);
  assert.deepEqual(
    body.data.map((row: { status: string; nextAttemptAt: null }) => [row.status, row.nextAttemptAt]),
    [['cancelled', null]],
  );
});

test('409 too_many_endpoints beyond a hundred', async () => {
  const home = await makeOrganization();
  for (let index = 0; index < 100; index += 1) await makeWebhookEndpoint(home.request);
  const answer = await home.request('POST', '/webhook-endpoints', { url: 'https://example.com' });
  assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'too_many_endpoints']);
});
