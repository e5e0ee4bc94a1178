// ETag and If-Match: an update never overwrites what its sender has not seen.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { rowsOf } from '../support/rows.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId, contract } = service;

/** Updates: a POST on the address at which a GET answers the record. */
const updates = contract.operations.filter(
  ({ method, path, pathParameters }) =>
    method === 'POST' &&
    path.endsWith('}') &&
    pathParameters.length > 0 &&
    contract.find('GET', path) !== undefined,
);

test('there are updates', () => assert.ok(updates.length > 0));

for (const operation of updates) {
  const { operationId } = operation;
  test(`${operationId}: 412 when stale, nothing written; with the present ETag it is done and the ETag moves`, async () => {
    const sample = await sampleOf(operation)(request);
    const path = addressOf(operation, sample);
    const etag = (await request('GET', path)).headers['etag']!;
    assert.match(etag, /^"\d+"$/);
    const update = (headers: Record<string, string>) => request('POST', path, sample.body, headers);

    const done = await update({ 'if-match': etag });
    assert.equal(done.status, 200, done.text);
    assert.notEqual(done.headers['etag'], etag);
    assert.equal((await request('GET', path)).headers['etag'], done.headers['etag']);

    const present = await rowsOf(database, organizationId);
    for (const stale of [etag, '"0"', '"nonsense"', '""', '"99999999999999999999"']) {
      const refused = await update({ 'if-match': stale });
      assert.deepEqual(
        [refused.status, refused.body.error.details.code],
        [412, 'precondition_failed'],
        stale,
      );
    }
    assert.deepEqual(await rowsOf(database, organizationId), present);
    assert.equal((await update({ 'if-match': '*' })).status, 200);
    assert.equal((await update({})).status, 200);
  });

  test(`${operationId}: of ten at once with one ETag exactly one is done`, async () => {
    const sample = await sampleOf(operation)(request);
    const path = addressOf(operation, sample);
    const etag = (await request('GET', path)).headers['etag']!;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => request('POST', path, sample.body, { 'if-match': etag })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...new Array(9).fill(412)]);
  });
}

test('every GET of one record answers an ETag', async () => {
  const gets = contract.operations.filter(
    ({ method, specification }) =>
      method === 'GET' &&
      specification.responses[200].content['application/json'].schema.properties?.data?.type !== 'array',
  );
  assert.ok(gets.length > 0);
  for (const operation of gets) {
    const answer = await request('GET', addressOf(operation, await sampleOf(operation)(request)));
    const single = answer.body.data !== null && !Array.isArray(answer.body.data);
    if (single && 'id' in answer.body.data)
      assert.match(answer.headers['etag'] ?? '', /^"\d+"$/, operation.operationId);
  }
});
