// Every operation of the document, called by everybody who must not see or change what is another organization's.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeSecret } from '../../src/auth/key.ts';
import { areas } from '../../src/auth/scope.ts';
import { newId } from '../../src/database/ids.ts';
import { type Answer, type Request, startTestApp } from '../support/app.ts';
import type { Operation } from '../support/contract.ts';
import { referenceRows, rowsOf } from '../support/rows.ts';
import { addressOf, type Sample, sampleOf, samples } from '../support/samples.ts';

const home = await startTestApp();
after(home.close);
const parent = await home.makeOrganization({ slug: 'parent' });
const child = await home.makeOrganization({ slug: 'child', parentId: parent.id });
const sibling = await home.makeOrganization({ slug: 'sibling', parentId: parent.id });
const stranger = await home.makeOrganization({ slug: 'stranger' });

const { operations } = home.contract;

// What each operation is called with: records of `home`, made once and never changed by those who may not.
const sampled = new Map<Operation, Sample>();
for (const operation of operations) sampled.set(operation, await sampleOf(operation)(home.request));
// A reader of the feed numbers what has none yet, at the latest.
await home.request('GET', '/events');
const untouched = await rowsOf(home.database, home.organizationId);

const refusedKeys: Record<string, string | undefined> = {
  'no key': undefined,
  'a malformed key': 'wb_live_short',
  'an unknown key': makeSecret('live'),
  'a revoked key': await home.makeKey(['all'], { revokedAt: new Date() }),
  'an expired key': await home.makeKey(['all'], { expiresAt: new Date(Date.now() - 1000) }),
  'a key of the other environment': await home.makeKey(['all'], { environment: 'test' }),
};

const call = (request: Request, operation: Operation, sample: Sample, headers: Record<string, string> = {}) =>
  request(operation.method, addressOf(operation, sample), sample.body, headers);

