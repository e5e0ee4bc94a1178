// createWarehouse, getWarehouse and listWarehouses.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { make, makeWarehouse } from '../../test/support/factories.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;

type Named = { name: string };
const names = (answer: { body: { data: Named[] } }) => answer.body.data.map(({ name }) => name);

test('has the defaults, and the locations RECEIVING, DAMAGED and QC', async () => {
  const created = await request('POST', '/warehouses', { name: 'North' });
  assert.deepEqual([created.status, created.body.object], [200, 'warehouse']);
  const { id, addressId, createdAt, updatedAt, ...rest } = created.body.data;
  assert.ok(id && addressId && createdAt === updatedAt);
  assert.deepEqual(rest, {
    organizationId: home.organizationId,
    name: 'North',
    address: null,
    priority: 100,
    isThirdParty: false,
    sharedWithChildren: false,
    metadata: {},
    archivedAt: null,
  });
  const read = await request('GET', `/warehouses/${id}`);
  assert.deepEqual([read.text, read.headers['etag']], [created.text, created.headers['etag']]);
  const locations = await request('GET', `/warehouses/${id}/locations?sortBy=name&sortOrder=asc`);
  assert.deepEqual(
    locations.body.data.map(({ name, type, pickable }: Named & { type: string; pickable: boolean }) => [
      name,
      type,
      pickable,
    ]),
    [
      ['DAMAGED', 'damaged', false],
      ['QC', 'quality-control', false],
      ['RECEIVING', 'receiving', true],
    ],
  );
});

test('keeps every field, the address with all fourteen of its own', async () => {
  const body = {
    name: 'Süd "3"',
    address: { street1: '1 Mill St', street2: '', city: 'Reno', country: 'us', isResidential: false },
    priority: -5,
    isThirdParty: true,
    metadata: { erp: 'W\\1', note: '{"a", b}' },
  };
  const { data } = (await request('POST', '/warehouses', body)).body;
  assert.deepEqual([data.name, data.priority, data.isThirdParty], [body.name, -5, true]);
  assert.deepEqual(data.metadata, body.metadata);
  assert.equal(Object.keys(data.address).length, 14);
  const { street1, street2, city, country, isResidential, phone } = data.address;
  assert.deepEqual(
    [street1, street2, city, country, isResidential, phone],
    ['1 Mill St', '', 'Reno', 'US', false, null],
  );
});

test('400 names every wrong field at once, and nothing is written', async () => {
  const before = (await request('GET', '/warehouses')).body.totalCount;
  const answer = await request('POST', '/warehouses', {
    adress: {},
    address: { country: 'USA' },
    priority: 1.5,
    sharedWithChildren: 'yes',
  });
  assert.equal(answer.status, 400);
  const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths.sort(), [
    '/address/country',
    '/adress',
    '/name',
    '/priority',
    '/sharedWithChildren',
  ]);
  assert.equal((await request('GET', '/warehouses')).body.totalCount, before);
});

test('the list is sorted, searched and paged, without archived ones unless asked for', async () => {
  const owner = (await home.makeOrganization()).request;
  await makeWarehouse(owner, { name: 'Beta', priority: 1 });
  await makeWarehouse(owner, { name: 'Alpha_1', priority: 3 });
  const gone = await makeWarehouse(owner, { name: 'Gone', priority: 2 });
  await make(owner, `/warehouses/${gone.id}`, { archived: true });
  const list = (query: string) => owner('GET', `/warehouses?${query}`);
  assert.deepEqual(names(await list('')), ['Alpha_1', 'Beta']);
  assert.deepEqual(names(await list('sortBy=priority&sortOrder=asc')), ['Beta', 'Alpha_1']);
  assert.deepEqual(names(await list('includeArchived=true&sortBy=priority&sortOrder=asc')), [
    'Beta',
    'Gone',
    'Alpha_1',
  ]);
  assert.deepEqual(names(await list('search=ALPHA_')), ['Alpha_1']);
  const first = await list('limit=1&sortBy=name&sortOrder=asc');
  assert.deepEqual([names(first), first.body.totalCount], [['Alpha_1'], 2]);
  const next = await list(`limit=1&sortBy=name&sortOrder=asc&cursor=${first.body.nextCursor}`);
  assert.deepEqual([names(next), next.body.hasMore], [['Beta'], false]);
});

test('a page costs the same statements however many warehouses are on it', async () => {
  const owner = (await home.makeOrganization()).request;
  await makeWarehouse(owner);
  const few = await home.statements(() => owner('GET', '/warehouses?limit=100'));
  for (let n = 0; n < 5; n += 1) await makeWarehouse(owner);
  const many = await home.statements(() => owner('GET', '/warehouses?limit=100'));
  assert.deepEqual([few.length, many.length], [2, 2]);
});
