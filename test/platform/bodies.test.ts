// Bodies and headers that are wrong: refused with everything named, never a 5xx, nothing written.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, startTestApp } from '../support/app.ts';
import { makeProduct, makeWebhookEndpoint } from '../support/factories.ts';
import { issuesOf } from '../support/issues.ts';
import { rowsOf } from '../support/rows.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId } = service;
const before = () => rowsOf(database, organizationId);

const post = (body: unknown, headers?: Record<string, string>) =>
  request('POST', '/customers', body, headers);

async function refused(answer: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const present = await before();
  const { status: actual, body, text, headers } = await answer;
  assert.deepEqual([actual, body.error?.details?.code], [status, code], text);
  assert.deepEqual(await before(), present, 'something was written');
  return { status: actual, body, text, headers };
}

test('400 invalid_json for what is no JSON, and nothing is written', async () => {
  for (const text of [
    '{',
    '{"name":"x"',
    '{name:"x"}',
    "{'name':'x'}",
    '{"name":"x",}',
    'x',
    '\u0000',
    '{"name":NaN}',
  ]) {
    await refused(post(text), 400, 'invalid_json');
  }
});

test('400 invalid_json for a body that is not UTF-8', async () => {
  await refused(post(Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x22])), 400, 'invalid_json');
});

test('400 for a body that is no object, saying so at its root', async () => {
  for (const text of ['[]', '"x"', '1', 'null', 'true']) {
    const present = await before();
    const answer = await post(text);
    assert.equal(answer.status, 400, text);
    assert.deepEqual(await before(), present);
  }
});

test('an operation without a body takes null and {}, and 400 for whatever else is sent', async () => {
  for (const text of ['null', '{}']) {
    const product = await makeProduct(request);
    const answer = await request('DELETE', `/products/${product.id}`, text);
    assert.equal(answer.status, 200, `${text}: ${answer.text}`);
  }
  const endpoint = await makeWebhookEndpoint(request);
  for (const text of ['[]', '0', 'false', '""', '{"a":1}', '[null]']) {
    const sent = request('DELETE', `/webhook-endpoints/${endpoint.id}`, text);
    assert.equal(
      (await refused(sent, 400, 'invalid_parameters')).body.error.details.issues[0].path,
      '',
      text,
    );
  }
});

test('a body may be left out exactly where the document says so', async () => {
  for (const operation of service.contract.operations) {
    const { requestBody } = operation.specification;
    if (requestBody === undefined) continue;
    const sample = await sampleOf(operation)(request);
    const { status } = await request(operation.method, addressOf(operation, sample));
    assert.equal(status, requestBody.required ? 400 : 200, operation.operationId);
  }
});

test('400 for a body that is missing', async () => {
  assert.equal((await request('POST', '/customers')).status, 400);
  assert.equal((await post('')).status, 400);
});

test('400 invalid_json for names that reach into prototypes, however they are written', async () => {
  for (const text of [
    '{"__proto__":{"name":"x"}}',
    '{"name":"x","metadata":{"__proto__":"x"}}',
    '{"name":"x","\\u005f_proto__":1}',
    '{"name":"x","constructor":{"prototype":{"polluted":1}}}',
  ]) {
    const answer = await post(text);
    assert.equal(answer.status, 400, `${text} ${answer.text}`);
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('400 names every wrong field at once, unknown ones too', async () => {
  const present = await before();
  const answer = await post({
    name: 5,
    email: ['x'],
    phone: 'x'.repeat(300),
    company: '\u0000',
    metadata: { ok: 'x', number: 1, ['k'.repeat(41)]: 'x', long: 'x'.repeat(501) },
    nmae: 'typo',
    toString: 'x',
    'a/b~c': 1,
  });
  assert.deepEqual(issuesOf(answer), {
    '/name': 'invalid_type',
    '/email': 'invalid_type',
    '/phone': 'too_long',
    '/company': 'invalid_text',
    '/metadata/number': 'invalid_type',
    [`/metadata/${'k'.repeat(41)}`]: 'invalid_name',
    '/metadata/long': 'too_long',
    '/nmae': 'unknown_field',
    '/toString': 'unknown_field',
    '/a~1b~0c': 'unknown_field',
  });
  assert.deepEqual(await before(), present);
});

test('400 for text that no database can hold: NUL bytes and lone surrogates, in values and in names', async () => {
  for (const wrong of ['\u0000', 'a\u0000b', '\ud800', 'x\udc00', '\udc00\ud800']) {
    assert.deepEqual(issuesOf(await post(`{"name":${JSON.stringify(wrong)}}`)), { '/name': 'invalid_text' });
    const names = await post(`{"name":"x","metadata":{${JSON.stringify(wrong)}:"x"}}`);
    assert.deepEqual(Object.values(issuesOf(names)), ['invalid_text']);
    const query = await request('GET', `/customers?search=${encodeURIComponent(wrong.toWellFormed())}%00`);
    assert.equal(query.status, 400);
  }
});

test('whatever text is allowed comes back as it was sent', async () => {
  for (const name of [
    'O’Brien 💐 𝒳',
    '\u202e\u0007\t\n"\\',
    "'; drop table orders; --",
    '%_\\',
    '<b>',
    ' ',
  ]) {
    const answer = await post({ name, company: 'x' });
    assert.equal(answer.body.data.name, name);
    const found = await request('GET', `/customers?search=${encodeURIComponent(name)}`);
    assert.ok(
      found.body.data.some(({ id }: { id: string }) => id === answer.body.data.id),
      `search does not find ${JSON.stringify(name)}`,
    );
  }
});

test('400 for nesting without end', async () => {
  const deep = (open: string, close: string) => `{"metadata":${open.repeat(20_000)}1${close.repeat(20_000)}}`;
  for (const text of [deep('[', ']'), deep('{"a":', '}')]) {
    const answer = await post(text);
    assert.equal(answer.status, 400);
  }
});

test('413 for a body beyond the limit, with and without its length announced', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1_048_577) });
  await refused(post(body), 413, 'body_too_large');
  await refused(post(body, { 'transfer-encoding': 'chunked' }), 413, 'body_too_large');
});

test('415 for a body of another type, or of none', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    'nonsense',
  ]) {
    await refused(post('{"name":"x"}', { 'content-type': type }), 415, 'unsupported_media_type');
  }
});

test('JSON is taken with a charset and in any case', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await post('{"name":"x"}', { 'content-type': type })).status, 200, type);
  }
});

test('400 for a name given twice in one object is not promised, but the last one counts and no 5xx', async () => {
  const answer = await post('{"name":"first","name":"second"}');
  assert.equal(answer.body.data.name, 'second');
});

test('400 invalid_header for headers that are not what they must be', async () => {
  const wrong: Record<string, string>[] = [
    { 'idempotency-key': 'x'.repeat(256) },
    { 'idempotency-key': 'ünïcode' },
    { 'idempotency-key': '' },
    { 'if-match': 'W/"1"' },
    { 'if-match': '1' },
    { 'x-service-client': '' },
    { 'x-service-client': 'x'.repeat(256) },
  ];
  for (const headers of wrong) await refused(post({ name: 'x' }, headers), 400, 'invalid_header');
});
