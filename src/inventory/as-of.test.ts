// Levels of the past: whatever happened, they are what they were.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeBundle,
  makeLocation,
  makeOrder,
  makePlace,
  makeVariant,
  makeWarehouse,
  type Place,
} from '../../test/support/factories.ts';

let app: TestApp;
let request: Request;
before(async () => {
  app = await startTestApp();
  request = app.request;
});
after(() => app.close());

const figures = [
  'id',
  'availableQuantity',
  'onHandQuantity',
  'committedQuantity',
  'reservedQuantity',
  'incomingQuantity',
  'damagedQuantity',
  'qualityControlQuantity',
  'safetyStockQuantity',
  'createdAt',
];

async function levels(warehouseId: string, query = ''): Promise<unknown[]> {
  const answer = await request('GET', `/inventory/levels?limit=100&warehouseId=${warehouseId}${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((level: Record<string, unknown>) => figures.map((figure) => level[figure]));
}

/** What a random history happens to. */
interface Stage {
  warehouseId: string;
  locationIds: string[];
  variantIds: string[];
  /** The last of them is a bundle of the others. */
  sellableIds: string[];
  orderIds: string[];
}

async function makeStage(): Promise<Stage> {
  const { id } = await makeWarehouse(request);
  const locations = await Promise.all(
    ['bin', 'shelf', 'staging', 'quality-control'].map((type) => makeLocation(request, id, { type })),
  );
  const one = await makeVariant(request);
  const two = await makeVariant(request, { inventoryPolicy: 'continue' });
  const bundle = await makeBundle(request, { [one.id]: 2, [two.id]: 1 });
  const variantIds = [one.id, two.id];
  for (const variantId of variantIds) {
    await addStock(request, { warehouseId: id, warehouseLocationId: locations[0].id }, variantId, 20);
  }
  return {
    warehouseId: id,
    locationIds: locations.map((location) => location.id),
    variantIds,
    sellableIds: [...variantIds, bundle.id],
    orderIds: [],
  };
}

type Step = [kind: string, a: number, b: number, quantity: number];
const kinds = ['add', 'add', 'remove', 'move', 'lot', 'keep', 'kind', 'order', 'order', 'cancel', 'fulfil'];
const anyStep: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...kinds),
  fc.nat({ max: 3 }),
  fc.nat({ max: 3 }),
  fc.integer({ min: 1, max: 12 }),
);

/** Does one thing; whether it was refused is of no interest. */
async function take(stage: Stage, [kind, a, b, quantity]: Step): Promise<void> {
  const { warehouseId, locationIds, variantIds, sellableIds, orderIds } = stage;
  const pick = <T>(list: T[], n: number) => list[n % list.length]!;
  const change = (changeQuantity: number, more: object = {}) =>
    request('POST', '/inventory', {
      productVariantIdentifier: pick(variantIds, a),
      warehouseId,
      warehouseLocationId: pick(locationIds, b),
      changeQuantity,
      ...more,
    });
  switch (kind) {
    case 'add':
      return void (await change(quantity));
    case 'remove':
      return void (await change(-quantity));
    case 'move':
      return void (await change(quantity, { moveToWarehouseLocationId: pick(locationIds, a + b + 1) }));
    case 'lot':
      return void (await change(quantity, {
        lotNumber: `L${b}`,
        expirationDate: b % 2 === 0 ? '2020-01-01T00:00:00Z' : '2099-01-01T00:00:00Z',
      }));
    case 'keep':
      return void (await request('POST', '/inventory/levels', {
        productVariantIdentifier: pick(variantIds, a),
        warehouseId,
        safetyStockQuantity: quantity % 4,
      }));
    case 'kind':
      return void (await request('POST', `/warehouses/${warehouseId}/locations/${pick(locationIds, b)}`, {
        type: pick(['bin', 'damaged', 'staging', 'quality-control'], a),
      }));
    case 'order':
      return void orderIds.push(
        (await makeOrder(request, { warehouseId }, [[pick(sellableIds, a), Math.ceil(quantity / 3)]])).id,
      );
    case 'cancel':
      return void (orderIds.length > 0 && (await request('POST', `/orders/${pick(orderIds, a)}/cancel`)));
    default:
      return void (
        orderIds.length > 0 && (await request('POST', `/orders/${pick(orderIds, b)}/fulfillments`, {}))
      );
  }
}

test('after any history, every past level is what it was, and all balances verify', async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 25, maxLength: 30 }), async (steps) => {
    const stage = await makeStage();
    const seen: { step: Step; at: string; levels: unknown[] }[] = [];
    for (const step of steps) {
      await take(stage, step);
      await sleep(2);
      seen.push({ step, at: new Date().toISOString(), levels: await levels(stage.warehouseId) });
      await sleep(2);
    }
    for (const { step, at, levels: then } of seen) {
      assert.deepEqual(await levels(stage.warehouseId, `&asOf=${at}`), then, `${at} after ${step}`);
    }
    const { body } = await request('GET', '/inventory/verify');
    assert.deepEqual(body.data.differences, []);
  });
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
});

test('a lot counts as reserved from the moment it expired, whether or not that was noticed', async () => {
  const place: Place = await makePlace(request);
  const variant = await makeVariant(request);
  const expires = Date.now() + 400;
  await addStock(request, place, variant.id, 8, {
    lotNumber: 'L1',
    expirationDate: new Date(expires).toISOString(),
  });
  const at = async (time: number) => {
    const query = `warehouseId=${place.warehouseId}&asOf=${new Date(time).toISOString()}`;
    const [level] = (await request('GET', `/inventory/levels?${query}`)).body.data;
    return [level.availableQuantity, level.reservedQuantity, level.onHandQuantity];
  };
  assert.deepEqual(await at(expires - 1), [8, 0, 8]);
  assert.deepEqual(await at(expires), [0, 8, 8]);
  await sleep(expires - Date.now() + 5);
  await addStock(request, place, variant.id, 1);
  assert.deepEqual(await at(Date.now()), [1, 8, 9]);
  assert.deepEqual(await at(expires - 1), [8, 0, 8]);
});

test('past levels sort by their past figures', async () => {
  const { warehouseId, warehouseLocationId } = await makePlace(request);
  const [few, many] = [await makeVariant(request), await makeVariant(request)];
  const place = { warehouseId, warehouseLocationId };
  await addStock(request, place, few.id, 1);
  await addStock(request, place, many.id, 9);
  await sleep(3);
  const then = new Date().toISOString();
  await sleep(3);
  await addStock(request, place, few.id, 50);
  const order = async (query: string) => {
    const path = `/inventory/levels?warehouseId=${warehouseId}&sortBy=onHandQuantity&sortOrder=desc${query}`;
    const { body } = await request('GET', path);
    return body.data.map((level: { productVariant: { id: string } }) => level.productVariant.id);
  };
  assert.deepEqual(await order(''), [few.id, many.id]);
  assert.deepEqual(await order(`&asOf=${then}`), [many.id, few.id]);
});
