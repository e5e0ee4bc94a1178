// POST /inventory/bulk: thousands of changes, all of them or those that can be made.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  levelOf,
  makeLocation,
  makePlace,
  makeProduct,
  makeVariant,
  type Place,
  unique,
} from '../../test/support/factories.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';

let app: TestApp;
let request: Request;
let place: Place;
before(async () => {
  app = await startTestApp();
  request = app.request;
  place = await makePlace(request);
});
after(() => app.close());

const change = (variant: string, changeQuantity: number, fields: object = {}) => ({
  productVariantIdentifier: variant,
  ...place,
  changeQuantity,
  ...fields,
});

interface Row {
  index: number;
  success: boolean;
  message: string;
  data?: { quantity: number; productVariantId: string };
  source?: { quantity: number };
  error?: { code: string; issues?: { path: string }[] };
}

test('200 applies the changes in order, each on what the ones before it left', async () => {
  const variant = await makeVariant(request);
  const other = await makeLocation(request, place.warehouseId);
  const answer = await request('POST', '/inventory/bulk', {
    changes: [
      change(variant.sku, 10),
      change(variant.sku, -4),
      change(variant.sku, 6, { moveToWarehouseLocationId: other.id, expectedQuantity: 6 }),
    ],
  });
  assert.equal(answer.body.object, 'inventoryUpdateBulk');
  assert.equal(answer.body.success, true);
  assert.equal(answer.body.message, 'Successfully made 3 of 3 changes');
  const rows: Row[] = answer.body.data;
  assert.deepEqual(
    rows.map(({ index, success }) => [index, success]),
    [
      [0, true],
      [1, true],
      [2, true],
    ],
  );
  assert.match(rows[1]!.message, /^Successfully removed 4 units from /);
  assert.deepEqual([rows[2]!.data?.quantity, rows[2]!.source?.quantity], [6, 0]);
  const level = await levelOf(request, place.warehouseId, variant);
  assert.equal(level.onHandQuantity, 6);
});

test('atomic: the first failure names the answer, an issue each of them, and nothing is written', async () => {
  const variant = await makeVariant(request);
  const before = await rowsOf(app.database, app.organizationId);
  const answer = await request('POST', '/inventory/bulk', {
    changes: [
      change(variant.id, 10),
      change(variant.id, -11),
      change('no-such-thing', 1),
      change(variant.id, 1, { warehouseId: newId() }),
      change(variant.id, 0),
      change(variant.id, 1, { expectedQuantity: 99 }),
    ],
  });
  assert.equal(answer.status, 409);
  const { details } = answer.body.error;
  assert.equal(details.code, 'insufficient_stock');
  assert.equal(details.index, 1);
  assert.deepEqual(
    details.issues.map((issue: { path: string; code: string }) => [issue.path, issue.code]),
    [
      ['/changes/1', 'insufficient_stock'],
      ['/changes/2', 'variant_not_found'],
      ['/changes/3/warehouseId', 'not_found'],
      ['/changes/4/changeQuantity', 'out_of_range'],
      ['/changes/5', 'stale_quantity'],
    ],
  );
  assert.deepEqual(await rowsOf(app.database, app.organizationId), before);
});

test('400 when the first thing wrong is an unknown or ambiguous variant', async () => {
  const unknown = await request('POST', '/inventory/bulk', { changes: [change('no-such-thing', 1)] });
  assert.deepEqual([unknown.status, unknown.body.error.details.code], [400, 'variant_not_found']);
  const alias = unique('SHARED');
  await makeVariant(request, { skuAliases: [alias] });
  await makeVariant(request, { skuAliases: [alias] });
  const ambiguous = await request('POST', '/inventory/bulk', { changes: [change(alias, 1)] });
  assert.deepEqual([ambiguous.status, ambiguous.body.error.details.code], [400, 'ambiguous_identifier']);
});

