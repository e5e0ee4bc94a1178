// Rate cards: taken as JSON or CSV, dated, never changed, every bad row named.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { rateCard } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount } from '../../test/support/factories.ts';
import { issuesOf } from '../../test/support/issues.ts';
import { rowsOf } from '../../test/support/rows.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId } = service;

const accountOf = async (fields = {}) =>
  `/carrier-accounts/${(await makeCarrierAccount(request, fields)).id}`;

test('the answer and GET show the card, the list does not', async () => {
  const path = await accountOf();
  const made = await make(request, `${path}/rate-cards`, rateCard({ effectiveFrom: '2026-07-01' }));
  assert.deepEqual([made.name, made.effectiveFrom], ['Vans', '2026-07-01']);
  assert.equal(made.card.services[1].breaks[0].prices.all, 5);
  assert.deepEqual((await request('GET', `${path}/rate-cards/${made.id}`)).body.data, made);
  const { card: _, ...summary } = made;
  assert.deepEqual((await request('GET', `${path}/rate-cards`)).body.data, [summary]);
});

test('409 rate_card_taken for a second card from the same day on; a later day is another card', async () => {
  const path = await accountOf({ rateCard: rateCard() });
  const before = await rowsOf(database, organizationId);
  const again = await request('POST', `${path}/rate-cards`, rateCard({ name: 'Other' }));
  assert.deepEqual([again.status, again.body.error.details.code], [409, 'rate_card_taken']);
  assert.deepEqual(await rowsOf(database, organizationId), before);
  await make(request, `${path}/rate-cards`, rateCard({ effectiveFrom: '2020-01-02' }));
});

test('409 for an account of another kind', async () => {
  const path = await accountOf({ kind: 'easypost' });
  const answer = await request('POST', `${path}/rate-cards`, rateCard());
  assert.deepEqual([answer.status, answer.body.error.details.code], [409, 'conflict']);
});

test('400 for nothing, and for a csv beside other fields', async () => {
  const path = `${await accountOf()}/rate-cards`;
  const needed = ['name', 'effectiveFrom', 'currency', 'carrierName', 'trackingNumbers', 'zones', 'services'];
  assert.deepEqual(
    issuesOf(await request('POST', path, {})),
    Object.fromEntries(needed.map((name) => [`/${name}`, 'required'])),
  );
  assert.deepEqual(issuesOf(await request('POST', path, { csv: 'x', name: 'Vans' })), {
    '/name': 'not_allowed',
  });
});
