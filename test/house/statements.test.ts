// What the service sends to PostgreSQL, all of it: each statement names the organization, and would run sharded.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { addressOf, sampleOf } from '../support/samples.ts';
import { shardingProblems } from '../support/sharding.ts';
import { tenancyProblems } from '../support/tenancy.ts';

const service = await startTestApp();
after(service.close);
const { request, contract } = service;
const texts = new Set(
  await service.statements(async () => {
    for (const operation of contract.operations) {
      const sample = await sampleOf(operation)(request);
      const answer = await request(operation.method, addressOf(operation, sample), sample.body);
      assert.equal(answer.status, 200, answer.text);
    }
  }),
);

const wrong = (problemsOf: (text: string) => string[]) =>
  [...texts].flatMap((text) => problemsOf(text).map((problem) => `${problem}: ${text}`));

test('every operation was called, and its statements were seen', () => {
  assert.ok(texts.size > contract.operations.length, `${texts.size} statements`);
});

test('every statement names the organization on every table of a tenant', () => {
  assert.deepEqual(wrong(tenancyProblems), []);
});

test('every write takes times and ids as parameters, and inserts into no table that it reads', () => {
  assert.deepEqual(wrong(shardingProblems), []);
});

test('a write that would not run sharded is recognized', () => {
  const refused = [
    'insert into a (x) select x from a where organization_id = $1',
    'with n as (insert into a (x) values ($1) returning x) select n.x from n join a on a.x = n.x',
    'update a set x = now() where organization_id = $1',
    'update a set x = current_timestamp',
    'insert into a (id) values (gen_random_uuid())',
  ];
  for (const text of refused) assert.equal(shardingProblems(text).length, 1, text);
  assert.deepEqual(shardingProblems('select now(), x from a'), []);
});
