// Idempotency-Key: one effect for one key, whatever the client, the network or the clock does.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../src/database/connect.ts';
import { type Answer, startTestApp } from '../support/app.ts';
import { unique } from '../support/factories.ts';
import { rowsOf } from '../support/rows.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId, contract } = service;
const other = await service.makeOrganization({ slug: 'other' });
const client = await service.makeOrganization({ slug: 'client', parentId: organizationId });

/** All but the counters of names: a number may be taken in vain. */
async function rows() {
  const { name_counters: _, ...others } = await rowsOf(database, organizationId);
  return others;
}
const withKey = (key: string) => ({ 'idempotency-key': key });
const post = (body: unknown, key: string, headers = {}) =>
  request('POST', '/customers', body, { ...withKey(key), ...headers });
const named = async (name: string) =>
  (await request('GET', `/customers?search=${encodeURIComponent(name)}`)).body.totalCount;

for (const operation of contract.operations.filter(({ method }) => method !== 'GET')) {
  const { operationId, method } = operation;
  test(`${operationId}: a replay answers the same and changes nothing; another body is 422`, async () => {
    const sample = await sampleOf(operation)(request);
    const path = addressOf(operation, sample);
    const key = unique('key-');
    const first = await request(method, path, sample.body, withKey(key));
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    const present = await rows();
    const replay = await request(method, path, sample.body, withKey(key));
    assert.equal(replay.status, 200, replay.text);
    assert.equal(replay.headers['idempotency-replayed'], 'true');
    assert.equal(replay.headers['etag'], first.headers['etag']);
    // A secret is answered once: it is not stored with the answer.
    for (const secret of ['key', 'secret']) if (secret in first.body.data) first.body.data[secret] = null;
    assert.deepEqual(replay.body, first.body);
    assert.deepEqual(await rows(), present);
    const second = await sampleOf(operation)(request);
    const unlike =
      addressOf(operation, second) !== path || JSON.stringify(second.body) !== JSON.stringify(sample.body);
    if (!unlike) return;
    const reused = await request(method, addressOf(operation, second), second.body, withKey(key));
    assert.equal(reused.status, 422, reused.text);
    assert.equal(reused.body.error.details.code, 'idempotency_key_reused');
  });
}

test('twenty at once under one key have one effect; each gets that answer or a 409 with Retry-After', async () => {
  const key = unique('key-');
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ name: 'Only Once' }, key)));
  assert.equal(await named('Only Once'), 1);
  const succeeded = answers.filter(({ status }) => status === 200);
  assert.ok(succeeded.length >= 1);
  assert.equal(new Set(succeeded.map(({ text }) => text)).size, 1);
  assert.equal(succeeded.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
  for (const { status, body, headers } of answers.filter((answer) => answer.status !== 200)) {
    assert.deepEqual([status, body.error.details.code], [409, 'idempotency_key_in_use']);
    assert.ok(Number(headers['retry-after']) >= 1);
  }
  const replay = await post({ name: 'Only Once' }, key);
  assert.equal(replay.headers['idempotency-replayed'], 'true');
});

test('a refused request frees its key: the corrected one is carried out', async () => {
  const key = unique('key-');
  for (const [body, status] of [
    [{ nonsense: 1 }, 400],
    [{}, 400],
  ] as const) {
    assert.equal((await post(body, key)).status, status);
  }
  const missing = await request(
    'POST',
    '/customers/01a1fdbc-853e-75e2-b640-f14e98187f32',
    { name: 'x' },
    withKey(key),
  );
  assert.equal(missing.status, 404);
  const corrected = await post({ name: 'Corrected' }, key);
  assert.equal(corrected.status, 200);
  assert.equal(corrected.headers['idempotency-replayed'], undefined);
});

test('the same body in another layout is the same request', async () => {
  const key = unique('key-');
  const first = await post('{"name":"Layout","email":"a@b.c"}', key);
  const again = await post('{ "name": "Layout",\n "email": "a@b.c" }', key);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal(again.text, first.text);
});

test('a key is of one organization: others may use the same, and so may a client acted for', async () => {
  const key = unique('key-');
  const send = (who: typeof other) => who.request('POST', '/customers', { name: 'Same key' }, withKey(key));
  const own = await post({ name: 'Same key' }, key);
  const foreign = await send(other);
  const acting = await post({ name: 'Same key' }, key, { 'x-service-client': 'client' });
  const ofClient = await send(client);
  const replayed = (answer: Answer) => answer.headers['idempotency-replayed'] === 'true';
  assert.deepEqual([own, foreign, acting, ofClient].map(replayed), [false, false, false, true]);
  assert.equal(new Set([own, foreign, acting].map(({ body }) => body.data.id)).size, 3);
  assert.equal(ofClient.body.data.id, acting.body.data.id);
});

test('a replay asks for the same permission as the request did', async () => {
  const key = unique('key-');
  await post({ name: 'Kept' }, key);
  const reader = service.as(await service.makeKey(['orders:read']));
  assert.equal((await reader('POST', '/customers', { name: 'Kept' }, withKey(key))).status, 403);
});

test('after 24 hours the key is free again', async () => {
  const key = unique('key-');
  await post({ name: 'Yesterday' }, key);
  const past = new Date(Date.now() - 24 * 3_600_000 - 1000);
  await database.query(sql`
    update idempotency_keys set created_at = ${past} where organization_id = ${organizationId} and key = ${key}`);
  const later = await post({ name: 'Today' }, key);
  assert.equal(later.status, 200);
  assert.equal(later.headers['idempotency-replayed'], undefined);
});

test('the first and the last character that a key may have', async () => {
  for (const key of ['!', '~', 'a b', '"quoted"', 'x'.repeat(255)]) {
    assert.equal((await post({ name: 'x' }, key)).status, 200, key);
  }
});
