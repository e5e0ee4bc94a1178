// The tables: what is read of the sample, and that a table which is none of these is refused by name.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { explain } from './explained.ts';
import { readWorks } from './read-works.ts';

const sample = join(import.meta.dirname, 'sample');

/** A copy of the sample in which one table is another. */
async function changed(table: string, change: (text: string) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'adventureworks-'));
  try {
    await cp(sample, folder, { recursive: true });
    const file = join(folder, `${table}.csv`);
    await writeFile(file, change(await readFile(file, 'utf8')));
    return await readWorks(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the sample: every row of every table, codes without their padding, decimals as they are written', async () => {
  const works = await readWorks(sample);
  const { vendors, products, bins, offers, orders } = works;
  assert.deepEqual(
    [vendors.length, products.length, bins.length, offers.length, orders.length],
    [71, 196, 485, 310, 130],
  );
  assert.equal(orders.flatMap(({ lines }) => lines).length, 405);
  const [order] = orders;
  assert.deepEqual([order!.id, order!.status, order!.total.toFixed()], ['1', 'complete', '222.1492']);
  assert.deepEqual(order!.lines[0]!.unitPrice, '50.2600');
  assert.deepEqual(new Set(products.map(({ weightUnit }) => weightUnit)), new Set([null, 'g']));
});

test('the sample has every kind of what the service says otherwise; over-receipts are in none of the data', async () => {
  const none = explain(await readWorks(sample)).filter(({ count }) => count === '0');
  assert.deepEqual(
    none.map(({ what }) => what.split(':')[0]),
    ['lines of which more came than was ordered'],
  );
});

test('an order of which more came than was ordered is read as it is', async () => {
  const works = await changed('PurchaseOrderDetail', (text) =>
    text.replace('\t3.00\t.00\t3.00\t', '\t9.00\t.00\t9.00\t'),
  );
  const over = works.orders
    .flatMap(({ lines }) => lines)
    .filter(({ received, ordered }) => received > ordered);
  assert.deepEqual(
    over.map(({ received }) => received),
    [9],
  );
});

test('another content is another digest', async () => {
  const works = await readWorks(sample);
  const other = await changed('Vendor', (text) => text.replace('Litware', 'Heavyware'));
  assert.notEqual(other.digest, works.digest);
});

test('what is wrong is named: columns, rows that are not there, units, dates, files', async () => {
  const first = (from: string, to: string) => (text: string) => text.replace(from, to);
  const detail = 'PurchaseOrderDetail';
  await assert.rejects(changed('Vendor', first('\t', ' ')), /Vendor\.csv, line 1: 7 values where 8/);
  await assert.rejects(
    changed('Product', () => ''),
    /name a product \d+ that they do not list/,
  );
  await assert.rejects(changed(detail, first('\t3.00\t', '\t3.50\t')), /3\.50 is no number of units/);
  await assert.rejects(changed(detail, first('\t3.00\t', '\t-3.00\t')), /-3\.00 is no number of units/);
  await assert.rejects(changed(detail, first('2022-04-29 ', '29.4.2022 ')), /is no date/);
  await assert.rejects(readWorks(join(sample, 'absent')), /ENOENT.*Vendor\.csv/);
});
