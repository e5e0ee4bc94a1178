// Every field of every body and every id in an address, wrong in every way that its schema knows.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { issuesOf } from '../support/issues.ts';
import { rowsOf } from '../support/rows.ts';
import { addressOf, sampleOf } from '../support/samples.ts';
import { type Schema, wrongBodies } from '../support/wrong-bodies.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId } = service;
const { operations } = service.contract;
const before = () => rowsOf(database, organizationId);

for (const operation of operations.filter(({ specification }) => specification.requestBody !== undefined)) {
  const schema: Schema = operation.specification.requestBody.content['application/json'].schema;

  test(`${operation.operationId}: 400 for each field of its body that is wrong, naming it, and nothing is written`, async () => {
    const sample = await sampleOf(operation)(request);
    const path = addressOf(operation, sample);
    const present = await before();
    for (const { at, body } of wrongBodies(schema, sample.body)) {
      const about = `${at}: ${JSON.stringify(body).slice(0, 200)}`;
      const named = Object.keys(issuesOf(await request(operation.method, path, body), about));
      assert.ok(
        named.some((name) => name === at || name.startsWith(`${at}/`)),
        `${about}: only ${named} named`,
      );
    }
    const typo = await request(operation.method, path, { ...(sample.body as object), tpyo: 1 });
    assert.deepEqual(issuesOf(typo), { '/tpyo': 'unknown_field' });
    assert.deepEqual(await before(), present);
  });

  if (schema.required?.length > 0) {
    test(`${operation.operationId}: 400 for an empty body, naming all that is required`, async () => {
      const sample = await sampleOf(operation)(request);
      const issues = issuesOf(await request(operation.method, addressOf(operation, sample), {}));
      const expected = schema.required.map((name: string) => [`/${name}`, 'required']);
      assert.deepEqual(issues, Object.fromEntries(expected));
    });
  }
}

for (const operation of operations.filter(({ pathParameters }) => pathParameters.length > 0)) {
  test(`${operation.operationId}: 404 for ids in its address that are no ids`, async () => {
    const sample = await sampleOf(operation)(request);
    for (const name of operation.pathParameters) {
      for (const wrong of [
        'x',
        '0',
        "'",
        '%00',
        '..%2f',
        'null',
        'ffffffff-ffff-ffff-ffff-ffffffffffff',
        '%F0%9F%92%90',
      ]) {
        const address = addressOf(operation, { ...sample, ids: { ...sample.ids, [name]: wrong } });
        const answer = await request(operation.method, address, sample.body);
        assert.equal(answer.status, 404, `${address} ${answer.text}`);
      }
    }
  });
}
