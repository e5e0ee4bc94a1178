// Runs the worked example of docs/inventory.md against the service, row by row.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { startTestApp } from '../support/app.ts';
import {
  addStock,
  levelOf,
  make,
  makeLocation,
  makeOrder,
  makeVariant,
  makeWarehouse,
} from '../support/factories.ts';

it('the numbers in docs/inventory.md are what the service shows', async () => {
  const text = await readFile(new URL('../../docs/inventory.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| What happens'), text.indexOf('Two lines deserve'));
  const expected = table
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(2, 8).map(Number));

  const { request, close } = await startTestApp();
  const variant = await makeVariant(request);
  const warehouse = await makeWarehouse(request);
  const bin = await makeLocation(request, warehouse.id, { name: 'A-01' });
  const staging = await makeLocation(request, warehouse.id, { type: 'staging' });
  const locations = (await request('GET', `/warehouses/${warehouse.id}/locations`)).body.data;
  const named = (name: string) => locations.find((one: { name: string }) => one.name === name).id;
  const at = (warehouseLocationId: string) => ({ warehouseId: warehouse.id, warehouseLocationId });
  const orders: { id: string }[] = [];
  const order = async (units: number) => {
    orders.push(
      await makeOrder(request, { orderDate: `2026-01-0${orders.length + 1}T00:00:00Z` }, [
        [variant.id, units],
      ]),
    );
  };
  const move = (units: number, to: string) =>
    addStock(request, at(bin.id), variant.id, units, { moveToWarehouseLocationId: to });
  const steps: (() => Promise<unknown>)[] = [
    () => addStock(request, at(bin.id), variant.id, 10),
    () =>
      make(request, '/inventory/levels', {
        productVariantIdentifier: variant.id,
        warehouseId: warehouse.id,
        safetyStockQuantity: 1,
      }),
    () => order(4),
    () => order(7),
    () => addStock(request, at(named('RECEIVING')), variant.id, 3),
    () => move(1, named('DAMAGED')),
    () => move(2, staging.id),
    () => make(request, `/orders/${orders[0]!.id}/fulfillments`),
    () => make(request, `/orders/${orders[1]!.id}/cancel`),
  ];
  const seen = [];
  for (const step of steps) {
    await step();
    const level = await levelOf(request, warehouse.id, variant);
    seen.push([
      level.onHandQuantity,
      level.reservedQuantity,
      level.damagedQuantity,
      level.committedQuantity,
      level.safetyStockQuantity,
      level.availableQuantity,
    ]);
  }
  assert.deepEqual(seen, expected);
  await close();
});