test('not atomic: what can be made is made, and each row says what became of it', async () => {
  const variant = await makeVariant(request);
  const answer = await request('POST', '/inventory/bulk', {
    atomic: false,
    changes: [
      change(variant.id, -1),
      change(variant.id, 10),
      change('no-such-thing', 1),
      change(variant.id, 1, { warehouseLocationId: newId() }),
      change(variant.id, -3),
    ],
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.message, 'Successfully made 2 of 5 changes');
  const rows: Row[] = answer.body.data;
  assert.deepEqual(
    rows.map((row) => row.error?.code ?? 'made'),
    ['insufficient_stock', 'made', 'variant_not_found', 'invalid_parameters', 'made'],
  );
  assert.equal(rows[3]!.error!.issues![0]!.path, '/warehouseLocationId');
  assert.equal(rows[4]!.data!.quantity, 7);
  const level = await levelOf(request, place.warehouseId, variant);
  assert.equal(level.onHandQuantity, 7);
});

test('400 of a body that breaks its schema names every wrong field, atomic or not', async () => {
  const answer = await request('POST', '/inventory/bulk', {
    atomic: false,
    changes: [change('x', 1), { ...change('x', 1), changeQuantity: '1' }, { ...change('x', 1), quantity: 1 }],
  });
  assert.deepEqual(
    answer.body.error.details.issues.map((issue: { path: string }) => issue.path),
    ['/changes/1/changeQuantity', '/changes/2/quantity'],
  );
  assert.equal((await request('POST', '/inventory/bulk', { changes: [] })).status, 400);
  const tooMany = Array.from({ length: limits.bulkInventoryMax + 1 }, () => change('x', 1));
  assert.equal((await request('POST', '/inventory/bulk', { changes: tooMany })).status, 400);
});

test('the number of statements is the same for 2 changes and for 100', async () => {
  const product = await makeProduct(
    request,
    {},
    Array.from({ length: 50 }, () => ({})),
  );
  const ids: string[] = product.variants.map((variant: { id: string }) => variant.id);
  const bulk = (of: string[]) =>
    app.statements(() =>
      request('POST', '/inventory/bulk', { changes: of.flatMap((id) => [change(id, 2), change(id, -1)]) }),
    );
  await bulk(ids);
  assert.equal((await bulk(ids.slice(0, 1))).length, (await bulk(ids)).length);
});

test('concurrent batches over the same variants in opposite order are all made', async () => {
  const product = await makeProduct(request, {}, [{}, {}, {}, {}]);
  const changes = product.variants.map((variant: { id: string }) => change(variant.id, 1));
  const batches = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? changes : changes.toReversed()));
  const answers = await Promise.all(
    batches.map((batch) => request('POST', '/inventory/bulk', { changes: batch })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  for (const variant of product.variants) {
    assert.equal((await levelOf(request, place.warehouseId, variant)).onHandQuantity, 10);
  }
});

test('10,000 changes fit into one request, with an event for each level', async () => {
  const variants = limits.eventsAtOnce + 1;
  const product = await makeProduct(
    request,
    {},
    Array.from({ length: variants }, () => ({})),
  );
  const changes = Array.from({ length: limits.bulkInventoryMax }, (_, n) =>
    change(product.variants[n % variants].sku, 1, { reason: 'import' }),
  );
  const answer = await request('POST', '/inventory/bulk', { changes });
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  assert.equal(answer.body.data.length, limits.bulkInventoryMax);
  const ids = product.variants.map(({ id }: { id: string }) => id);
  const events = await app.database.query<{ id: string; movements: number; onHand: number }>(sql`
    select e.data -> 'object' ->> 'productVariantId' as id,
      json_array_length(e.data -> 'object' -> 'movements') as movements,
      (e.data -> 'object' ->> 'onHandQuantity')::int as "onHand"
    from events e
    where e.organization_id = ${app.organizationId} and e.data -> 'object' ->> 'productVariantId' = any(${ids})`);
  assert.deepEqual(events.map(({ id }) => id).toSorted(), ids.toSorted());
  const sum = (figures: number[]) => figures.reduce((one, other) => one + other, 0);
  assert.equal(sum(events.map(({ movements }) => movements)), limits.bulkInventoryMax);
  assert.equal(sum(events.map(({ onHand }) => onHand)), limits.bulkInventoryMax);
});
