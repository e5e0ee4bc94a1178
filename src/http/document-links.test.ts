// What PostgreSQL signs is what is verified here, for a day and for one document.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { makeLinks } from './document-links.ts';

const { database, close } = await startTestApp();
after(close);
const secret = 'a secret that is long enough to be one';
const [organizationId, id] = [newId(), newId()];

async function signed(now: number) {
  const parts = { organizationId: sql`${organizationId}::text`, id: sql`${id}::text`, extension: sql`'pdf'` };
  const [row] = await database.query<{ address: string }>(
    sql`select ${makeLinks(secret, () => now).address('labels', parts)} as address`,
  );
  const url = new URL(row!.address, 'http://127.0.0.1');
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  return { path: url.pathname, expires: Number(parameter('expires')), signature: parameter('signature') };
}

test('a link holds for 24 hours, for its document, under its secret', async () => {
  const now = Date.UTC(2026, 10, 21);
  const { path, expires, signature } = await signed(now);
  assert.equal(path, `/api/v1/labels/${organizationId}/${id}.pdf`);
  const at = (time: number, key = secret) => makeLinks(key, () => time);
  const dayMs = 86_400_000;
  assert.equal(at(now + dayMs).verify('labels', organizationId, id, expires, signature), true);
  assert.equal(at(now + dayMs + 1_000).verify('labels', organizationId, id, expires, signature), false);
  assert.equal(at(now).verify('manifests', organizationId, id, expires, signature), false);
  assert.equal(at(now).verify('labels', organizationId, newId(), expires, signature), false);
  assert.equal(at(now).verify('labels', newId(), id, expires, signature), false);
  assert.equal(at(now).verify('labels', organizationId, id, expires + 1, signature), false);
  assert.equal(at(now, `${secret}!`).verify('labels', organizationId, id, expires, signature), false);
});

test('nothing is signed without a secret', () => {
  assert.throws(() => makeLinks(undefined).verify('labels', organizationId, id, 9e9, ''), /WAYBILL_SECRET/);
});
