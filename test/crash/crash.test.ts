// The short form of `npm run crash`.
import assert from 'node:assert/strict';
import test from 'node:test';
import { crash } from './crash.ts';

test('3 kills under 4 clients: nothing answered is lost, nothing is there twice or by halves', async () => {
  const { findings, kills, requests } = await crash({ cycles: 3, seed: 7, clients: 4, told: () => {} });
  assert.deepEqual(findings, []);
  assert.equal(kills.service + kills.database + kills.both, 3);
  assert.ok(requests > 30);
});
