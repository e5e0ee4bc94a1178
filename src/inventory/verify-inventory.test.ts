// GET /inventory/verify: every balance recomputed.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Request, startTestApp, type TestApp, type TestOrganization } from '../../test/support/app.ts';
import {
  addStock,
  make,
  makeBundle,
  makeLocation,
  makeOrder,
  makePlace,
  makeVariant,
  type Place,
} from '../../test/support/factories.ts';
import { type Sql, sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { verifyInventory } from './verify-inventory.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

let organization: TestOrganization;
let request: Request;
let place: Place;
let variant: { id: string };
let bundle: { id: string };

/** An organisation with stock in several classes, lots, orders of a variant and of a bundle, and a setting. */
beforeEach(async () => {
  organization = await app.makeOrganization();
  request = organization.request;
  place = await makePlace(request);
  variant = await makeVariant(request);
  const other = await makeVariant(request);
  bundle = await makeBundle(request, { [variant.id]: 2, [other.id]: 1 });
  await addStock(request, place, variant.id, 30);
  await addStock(request, place, variant.id, 5, { lotNumber: 'L1', expirationDate: '2020-01-01T00:00:00Z' });
  await addStock(request, place, other.id, 10);
  const damaged = await makeLocation(request, place.warehouseId, { type: 'damaged' });
  await addStock(request, place, variant.id, 3, { moveToWarehouseLocationId: damaged.id });
  await makeOrder(request, {}, [[variant.id, 4]]);
  await makeOrder(request, {}, [[bundle.id, 3]]);
  await make(request, '/inventory/levels', {
    productVariantIdentifier: variant.id,
    warehouseId: place.warehouseId,
    safetyStockQuantity: 2,
  });
});

interface Difference {
  kind: string;
  basis: string;
  productVariantId: string;
  warehouseId: string | null;
  warehouseLocationId: string | null;
  lotNumber: string | null;
  orderLineItemId: string | null;
  expected: number;
  actual: number;
}

async function verification() {
  const answer = await request('GET', '/inventory/verify');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.object, 'inventory-verification');
  return answer.body.data as {
    consistent: boolean;
    checkedLevels: number;
    checkedLocations: number;
    differenceCount: number;
    differences: Difference[];
  };
}

/** What a verification finds once a statement has changed what is stored behind the service's back. */
async function differencesAfter(corruption: Sql<unknown>): Promise<Difference[]> {
  await app.database.query(corruption);
  const { consistent, differenceCount, differences } = await verification();
  assert.equal(consistent, false);
  assert.equal(differenceCount, differences.length);
  return differences;
}

const found = (differences: Difference[]) =>
  differences
    .map(({ kind, basis, expected, actual }) => `${kind} by ${basis}: ${expected}, not ${actual}`)
    .sort();

test('200 consistent, with what was looked at, where all is well', async () => {
  const { consistent, differenceCount, differences, checkedLevels, checkedLocations } = await verification();
  assert.deepEqual(
    { consistent, differenceCount, differences },
    { consistent: true, differenceCount: 0, differences: [] },
  );
  assert.equal(checkedLevels, 2);
  assert.equal(checkedLocations, 4);
  const empty = await verifyInventory(app.database, newId());
  assert.deepEqual([empty.consistent, empty.checkedLevels], [true, 0]);
});

test('finds a location record that the ledger does not explain, and the level that no longer sums it up', async () => {
  const differences = await differencesAfter(sql`
    update inventory_locations set quantity = quantity + 1
    where organization_id = ${organization.id} and product_variant_id = ${variant.id} and lot_number = 'L1'
      and warehouse_location_id = ${place.warehouseLocationId}`);
  assert.deepEqual(found(differences), [
    'onHandQuantity by locations: 36, not 35',
    'quantity by ledger: 2, not 3',
    'reservedQuantity by locations: 3, not 2',
  ]);
  const record = differences.find(({ kind }) => kind === 'quantity')!;
  assert.equal(record.lotNumber, 'L1');
  assert.equal(record.warehouseLocationId, place.warehouseLocationId);
  assert.equal(record.productVariantId, variant.id);
});

test('finds a movement that no location record shows', async () => {
  const differences = await differencesAfter(sql`
    insert into inventory_movements (organization_id, id, warehouse_id, product_variant_id,
      to_warehouse_location_id, quantity, lot_number, reason, created_at)
    values (${organization.id}, ${newId()}, ${place.warehouseId}, ${variant.id}, ${place.warehouseLocationId}, 7,
      'L9', 'forged', ${new Date()})`);
  assert.deepEqual(found(differences), ['quantity by ledger: 7, not 0']);
});

