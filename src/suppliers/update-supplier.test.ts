// POST /suppliers/{supplierId}, and what archiving does to lists and new orders.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { makeSupplier, purchaseOrderBody } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const update = (id: string, body: object) => test.request('POST', `/suppliers/${id}`, body);
const found = async (query: string): Promise<string[]> =>
  (await test.request('GET', `/suppliers?${query}`)).body.data.map(({ id }: { id: string }) => id);

describe('updateSupplier', () => {
  it('200 changes what the body names and nothing else', async () => {
    const before = await makeSupplier(test.request, { email: 'a@b.example', phone: '1', currency: 'eur' });
    const { data } = (await update(before.id, { phone: null, name: 'Renamed' })).body;
    assert.deepEqual(data, { ...before, phone: null, name: 'Renamed', updatedAt: data.updatedAt });
  });

  it('archived: true takes it out of lists and refuses new orders, false brings it back; each repeats', async () => {
    const body = await purchaseOrderBody(test.request);
    const { supplierId: id } = body;
    const first = (await update(id, { archived: true })).body.data;
    assert.notEqual(first.archivedAt, null);
    assert.equal((await update(id, { archived: true })).body.data.archivedAt, first.archivedAt);
    assert.ok(!(await found('limit=100')).includes(id));
    assert.ok((await found('limit=100&includeArchived=true')).includes(id));
    const refused = await test.request('POST', '/purchase-orders', body);
    assert.deepEqual(issuesOf(refused), { '/supplierId': 'not_found' });
    assert.equal((await update(id, { archived: false })).body.data.archivedAt, null);
    assert.equal((await test.request('POST', '/purchase-orders', body)).status, 200);
  });

  it('search finds it by name, email and phone in any case', async () => {
    const { id } = await makeSupplier(test.request, {
      name: 'Xylo',
      email: 'Me@Yak.example',
      phone: '0049-77',
    });
    for (const search of ['xYL', 'me@yak', '49-7']) assert.deepEqual(await found(`search=${search}`), [id]);
  });

  it('400 for a wrong field, 404 for one that is unknown', async () => {
    const { id } = await makeSupplier(test.request);
    assert.deepEqual(issuesOf(await update(id, { name: null, archived: 'yes' })), {
      '/name': 'invalid_type',
      '/archived': 'invalid_type',
    });
    assert.equal((await update(newId(), { phone: '1' })).status, 404);
  });
});
