// A day's parcels are handed over together, each once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Request, startTestApp } from '../../test/support/app.ts';
import { makeVans, quoteBody } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, unique } from '../../test/support/factories.ts';
import type { Fault } from '../../test/support/scripted-carrier.ts';
import { fail, scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { newId } from '../database/ids.ts';

const script = scriptedCarrier();
const closings: { faults: Fault[]; asked: string[][] } = { faults: [], asked: [] };
const easypost = {
  ...script.carrier,
  async manifest(_account: unknown, labels: readonly { reference: string }[]) {
    const fault = closings.faults.shift();
    await fault?.before?.();
    closings.asked.push(labels.map(({ reference }) => reference).sort());
    return { carrierReference: 'sf_1', document: Buffer.from('%PDF-1.4 of the carrier') };
  },
};
const home = await startTestApp({ shipping: { carriers: { easypost } }, logLevel: 'silent' });
after(home.close);
const { request } = home;

async function account(fields: Record<string, unknown> = {}) {
  const carrierCode = unique('vans');
  const { id } = await makeVans(request, { carrierCode, ...fields });
  const ship = (more: Record<string, unknown> = {}) =>
    make(request, '/shipments', quoteBody({ carrierCode, serviceCode: 'economy', ...more }));
  return { carrierAccountId: id as string, ship };
}

const codeOf = (answer: Awaited<ReturnType<Request>>) => `${answer.status} ${answer.body.error.details.code}`;

test('all parcels of an account that are on no manifest, in one document', async () => {
  const { carrierAccountId, ship } = await account();
  const first = await ship();
  await ship({ packages: [{ weight: 3 }, { weight: 4 }] });
  const gone = await ship();
  await make(request, `/shipments/${gone.id}/void`);
  await (await account()).ship();
  const manifest = await make(request, '/manifests', { carrierAccountId });
  assert.deepEqual([manifest.status, manifest.shipmentCount], ['closed', 2]);
  assert.equal(manifest.carrierAccount.id, carrierAccountId);
  assert.equal((await request('GET', `/shipments/${first.id}`)).body.data.manifestId, manifest.id);
  const document = await home.app.inject(manifest.documentUrl);
  assert.equal(document.headers['content-type'], 'application/pdf');
  assert.match(document.body, /^%PDF-/);
  assert.equal((await home.app.inject(manifest.documentUrl)).body, document.body);
  assert.equal(
    (await home.app.inject(manifest.documentUrl.replace(/signature=./, 'signature=x'))).statusCode,
    401,
  );
  assert.equal(codeOf(await request('POST', '/manifests', { carrierAccountId })), '409 nothing_to_close');
  assert.equal(codeOf(await request('POST', `/shipments/${first.id}/void`)), '409 not_voidable');
  const listed = await request('GET', `/manifests?carrierAccountId=${carrierAccountId}`);
  assert.deepEqual([listed.body.totalCount, listed.body.data[0].id], [1, manifest.id]);
  assert.equal((await request('GET', `/manifests?search=${manifest.acceptanceCode}`)).body.totalCount, 1);
});

test('of a day, or those that are named; each on one manifest at most, also for 10 clients at once', async () => {
  const { carrierAccountId, ship } = await account();
  const shipments = [await ship(), await ship(), await ship()];
  const date = '2020-01-01';
  assert.equal(
    codeOf(await request('POST', '/manifests', { carrierAccountId, date })),
    '409 nothing_to_close',
  );
  const shipmentIds = [shipments[0].id];
  assert.equal((await make(request, '/manifests', { carrierAccountId, shipmentIds })).shipmentCount, 1);
  const today = new Date().toISOString().slice(0, 10);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => request('POST', '/manifests', { carrierAccountId, date: today })),
  );
  const made = all.filter(({ status }) => status === 200);
  assert.deepEqual(
    made.map((answer) => answer.body.data.shipmentCount),
    [2],
  );
});

test('400 naming every parcel that cannot be handed over, and nothing is written', async () => {
  const { carrierAccountId, ship } = await account();
  const own = await ship();
  const foreign = await (await account()).ship();
  const shipmentIds = [own.id, foreign.id, newId()];
  const answer = await request('POST', '/manifests', { carrierAccountId, shipmentIds });
  assert.equal(codeOf(answer), '400 invalid_parameters');
  assert.deepEqual(
    answer.body.error.details.issues.map(({ path }: { path: string }) => path),
    ['/shipmentIds/1', '/shipmentIds/2'],
  );
  assert.equal((await request('GET', `/shipments/${own.id}`)).body.data.manifestId, null);
  const both = await request('POST', '/manifests', { carrierAccountId, shipmentIds, date: '2026-11-21' });
  assert.equal(codeOf(both), '400 invalid_parameters');
  const unknown = await request('POST', '/manifests', { carrierAccountId: newId() });
  assert.equal(unknown.body.error.details.issues[0].path, '/carrierAccountId');
});

async function easypostAccount() {
  const carrierCode = unique('usps');
  const fields = { carrierCode, kind: 'easypost', credentials: { apiKey: 'EZTK0123456789abcdef' } };
  const { id } = await makeCarrierAccount(request, fields);
  const ship = () => make(request, '/shipments', quoteBody({ carrierCode, serviceCode: 'ground' }));
  return { carrierAccountId: id as string, ship };
}

test('a carrier that closes the day itself is asked once, and its document is given', async () => {
  const { carrierAccountId, ship } = await easypostAccount();
  const ids = [(await ship()).id, (await ship()).id].sort();
  const headers = { 'idempotency-key': unique('key') };
  const first = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.deepEqual(closings.asked, [ids]);
  assert.match((await home.app.inject(first.body.data.documentUrl)).body, /of the carrier/);
  const again = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal(closings.asked.length, 1);
});

test('a refusal leaves the parcels to another manifest, and frees the key', async () => {
  const { carrierAccountId, ship } = await easypostAccount();
  const { id } = await ship();
  closings.faults = [{ before: fail('carrier_rejected', 'no', 'Not today') }];
  const headers = { 'idempotency-key': unique('key') };
  const refused = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.equal(codeOf(refused), '502 carrier_rejected');
  assert.equal(refused.body.error.details.carrierMessage, 'Not today');
  assert.equal((await request('GET', `/shipments/${id}`)).body.data.manifestId, null);
  const again = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.equal(again.body.data.status, 'closed');
});

test('an answer that was not heard is asked for again under the same key', async () => {
  const { carrierAccountId, ship } = await easypostAccount();
  const { id } = await ship();
  closings.faults = [{ before: fail('carrier_timeout', 'unknown') }];
  const headers = { 'idempotency-key': unique('key') };
  const lost = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.equal(codeOf(lost), '504 carrier_timeout');
  const { manifestId } = lost.body.error.details;
  assert.equal((await request('GET', `/manifests/${manifestId}`)).body.data.status, 'pending');
  assert.equal((await request('GET', `/shipments/${id}`)).body.data.manifestId, manifestId);
  const text = 'update manifests set claimed_until = $1 where id = $2';
  await home.database.pool.query(text, [new Date(0), manifestId]);
  const again = await request('POST', '/manifests', { carrierAccountId }, headers);
  assert.deepEqual([again.body.data.id, again.body.data.status], [manifestId, 'closed']);
});