/** An answer with what differs from one request to the next taken out. */
function comparable({ status, body, text }: Answer): unknown {
  return { status, body: JSON.parse(text.replaceAll(body.error?.details?.requestId ?? '\0', 'same')) };
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const idsIn = (value: unknown) => new Set(JSON.stringify(value ?? null).match(uuid) ?? []);

/** The same request about records that nobody has, and those ids. */
function withoutRecords(sample: Sample): Sample {
  const others = new Map([...idsIn(sample)].map((id) => [id, newId()]));
  return JSON.parse(JSON.stringify(sample).replaceAll(uuid, (id) => others.get(id)!));
}

test('there is no sample for an operation that does not exist', () => {
  const known = new Set(operations.map(({ operationId }) => operationId));
  assert.deepEqual(
    Object.keys(samples).filter((name) => !known.has(name)),
    [],
  );
});

for (const [name, key] of Object.entries(refusedKeys)) {
  test(`401 for ${name}, on every operation`, async () => {
    for (const operation of operations) {
      const answer = await call(home.as(key), operation, sampled.get(operation)!);
      assert.equal(answer.status, 401, operation.operationId);
      assert.equal(answer.body.error.details.code, 'unauthorized');
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
  });
}

const permissionOf = ({ specification }: Operation): string =>
  /Permission: `([\w:-]+)`/.exec(specification.description)![1]!;

test('403 without the permission, on every operation, and it is named', async () => {
  const keys = new Map<string, string>();
  for (const operation of operations) {
    const permission = permissionOf(operation);
    const [area, need] = permission.split(':');
    const others = areas.filter((other) => other !== area).map((other) => `${other}:write`);
    const granted = need === 'write' ? [...others, `${area}:read`] : others;
    if (!keys.has(permission)) keys.set(permission, await home.makeKey(granted));
    const answer = await call(home.as(keys.get(permission)), operation, sampled.get(operation)!);
    assert.equal(answer.status, 403, operation.operationId);
    assert.deepEqual(
      [answer.body.error.details.code, answer.body.error.details.permission],
      ['permission_denied', permission],
    );
  }
});

const outsiders: Record<string, Request> = {
  'a stranger': stranger.request,
  'its parent without the header': parent.request,
};

for (const [name, outsider] of Object.entries(outsiders)) {
  test(`${name} is answered as if another organization's records did not exist`, async () => {
    for (const operation of operations) {
      const sample = sampled.get(operation)!;
      const answer = await call(outsider, operation, sample);
      const named = idsIn(sample);
      const asUnknown = await call(outsider, operation, withoutRecords(sample));
      const about = `${operation.operationId} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
      if (named.size > 0 && answer.status !== 200) {
        assert.deepEqual(comparable(answer), comparable(asUnknown), about);
        assert.ok([400, 404].includes(answer.status), about);
      }
      if (operation.pathParameters.length > 0) assert.equal(answer.status, 404, about);
      if (operation.method !== 'GET' && named.size > 0) assert.notEqual(answer.status, 200, about);
      if (operation.method === 'GET' && answer.status === 200) {
        assert.doesNotMatch(answer.text, new RegExp(home.organizationId), about);
        for (const id of named) assert.ok(!answer.text.includes(id), about);
      }
    }
  });
}

test('a list shows nothing of a stranger, and everything of its own', async () => {
  const lists = operations.filter(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
  );
  for (const operation of lists) {
    const own = await call(home.request, operation, sampled.get(operation)!);
    assert.equal(own.status, 200, operation.operationId);
    const sample = idsIn(sampled.get(operation)).size > 0 ? {} : sampled.get(operation)!;
    const foreign = await call(stranger.request, operation, sample);
    if (foreign.status !== 200 || !Array.isArray(foreign.body.data)) continue;
    const seen = idsIn(foreign.body.data);
    const shared = [...idsIn(own.body.data)].filter((id) => seen.has(id));
    assert.deepEqual(shared, [], operation.operationId);
  }
});

test('404 client_not_found for a client that is foreign or unknown, alike, on every operation', async () => {
  const slugs = ['stranger', 'no-such-client', 'parent', 'sibling/../child', 'CHILD'];
  for (const operation of operations) {
    const sample = sampled.get(operation)!;
    const answers = [];
    for (const slug of slugs) {
      const answer = await call(child.request, operation, sample, { 'x-service-client': slug });
      answers.push(comparable(answer));
      assert.equal(answer.status, 404, `${operation.operationId} as ${slug}`);
      assert.equal(answer.body.error.details.code, 'client_not_found');
    }
    for (const other of answers) assert.deepEqual(other, answers[0], operation.operationId);
  }
});

test('a parent acts for its child with the header, and for nobody else', async () => {
  const asChild: Request = (method, path, body, headers) =>
    parent.request(method, path, body, { 'x-service-client': 'child', ...headers });
  const created = await asChild('POST', '/customers', { name: 'Of the child' });
  assert.equal(created.status, 200);
  assert.equal(created.body.data.organizationId, child.id);
  const { id } = created.body.data;
  assert.equal((await child.request('GET', `/customers/${id}`)).status, 200);
  assert.equal((await parent.request('GET', `/customers/${id}`)).status, 404);
  assert.equal((await sibling.request('GET', `/customers/${id}`)).status, 404);
  const asSibling = await parent.request('GET', `/customers/${id}`, undefined, {
    'x-service-client': 'sibling',
  });
  assert.equal(asSibling.status, 404);
  assert.equal(asSibling.body.error.details.code, 'not_found');
});

test('the slug of its own organization is taken too', async () => {
  const answer = await child.request('GET', '/customers', undefined, { 'x-service-client': 'child' });
  assert.equal(answer.status, 200);
});

test('every operation works for the child through its parent', async () => {
  const asChild: Request = (method, path, body, headers) =>
    parent.request(method, path, body, { 'x-service-client': 'child', ...headers });
  for (const operation of operations) {
    const sample = await sampleOf(operation)(asChild);
    const answer = await call(asChild, operation, sample);
    assert.equal(answer.status, 200, `${operation.operationId}: ${answer.text}`);
    assert.ok(!answer.text.includes(home.organizationId), operation.operationId);
  }
});

test("after all of that, not a row of the first organization's has changed", async () => {
  assert.deepEqual(await rowsOf(home.database, home.organizationId), untouched);
  assert.deepEqual(await referenceRows(home.database, home.organizationId), ['home']);
});
