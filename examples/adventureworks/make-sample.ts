// Makes the sample from the whole tables: orders chosen by rule, with the vendors, products and bins that they are about.
// node examples/adventureworks/make-sample.ts <folder> examples/adventureworks/sample
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { totalsOf } from '../../src/purchase-orders/totals.ts';
import { endingOf, taxRateOf } from './expected.ts';
import { type Order, readWorks, type Works } from './read-works.ts';
import { splitTable, type TableName, tableNames } from './tables.ts';

const eachTrait = 4;
const ordersMax = 130;

function traitsOf(order: Order): string[] {
  const skus = order.lines.map(({ sku }) => sku);
  const some = (name: string, test: (line: Order['lines'][number]) => boolean) =>
    order.lines.some(test) ? [name] : [];
  return [
    `${order.status} ${endingOf(order)}`,
    ...some('rejected', ({ rejected }) => rejected > 0),
    ...some(`rejected ${order.status}`, ({ rejected }) => rejected > 0),
    ...some('short and rejected', (line) => line.rejected > 0 && line.received < line.ordered),
    ...some('all rejected', (line) => line.rejected === line.received),
    ...(new Set(order.lines.map(({ dueDay }) => dueDay)).size > 1 ? ['several days'] : []),
    ...(new Set(skus).size < skus.length ? ['a product twice'] : []),
    ...(order.lines.length > 12 ? ['many lines'] : []),
    ...(taxedByLine(order) ? ['tax of lines rounds otherwise'] : []),
  ];
}

/** Rounded line by line, the tax would be another than the file's. */
function taxedByLine(order: Order): boolean {
  const taxRate = String(taxRateOf(order));
  const lines = order.lines.map(({ ordered, unitPrice }) => ({
    requestedQuantity: ordered,
    unitPrice,
    taxRate,
  }));
  const alone = lines.reduce((sum, line) => sum + Number(totalsOf([line]).totalTax), 0);
  return alone.toFixed(4) !== order.tax.toFixed(4);
}

function choose(orders: readonly Order[]): Set<string> {
  const chosen = new Set<string>();
  const have = new Map<string, number>();
  for (const order of orders) {
    const traits = traitsOf(order);
    if (!traits.some((trait) => (have.get(trait) ?? 0) < eachTrait)) continue;
    chosen.add(order.id);
    for (const trait of traits) have.set(trait, (have.get(trait) ?? 0) + 1);
  }
  // The others from all over the file, evenly spread: 1009 is a prime.
  for (let step = 0; chosen.size < ordersMax && step < orders.length; step += 1) {
    const order = orders[(step * 1_009) % orders.length]!;
    if (order.lines.length < 8) chosen.add(order.id);
  }
  return chosen;
}

/** Whether a row of a table is about what was chosen; its cells are as in the file. */
function filters(works: Works): Partial<Record<TableName, (cells: string[]) => boolean>> {
  const ids = choose(works.orders);
  const orders = works.orders.filter(({ id }) => ids.has(id));
  const vendors = new Set([
    ...orders.map(({ vendorId }) => vendorId),
    ...works.vendors.filter(({ active }) => !active).map(({ id }) => id),
  ]);
  const skus = new Set([
    ...orders.flatMap(({ lines }) => lines.map(({ sku }) => sku)),
    ...works.bins.filter(({ quantity }) => quantity === 0).map(({ sku }) => sku),
  ]);
  const products = new Set(works.products.filter(({ sku }) => skus.has(sku)).map(({ id }) => id));
  return {
    Vendor: ([id]) => vendors.has(id!),
    Product: ([id]) => products.has(id!),
    ProductInventory: ([productId]) => products.has(productId!),
    ProductVendor: ([productId, vendorId]) => products.has(productId!) && vendors.has(vendorId!),
    PurchaseOrderHeader: ([id]) => ids.has(id!),
    PurchaseOrderDetail: ([orderId]) => ids.has(orderId!),
  };
}

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error('name two folders: make-sample.ts <from> <to>');
const keep = filters(await readWorks(from));
await mkdir(to, { recursive: true });
await copyFile(join(from, 'license.txt'), join(to, 'license.txt'));
for (const name of tableNames) {
  const text = await readFile(join(from, `${name}.csv`), 'utf8');
  const lines = text.trimEnd().split(/\r?\n/);
  const kept = lines.filter((line) => keep[name]?.(splitTable(line)[0] ?? []) ?? true);
  await writeFile(join(to, `${name}.csv`), `${kept.join('\n')}\n`);
}