test('finds a level whose classes are mixed up, and one that is missing', async () => {
  const mixed = await differencesAfter(sql`
    update inventory_levels set pickable_quantity = pickable_quantity + 3, damaged_quantity = 0
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.deepEqual(found(mixed), [
    'damagedQuantity by locations: 3, not 0',
    'pickableQuantity by locations: 30, not 33',
  ]);
  const missing = await differencesAfter(sql`
    delete from inventory_levels
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.ok(found(missing).includes('onHandQuantity by locations: 35, not 0'));
  assert.ok(found(missing).includes('committedQuantity by allocations: 10, not 0'));
});

test('finds a location whose type was changed without its units', async () => {
  const differences = await differencesAfter(sql`
    update warehouse_locations set type = 'quality-control'
    where organization_id = ${organization.id} and type = 'damaged' and name <> 'DAMAGED'`);
  assert.deepEqual(found(differences), [
    'damagedQuantity by locations: 0, not 3',
    'qualityControlQuantity by locations: 3, not 0',
  ]);
});

test('finds committed units that no order holds, by both accounts', async () => {
  const differences = await differencesAfter(sql`
    update inventory_levels set committed_quantity = committed_quantity + 1
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.deepEqual(found(differences), [
    'committedQuantity by allocation-history: 10, not 11',
    'committedQuantity by allocations: 10, not 11',
  ]);
});

test('finds an allocation of a bundle that neither level, line nor history knows', async () => {
  const differences = await differencesAfter(sql`
    update order_allocations a set quantity = a.quantity + 1
    from order_line_items l
    where a.organization_id = ${organization.id} and l.organization_id = ${organization.id}
      and l.id = a.order_line_item_id and l.product_variant_id = ${bundle.id}`);
  assert.deepEqual(found(differences), [
    'committedQuantity by allocations: 12, not 10',
    'committedQuantity by allocations: 4, not 3',
    'quantityAllocated by allocations: 4, not 3',
  ]);
});

test('finds a history of allocations that does not add up', async () => {
  const differences = await differencesAfter(sql`
    update order_allocation_changes set quantity = quantity + 5
    where organization_id = ${organization.id} and product_variant_id = ${variant.id} and quantity = 4`);
  assert.deepEqual(found(differences), ['committedQuantity by allocation-history: 15, not 10']);
});

test('finds a line that says it holds what it does not', async () => {
  const differences = await differencesAfter(sql`
    update order_line_items set quantity_allocated = 1
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.deepEqual(found(differences), ['quantityAllocated by allocations: 4, not 1']);
  assert.ok(differences[0]!.orderLineItemId);
});

test('finds safety stock that nobody set, and incoming units that nobody ordered', async () => {
  const differences = await differencesAfter(sql`
    update inventory_levels set safety_stock_quantity = 9, incoming_quantity = 6
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.deepEqual(found(differences), [
    'incomingQuantity by incoming-history: 0, not 6',
    'incomingQuantity by purchase-orders: 0, not 6',
    'safetyStockQuantity by settings: 2, not 9',
  ]);
});

test('finds a lot whose expiry nobody would notice', async () => {
  const expirationDate = '2099-01-01T00:00:00Z';
  await addStock(request, place, variant.id, 2, { lotNumber: 'L2', expirationDate });
  assert.equal((await verification()).consistent, true);
  const differences = await differencesAfter(sql`
    update inventory_levels set next_expiration_date = null
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  assert.deepEqual(found(differences), ['overlookedExpiries by locations: 0, not 1']);
});

test('verifies every organisation where none is named, and says whose each difference is', async () => {
  await app.database.query(sql`
    update inventory_levels set committed_quantity = committed_quantity + 1
    where organization_id = ${organization.id} and product_variant_id = ${variant.id}`);
  const { differences } = await verifyInventory(app.database);
  assert.equal(differences.filter(({ organizationId }) => organizationId === organization.id).length, 2);
  const elsewhere = await app.makeOrganization();
  const own = await elsewhere.request('GET', '/inventory/verify');
  assert.equal(own.body.data.consistent, true);
});

test('sees no difference while stock changes beneath it', async () => {
  let running = true;
  const writing = Promise.all(
    [1, 2, 3].map(async (units) => {
      while (running) {
        await addStock(request, place, variant.id, units);
        await addStock(request, place, variant.id, -units);
        await makeOrder(request, {}, [[variant.id, 1]]);
      }
    }),
  );
  try {
    for (let n = 0; n < 15; n += 1) assert.deepEqual((await verification()).differences, []);
  } finally {
    running = false;
    await writing;
  }
});

test('the number of statements does not depend on how much there is', async () => {
  const count = async () => (await app.statements(verification)).length;
  const before = await count();
  for (let n = 0; n < 5; n += 1) await addStock(request, await makePlace(request), variant.id, 1);
  assert.equal(await count(), before);
});
