// How many levels there are: exact, and nobody waits for whoever else makes some.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeProduct, makeWarehouse, unique } from '../../test/support/factories.ts';
import { connect } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import { Levels, lockOrMakeLevels, makeLevels } from './levels.ts';

/** More than there are slots, so that some share one. */
const writers = limits.totalSlots + 4;

const app = await startTestApp();
const { request, organizationId } = app;
const database = connect(app.databaseUrl, { max: writers });
after(async () => {
  await database.close();
  await app.close();
});
const { id: warehouseId } = await makeWarehouse(request);
const skus = Array.from({ length: writers }, () => ({ title: 'One', sku: unique('LEVEL-') }));
const { variants } = await makeProduct(request, {}, skus);

test('transactions that make levels in one warehouse wait for none of the others, and all are counted', async () => {
  const made = Promise.withResolvers<void>();
  let begun = 0;
  const commits = variants.map(({ id: productVariantId }: { id: string }) =>
    database.transaction(async (transaction) => {
      const write = { transaction, scope: { organizationId }, now: new Date() } as Write;
      await lockOrMakeLevels(write, new Levels(), [{ productVariantId, warehouseId }]);
      begun += 1;
      if (begun === writers) made.resolve();
      // Nobody commits before everybody has made a level and holds it.
      await made.promise;
    }),
  );
  await Promise.all(commits);
  const { body } = await request('GET', `/inventory/levels?warehouseId=${warehouseId}&limit=100`);
  assert.deepEqual([body.totalCount, body.data.length], [writers, writers]);
});

test('levels that are there already are not counted again, nor are those of a transaction that fails', async () => {
  const pair = { productVariantId: variants[0].id, warehouseId };
  const { id: other } = await makeWarehouse(request);
  const failing = database.transaction(async (transaction) => {
    const write = { transaction, scope: { organizationId }, now: new Date() } as Write;
    await makeLevels(write, [pair, { ...pair, warehouseId: other }]);
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  await database.transaction((transaction) =>
    makeLevels({ transaction, scope: { organizationId }, now: new Date() } as Write, [pair]),
  );
  const { body } = await request('GET', '/inventory/levels?limit=1');
  assert.equal(body.totalCount, writers);
});
