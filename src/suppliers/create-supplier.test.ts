// POST /suppliers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { newId } from '../database/ids.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const create = (body: object) => test.request('POST', '/suppliers', body);

describe('createSupplier', () => {
  it('200 with what was sent; usd and nulls where nothing was', async () => {
    const full = {
      name: 'Potters',
      email: 'a@potters.example',
      phone: '1',
      currency: 'eur',
      metadata: { a: 'b' },
    };
    const { object, data } = (await create(full)).body;
    assert.equal(object, 'supplier');
    const { name, email, phone, currency, metadata } = data;
    assert.deepEqual({ name, email, phone, currency, metadata }, full);
    const bare = (await create({ name: 'Bare', email: null })).body.data;
    assert.deepEqual([bare.email, bare.phone, bare.currency, bare.metadata], [null, null, 'usd', {}]);
    assert.deepEqual((await test.request('GET', `/suppliers/${bare.id}`)).body.data, bare);
  });

  it('400 names every wrong field', async () => {
    const answer = await create({ name: '', currency: 'USD', mail: 'x' });
    assert.deepEqual(issuesOf(answer), {
      '/name': 'too_short',
      '/currency': 'invalid_format',
      '/mail': 'unknown_field',
    });
    assert.deepEqual(issuesOf(await create({})), { '/name': 'required' });
  });

  it('404 for one that is unknown', async () => {
    assert.equal((await test.request('GET', `/suppliers/${newId()}`)).status, 404);
  });
});
