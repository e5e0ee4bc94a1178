// createClient and listClients: organisations below the one that asks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make, makeLocation, makeWarehouse, unique } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

const slugs = (answer: { body: { data: { slug: string }[] } }) => answer.body.data.map(({ slug }) => slug);

test('the client can be acted for at once, also where its slug was asked for in vain just before', async () => {
  const headers = { 'x-service-client': 'acme' };
  assert.equal((await request('GET', '/organization', undefined, headers)).status, 404);
  const client = await make(request, '/clients', { name: 'Acme', slug: 'acme' });
  assert.deepEqual([client.parentId, client.allocation], [home.organizationId, 'split']);
  const acting = await request('GET', '/organization', undefined, headers);
  assert.equal(acting.body.data.id, client.id);
});

test('409 slug_taken for a sibling’s slug and for the parent’s own; another parent may use it', async () => {
  await make(request, '/clients', { name: 'Taken', slug: 'taken' });
  for (const slug of ['taken', home.organizationSlug]) {
    const answer = await request('POST', '/clients', { name: 'Again', slug });
    assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'slug_taken']);
  }
  const other = await home.makeOrganization();
  await make(other.request, '/clients', { name: 'Elsewhere', slug: 'taken' });
});

test('of many creates of one slug at once, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => request('POST', '/clients', { name: 'Race', slug: 'race' })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
  assert.equal((await request('GET', '/clients?search=race')).body.totalCount, 1);
});

test('400 for a slug that is none', async () => {
  for (const slug of ['', 'Acme', '-acme', 'acme-', 'a b', 'ä', 'x'.repeat(64)]) {
    const answer = await request('POST', '/clients', { name: 'Wrong', slug });
    assert.equal(answer.status, 400, slug);
    assert.equal(answer.body.error.details.issues[0].path, '/slug');
  }
});

test('has the warehouses that its parent shares, with all their locations, and no others', async () => {
  const shared = await makeWarehouse(request, { sharedWithChildren: true });
  const bin = await makeLocation(request, shared.id);
  const own = await makeWarehouse(request);
  await make(request, '/clients', { name: 'Late', slug: 'late' });
  const headers = { 'x-service-client': 'late' };
  const seen = await request('GET', `/warehouses/${shared.id}`, undefined, headers);
  assert.deepEqual(seen.body.data, shared);
  const locations = await request('GET', `/warehouses/${shared.id}/locations`, undefined, headers);
  assert.equal(locations.body.totalCount, 4);
  assert.deepEqual(
    locations.body.data.find(({ id }: { id: string }) => id === bin.id),
    bin,
  );
  assert.equal((await request('GET', `/warehouses/${own.id}`, undefined, headers)).status, 404);
});

test('a client’s own clients get what it owns, not what its parent shares with it', async () => {
  await makeWarehouse(request, { sharedWithChildren: true });
  const client = await make(request, '/clients', { name: 'Middle', slug: 'middle' });
  const middle = home.as(await home.makeKey(['all'], { organizationId: client.id }));
  const owned = await makeWarehouse(middle, { sharedWithChildren: true });
  await make(middle, '/clients', { name: 'Lowest', slug: 'lowest' });
  const lowest = await middle('GET', '/warehouses', undefined, { 'x-service-client': 'lowest' });
  assert.deepEqual(
    lowest.body.data.map(({ id }: { id: string }) => id),
    [owned.id],
  );
  const skipping = await request('GET', '/warehouses', undefined, { 'x-service-client': 'lowest' });
  assert.equal(skipping.body.error.details.code, 'client_not_found');
});

test('the list has the caller’s own clients only, by name or slug, in the order asked for', async () => {
  const parent = await home.makeOrganization();
  for (const [name, slug] of [
    ['Beta', 'z-1'],
    ['alpha 100%', 'y-2'],
    ['Gamma', 'x-3'],
  ]) {
    await make(parent.request, '/clients', { name, slug });
  }
  const list = (query: string) => parent.request('GET', `/clients?${query}`);
  assert.deepEqual(slugs(await list('sortBy=slug&sortOrder=asc')), ['x-3', 'y-2', 'z-1']);
  assert.deepEqual(slugs(await list('search=ALPHA')), ['y-2']);
  assert.deepEqual(slugs(await list('search=%25')), ['y-2']);
  assert.deepEqual(slugs(await list('search=z-')), ['z-1']);
  const first = await list('limit=2');
  assert.deepEqual(slugs(first), ['x-3', 'y-2']);
  assert.deepEqual(slugs(await list(`limit=2&cursor=${first.body.nextCursor}`)), ['z-1']);
  const stranger = await home.makeOrganization();
  assert.equal((await stranger.request('GET', '/clients')).body.totalCount, 0);
});

test('a replay makes no second client', async () => {
  const body = { name: 'Once', slug: unique('once-') };
  const headers = { 'idempotency-key': 'client-once' };
  const first = await request('POST', '/clients', body, headers);
  const again = await request('POST', '/clients', body, headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal(again.text, first.text);
});
