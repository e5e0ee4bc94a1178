// The short form of `npm run fuzz`, and that its judge sees what it is there for.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fuzz } from './fuzz.ts';
import { makeJudge } from './judge.ts';
import { startTarget } from './target.ts';

const target = await startTarget();
after(target.close);

const id = '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90';
const sent = { method: 'GET', path: '/customers', headers: {} };

/** An answer as the service gives it, with other words. */
function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const usual = {
    'content-type': 'application/json',
    'x-request-id': 'r',
    'x-content-type-options': 'nosniff',
  };
  return { status, body, text: JSON.stringify(body), headers: { ...usual, ...headers } };
}
const error = (status: number, message: string, code = 'not_found') =>
  answer(status, { error: { message, details: { code, requestId: 'r' } } });

test('2,000 requests of one seed find nothing', async () => {
  const { findings, tried, byStatus } = await fuzz(target, { requests: 2_000, seed: 20_261_121 });
  assert.deepEqual(findings, []);
  assert.ok(tried >= 2_000);
  for (const status of [200, 400, 401, 404, 405, 409]) assert.ok(byStatus[status]! > 0, `no ${status}`);
});

test('the judge sees a failure, a trace of the inside, and a status or a field that is not documented', () => {
  const judge = makeJudge(target.contract);
  const problems = (received: ReturnType<typeof answer>) => judge.problems('a', sent, received).join('\n');
  assert.equal(problems(error(404, 'No such address')), '');
  assert.match(problems(error(500, 'Internal server error', 'internal_error')), /answered 500/);
  assert.match(problems(error(502, 'Bad gateway')), /answered 502/);
  assert.match(problems(error(418, 'Teapot')), /a status that its documentation does not list/);
  assert.match(problems(error(404, 'at file:///srv/app/src/x.ts:1:2')), /of the inside/);
  assert.match(problems(error(400, 'column "x" does not exist')), /of the inside/);
  assert.match(problems(error(400, 'Error: x\n    at run (native)')), /of the inside/);
  assert.match(problems(answer(200, { object: 'list' })), /not what it documents/);
  const bare = answer(404, error(404, 'x').body, { 'x-content-type-options': '' });
  assert.match(problems(bare), /lacks X-Content-Type-Options/);
});

test("the judge sees another organization's id, unless whoever is shown it has sent it", () => {
  const judge = makeJudge(target.contract);
  const shown = error(404, `No such ${id}`);
  assert.deepEqual(judge.problems('a', sent, shown), []);
  assert.match(judge.problems('b', sent, shown).join(), /shows .* which is a's/);
  const asked = { ...sent, path: `/customers?search=${id}` };
  assert.deepEqual(judge.problems('b', asked, shown), []);
});
