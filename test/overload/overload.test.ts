// The short form of `npm run overload`: what is right, whatever the machine can do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { overload } from './overload.ts';

test('more than can be done is answered once or refused with Retry-After, and afterwards nothing is refused', async () => {
  const {
    findings,
    overload: during,
    before,
    recovered,
  } = await overload({
    ...{ capacitySeconds: 0.6, seconds: 2, times: 3, slow: 20, told: () => {} },
  });
  assert.deepEqual(findings, []);
  assert.ok(during.answered > 0);
  for (const { offered, unsent, answered, refused, broken } of [before, during, recovered]) {
    assert.equal(answered + refused + broken + unsent, offered);
    assert.equal(broken, 0);
  }
});
