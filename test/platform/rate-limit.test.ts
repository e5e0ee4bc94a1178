// The rate limit: per key and organization acted for, told on every answer, and 429 with the time to wait.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, type Request, startTestApp } from '../support/app.ts';

const rateLimit = 2;
const service = await startTestApp({ rateLimit });
after(service.close);
await service.makeOrganization({ slug: 'client', parentId: service.organizationId });
const ofKey = await service.makeKey(['all'], { rateLimit: 5 });
const fresh = async () => service.as(await service.makeKey(['all']));

/** All at once, so that hardly any time passes in which tokens come back. */
const burst = (request: Request, count = 20) =>
  Promise.all(Array.from({ length: count }, () => request('GET', '/customers?limit=1')));
const refusals = (answers: Answer[]) => answers.filter(({ status }) => status === 429);

test('429 rate_limited once the burst of two seconds is used up, with the time to wait', async () => {
  const began = performance.now();
  const answers = await burst(await fresh());
  const granted = answers.length - refusals(answers).length;
  const cameBack = ((performance.now() - began) / 1000) * rateLimit;
  assert.ok(granted >= rateLimit * 2 && granted <= rateLimit * 2 + cameBack + 1, String(granted));
  for (const refused of refusals(answers)) {
    assert.equal(refused.body.error.details.code, 'rate_limited');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.match(refused.headers['ratelimit']!, /^"default";r=0;t=\d+$/);
  }
});

test('every answer tells the policy and what is left, errors too', async () => {
  const request = await fresh();
  const headers = [
    await request('GET', '/customers'),
    await request('GET', '/customers/x'),
    await request('POST', '/customers', { nonsense: 1 }),
  ].map((answer) => answer.headers);
  assert.deepEqual(
    headers.map((header) => header['ratelimit-policy']),
    new Array(3).fill(`"default";q=${rateLimit * 2};w=2`),
  );
  const left = headers.map((header) => Number(/r=(\d+)/.exec(header['ratelimit']!)![1]));
  assert.ok(left[0]! > left[2]!, String(left));
});

test('each key has its own, and each organization that it acts for', async () => {
  const request = await fresh();
  assert.ok(refusals(await burst(request)).length > 0);
  assert.equal((await (await fresh())('GET', '/customers')).status, 200);
  const acting = await request('GET', '/customers', undefined, { 'x-service-client': 'client' });
  assert.equal(acting.status, 200);
});

test('a setting of the key goes before that of the service', async () => {
  const answers = await burst(service.as(ofKey));
  assert.ok(answers.length - refusals(answers).length >= 10);
  assert.ok(refusals(answers).length > 0);
});

test('what was waited for is granted', async () => {
  const request = await fresh();
  const refused = refusals(await burst(request))[0]!;
  const wait = Number(refused.headers['retry-after']);
  assert.ok(wait <= 1);
  await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  assert.equal((await request('GET', '/customers')).status, 200);
});

test('a key that is not valid is told nothing of rates', async () => {
  const answer = await service.as('wb_live_nonsense')('GET', '/customers');
  assert.equal(answer.status, 401);
  assert.equal(answer.headers['ratelimit'], undefined);
});
