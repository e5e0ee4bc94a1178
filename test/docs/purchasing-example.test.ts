// Runs the worked example of docs/purchasing.md against the service, row by row.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { levelOf, make, makeOrder } from '../support/factories.ts';
import { purchasingOf } from '../support/purchasing.ts';

const service = await startTestApp();
after(service.close);
const { request, ordered, receive, get } = purchasingOf(() => service);

it('the numbers in docs/purchasing.md are what the service shows', async () => {
  const text = await readFile(new URL('../../docs/purchasing.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('| What happens'), text.indexOf('## What a receipt does'));
  const expected = table
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(2, 9))
    .map(([status, ...figures]) => [status!.trim(), ...figures.map(Number)]);

  const { id, lines, warehouse, variant } = await ordered([10], []);
  await makeOrder(request, { warehouseId: warehouse.id }, [[variant.id, 4]]);
  const [line] = lines as [string];
  const act = (action: string) => make(request, `/purchase-orders/${id}/${action}`);
  const steps: (() => Promise<unknown>)[] = [
    () => act('open'),
    () => act('confirm'),
    () => receive(id, { [line]: { quantity: 6, damagedQuantity: 1, qualityControlQuantity: 1 } }),
    () => receive(id, { [line]: -2 }),
    () => receive(id, { [line]: 5 }),
    () => act('close'),
    () => receive(id, { [line]: 1 }, { allowOverReceipt: true }),
  ];
  const seen = [];
  for (const step of steps) {
    await step();
    const level = await levelOf(request, warehouse.id, variant);
    seen.push([
      (await get(id)).status,
      level?.onHandQuantity ?? 0,
      level?.damagedQuantity ?? 0,
      level?.qualityControlQuantity ?? 0,
      level?.committedQuantity ?? 0,
      level?.availableQuantity ?? 0,
      level?.incomingQuantity ?? 0,
    ]);
  }
  assert.deepEqual(seen, expected);
});
