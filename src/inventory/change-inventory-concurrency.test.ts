// POST /inventory, several at once and more than once: nothing is lost, nothing is made twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import { makePlace, makeVariant, type Place, unique } from '../../test/support/factories.ts';

let app: TestApp;
let request: Request;
let place: Place;
before(async () => {
  app = await startTestApp();
  request = app.request;
  place = await makePlace(request);
});
after(() => app.close());

const change = (variant: string, changeQuantity: number, fields: object = {}) =>
  request('POST', '/inventory', { productVariantIdentifier: variant, ...place, changeQuantity, ...fields });

async function unitsAt(variant: string, at: Place = place): Promise<number> {
  const answer = await request(
    'GET',
    `/inventory/locations?productVariantIdentifier=${variant}&warehouseId=${at.warehouseId}`,
  );
  return answer.body.data
    .filter(
      (record: { warehouseLocationId: string }) => record.warehouseLocationId === at.warehouseLocationId,
    )
    .reduce((sum: number, record: { quantity: number }) => sum + record.quantity, 0);
}

test('409 stale_quantity says what is there when expectedQuantity does not hold', async () => {
  const variant = await makeVariant(request);
  assert.equal((await change(variant.id, 5, { expectedQuantity: 0 })).status, 200);
  const stale = await change(variant.id, 5, { expectedQuantity: 4 });
  assert.equal(stale.status, 409);
  assert.equal(stale.body.error.details.code, 'stale_quantity');
  assert.equal(stale.body.error.details.currentQuantity, 5);
  await change(variant.id, 3, { lotNumber: 'L1' });
  assert.equal((await change(variant.id, 1, { lotNumber: 'L1', expectedQuantity: 3 })).status, 200);
  assert.equal((await change(variant.id, -1, { expectedQuantity: 9, expirationDate: null })).status, 200);
});

test('of 20 concurrent changes that expect the same quantity exactly one is made', async () => {
  const variant = await makeVariant(request);
  await change(variant.id, 100);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => change(variant.id, -(n + 1), { expectedQuantity: 100 })),
  );
  const made = answers.filter(({ status }) => status === 200);
  assert.equal(made.length, 1);
  for (const { status, body } of answers)
    if (status !== 200) assert.equal(body.error.details.code, 'stale_quantity');
  assert.equal(await unitsAt(variant.id), made[0]!.body.data.quantity);
});

test('of 30 concurrent removals as many succeed as there are units', async () => {
  const variant = await makeVariant(request);
  await change(variant.id, 17);
  const answers = await Promise.all(Array.from({ length: 30 }, () => change(variant.id, -1)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 17);
  assert.equal(answers.filter(({ status }) => status === 409).length, 13);
  assert.equal(await unitsAt(variant.id), 0);
});

test('a repeat under the same Idempotency-Key changes nothing and answers the same', async () => {
  const variant = await makeVariant(request);
  const body = { productVariantIdentifier: variant.id, ...place, changeQuantity: 3 };
  const headers = { 'idempotency-key': unique('key-') };
  const first = await request('POST', '/inventory', body, headers);
  const second = await request('POST', '/inventory', body, headers);
  assert.equal(second.headers['idempotency-replayed'], 'true');
  assert.equal(second.text, first.text);
  assert.equal(await unitsAt(variant.id), 3);
});
