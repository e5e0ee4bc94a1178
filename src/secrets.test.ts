// What is sealed opens with the same secret at the same place, and nowhere else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeSecrets } from './secrets.ts';

const secrets = makeSecrets('a secret of at least thirty-two characters');

test('what was sealed is opened again, and never looks the same twice', () => {
  const sealed = secrets.seal('whsec_ä', 'endpoint 1');
  assert.equal(secrets.open(sealed, 'endpoint 1'), 'whsec_ä');
  assert.notDeepEqual(secrets.seal('whsec_ä', 'endpoint 1'), sealed);
  assert.ok(!sealed.includes('whsec_'));
});

test('it opens neither at another place, nor with another secret, nor once it was changed', () => {
  const sealed = secrets.seal('whsec_a', 'endpoint 1');
  assert.throws(() => secrets.open(sealed, 'endpoint 2'));
  assert.throws(() => makeSecrets('another secret of thirty-two characters!').open(sealed, 'endpoint 1'));
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    assert.throws(() => secrets.open(changed, 'endpoint 1'), `byte ${index}`);
  }
});

test('without a secret nothing is encrypted', () => {
  assert.throws(() => makeSecrets(undefined).seal('x', 'y'), /WAYBILL_SECRET/);
});
