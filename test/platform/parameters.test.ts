// Parameters of lists that are wrong: refused, each by its name.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { issuesOf } from '../support/issues.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const service = await startTestApp();
after(service.close);
const { request } = service;
const { operations } = service.contract;

const wrongValues: Record<string, string[]> = {
  limit: ['0', '101', '-1', '1.5', 'abc', '', '9'.repeat(30), 'NaN', 'null'],
  page: ['0', '-1', '1.5', 'x', '', '99999999999999999999'],
  sortOrder: ['up', '', 'ASC '],
  sortBy: ['zip', '', 'id;', 'created_at', '__proto__', 'constructor'],
  search: ['', 'x'.repeat(201)],
  cursor: [''],
  unknown: ['1'],
  __proto__: ['1'],
  'limit[]': ['1'],
};

const lists = operations.filter(({ specification }) =>
  specification.parameters?.some(({ name }: { name: string }) => name === 'sortOrder'),
);

for (const operation of lists) {
  test(`${operation.operationId}: 400 for parameters that are wrong, each by its name`, async () => {
    const sample = await sampleOf(operation)(request);
    const known = new Set(operation.specification.parameters.map(({ name }: { name: string }) => name));
    const send = (more: [string, string][]) => {
      const path = addressOf(operation, sample);
      return request('GET', `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(more)}`);
    };
    for (const [name, values] of Object.entries(wrongValues)) {
      if (name === 'sortBy' && !known.has('sortBy')) continue;
      for (const value of values) {
        const issues = issuesOf(await send([[name, value]]), `${name}=${value}`);
        assert.deepEqual(Object.keys(issues), [`/${name}`], `${name}=${value}`);
      }
    }
    const all = issuesOf(
      await send([
        ['limit', '0'],
        ['page', 'x'],
        ['sortOrder', 'up'],
        ['nonsense', '1'],
      ]),
    );
    assert.deepEqual(Object.keys(all).sort(), ['/limit', '/nonsense', '/page', '/sortOrder']);
    const twice = await send([
      ['limit', '1'],
      ['limit', '2'],
    ]);
    assert.equal(twice.status, 400);
  });

  test(`${operation.operationId}: 400 invalid_cursor for a cursor that is not of this list`, async () => {
    const sample = await sampleOf(operation)(request);
    const path = addressOf(operation, sample);
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const garbled = [
      'x',
      'bm9uc2Vuc2U',
      json([]),
      json(['x', null, null]),
      json({}),
      json(null),
      '%F0%9F',
      '💐',
    ];
    for (const cursor of garbled) {
      const answer = await request(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
      );
      assert.equal(answer.status, 400, cursor);
      assert.equal(answer.body.error.details.code, 'invalid_cursor', cursor);
    }
  });
}
