// openapi.json is the document that the service answers with, and the document is complete.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startTestApp } from '../support/app.ts';
import type { Operation } from '../support/contract.ts';

const { app, contract, close } = await startTestApp();
after(close);
const { document, operations } = contract;

test('openapi.json is what the service describes itself as (else: npm run openapi)', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8').catch(() => '');
  const present = `${JSON.stringify(app.swagger(), null, 2)}\n`;
  assert.equal(committed !== '', true, 'openapi.json is missing: npm run openapi');
  assert.deepEqual(
    committed.split('\n'),
    present.split('\n'),
    'openapi.json is not what the service describes: run `npm run openapi` and commit it',
  );
});

test('the served document is the same', async () => {
  const served = await app.inject('/openapi.json');
  assert.deepEqual(served.json(), JSON.parse(JSON.stringify(app.swagger())));
});

test('operation ids are unique, and say read or write as the method does', () => {
  const ids = operations.map(({ operationId }) => operationId);
  assert.deepEqual(ids, [...new Set(ids)]);
  const wrong = operations.filter(
    ({ method, operationId }) => (method === 'GET') !== /^(get|list|verify|explain)[A-Z]/.test(operationId),
  );
  assert.deepEqual(
    wrong.map(({ method, path, operationId }) => `${method} ${path} is ${operationId}`),
    [],
  );
});

test('every operation has a summary, a description and tags that the document explains', () => {
  const explained = new Set(document.tags.map(({ name }: { name: string }) => name));
  const wrong = operations.filter(
    ({ specification: { summary, description, tags } }) =>
      !summary || !description || !tags?.every((tag: string) => explained.has(tag)),
  );
  assert.deepEqual(
    wrong.map(({ operationId }) => operationId),
    [],
  );
});

test('every parameter in a path is declared', () => {
  const declared = ({ specification }: Operation) =>
    (specification.parameters ?? [])
      .filter((parameter: { in: string }) => parameter.in === 'path')
      .map(({ name }: { name: string }) => name);
  const wrong = operations.filter(
    (operation) => declared(operation).sort().join() !== [...operation.pathParameters].sort().join(),
  );
  assert.deepEqual(
    wrong.map(({ operationId }) => operationId),
    [],
  );
});

test('every text that is sent in has a bound', () => {
  const wrong: string[] = [];
  for (const { operationId, specification } of operations) {
    const body = specification.requestBody?.content['application/json'].schema;
    visitSchemas(body, operationId, (schema, at) => {
      const text = [schema.type].flat().includes('string');
      const bounded = ['maxLength', 'enum', 'format', 'pattern', 'const'].some((word) => word in schema);
      if (text && !bounded) wrong.push(at);
      if ([schema.type].flat().includes('array') && !('maxItems' in schema)) wrong.push(`${at} (array)`);
    });
  }
  assert.deepEqual(wrong, []);
});

test('every example is valid', () => {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const wrong: string[] = [];
  for (const { operationId, specification } of operations) {
    const body = specification.requestBody?.content['application/json'].schema;
    const answer = specification.responses[200].content['application/json'].schema;
    for (const schema of [body, answer]) {
      visitSchemas(schema, operationId, (part, at) => {
        for (const example of part.examples ?? []) {
          const validate = ajv.compile({ ...part, components: document.components });
          if (!validate(example)) wrong.push(`${at}: ${ajv.errorsText(validate.errors)}`);
        }
      });
    }
  }
  assert.deepEqual(wrong, []);
});

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas are walked freely
type Schema = any;

function visitSchemas(schema: Schema, at: string, look: (schema: Schema, at: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  look(schema, at);
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    visitSchemas(child, `${at}.${name}`, look);
  for (const list of ['anyOf', 'oneOf', 'allOf']) {
    for (const child of schema[list] ?? []) visitSchemas(child, at, look);
  }
  visitSchemas(schema.items, `${at}[]`, look);
  visitSchemas(schema.additionalProperties, `${at}.*`, look);
}
