// What the reader promises: every line is somewhere, every kind of dirt is counted, the sums are those of the lines.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { expectedStock, openingStock } from './expected.ts';
import { DIRT_TEXT, type DirtKind, type Retail, readInvoices } from './read-invoices.ts';
import { COLUMNS } from './read-lines.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'online-retail-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function read(...rows: string[]): Promise<Retail> {
  const file = join(folder, 'some.csv');
  await writeFile(file, [COLUMNS.join(','), ...rows].join('\r\n'));
  return readInvoices(file);
}

/** The kinds counted, without the zeros. */
function counted(retail: Retail): Partial<Record<DirtKind, number>> {
  return Object.fromEntries(Object.entries(retail.dirt).filter(([, count]) => count > 0));
}

const clean = '536365,71053,WHITE METAL LANTERN,6,2010-12-01 08:26:00,3.39,17850,United Kingdom';

test('a clean line is one order of one line, and nothing is counted as dirt', async () => {
  const retail = await read(clean);
  assert.deepEqual(counted(retail), {});
  assert.deepEqual(retail.invoices, [
    {
      number: '536365',
      date: '2010-12-01T08:26:00.000Z',
      customer: '17850',
      country: 'United Kingdom',
      sales: [{ sku: '71053', quantity: 6, price: '3.39' }],
      returns: [],
      writeOffs: [],
    },
  ]);
  assert.deepEqual(retail.catalogue, [
    { sku: '71053', name: 'WHITE METAL LANTERN', price: '3.39', goods: true },
  ]);
  assert.equal(retail.sums.revenue.toFixed(), '20.34');
});

const dirty: [title: string, rows: string[], Partial<Record<DirtKind, number>>][] = [
  ['no customer', ['1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,,France'], { missingCustomer: 1 }],
  [
    'a customer as a decimal',
    ['1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850.0,France'],
    { customerWritten: 1 },
  ],
  [
    'a customer in two countries, one of them none',
    [
      '1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France',
      '2,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,Unspecified',
    ],
    { customersInSeveralCountries: 1, countryUnknown: 1 },
  ],
  ['a price of zero', ['1,71053,LANTERN,6,2010-12-01 08:26:00,0.0,17850,France'], { zeroPrice: 1 }],
  ['five decimals', ['1,71053,LANTERN,6,2010-12-01 08:26:00,0.12345,17850,France'], { priceRounded: 1 }],
  [
    'less than nothing sold',
    ['1,71053,LANTERN,-6,2010-12-01 08:26:00,0,17850,France'],
    { negativeQuantity: 1 },
  ],
  [
    'a cancelled discount',
    ['C1,D,Discount,-1,2010-12-01 08:26:00,27.5,17850,France'],
    { cancelledWithoutStock: 1, notGoods: 1 },
  ],
  [
    'a cancellation that sells',
    ['C1,71053,LANTERN,6,2010-12-01 08:26:00,3,17850,France'],
    { positiveCancellation: 1 },
  ],
  [
    'one code in two spellings, under two descriptions',
    [
      '1,85123A,HEART,6,2010-12-01 08:26:00,2.55,17850,France',
      '1,85123a,HEART T-LIGHT,6,2010-12-01 08:26:00,2.55,17850,France',
    ],
    { codeInOtherCase: 1, codesInSeveralCases: 1, codesUnderSeveralDescriptions: 1, sameCodeAgain: 1 },
  ],
  [
    'no description at all',
    ['1,71053,,6,2010-12-01 08:26:00,3.39,17850,France'],
    { emptyDescription: 1, codesWithoutDescription: 1 },
  ],
  ['the same line twice', [clean, clean], { repeatedLine: 1, sameCodeAgain: 1 }],
  [
    'an invoice of two minutes, two customers, and in two places',
    [
      '1,71053,LANTERN,6,2010-12-01 08:27:00,3.39,17850,France',
      '2,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France',
      '1,22752,BOX,6,2010-12-01 08:26:00,3.39,17851,France',
    ],
    { invoicesAtSeveralTimes: 1, invoicesOfSeveralCustomers: 1, invoicesScattered: 1 },
  ],
  [
    'a quantity of zero',
    ['1,71053,LANTERN,0,2010-12-01 08:26:00,3.39,17850,France'],
    { refusedZeroQuantity: 1 },
  ],
  [
    'a price below zero',
    ['A1,B,Bad debt,1,2010-12-01 08:26:00,-11062.06,,France'],
    { refusedNegativePrice: 1 },
  ],
  [
    'what cannot be read',
    [
      '1,71053,LANTERN,six,2010-12-01 08:26:00,3.39,17850,France',
      '1,71053,LANTERN,1.5,2010-12-01 08:26:00,3.39,17850,France',
      '1,71053,LANTERN,6,2010-02-30 08:26:00,3.39,17850,France',
      '1,71053,LANTERN,6,yesterday,3.39,17850,France',
      '1,71053,LANTERN,6,2010-12-01 08:26:00,free,17850,France',
      ',71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France',
      '1,,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France',
      '1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850',
      '1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France,Paris',
    ],
    { refusedUnreadable: 9 },
  ],
];
for (const [title, rows, expected] of dirty) {
  test(`counted: ${title}`, async () => {
    const retail = await read(...rows);
    assert.deepEqual(counted(retail), expected);
    const everywhere = Object.values(retail.linesByKind).reduce((sum, count) => sum + count, 0);
    assert.equal(everywhere, rows.length, 'every line is in one of the kinds');
  });
}

test('every kind of dirt has a test above', () => {
  const tested = new Set(dirty.flatMap(([, , expected]) => Object.keys(expected)));
  assert.deepEqual(
    Object.keys(DIRT_TEXT).filter((kind) => !tested.has(kind)),
    [],
  );
});

test('sums: sales, returns, write-offs, refunds and refused money each in their own place', async () => {
  const retail = await read(
    '1,71053,LANTERN,6,2010-12-01 08:26:00,3.39,17850,France',
    '1,POST,POSTAGE,1,2010-12-01 08:26:00,18,17850,France',
    'C2,71053,LANTERN,-2,2010-12-02 08:26:00,3.39,17850,France',
    'C3,D,Discount,-1,2010-12-02 08:26:00,0.1,17850,France',
    '4,71053,damaged,-3,2010-12-03 08:26:00,0,,France',
    'A5,B,Bad debt,2,2010-12-03 08:26:00,-10.5,,France',
  );
  const { sums } = retail;
  assert.equal(sums.orders.size, 1);
  assert.equal(sums.orderLines, 2);
  assert.equal(sums.units, 7);
  assert.equal(sums.revenue.toFixed(), '38.34');
  assert.equal(sums.returnedUnits, 2);
  assert.equal(sums.writtenOffUnits, 3);
  assert.equal(sums.refunds.toFixed(), '6.88');
  assert.equal(retail.refusedAmount, '-21');
  assert.deepEqual(expectedStock(sums, openingStock(retail.invoices)).get('71053'), {
    onHand: 6,
    committed: 6,
    available: 0,
  });
});

test('opening stock is the largest running deficit, not the sum of sales', async () => {
  const retail = await read(
    'C1,71053,LANTERN,-5,2010-12-01 08:26:00,3.39,,France',
    '2,71053,LANTERN,7,2010-12-02 08:26:00,3.39,,France',
    'C3,71053,LANTERN,-4,2010-12-03 08:26:00,3.39,,France',
    '4,71053,LANTERN,3,2010-12-04 08:26:00,3.39,,France',
    'C5,22752,BOX,-3,2010-12-04 08:26:00,3.39,,France',
  );
  assert.deepEqual([...openingStock(retail.invoices)], [['71053', 2]]);
});

test('prices are decimals: a thousand times 0.1 is 100, and a half is rounded to even as the service does', async () => {
  const pennies = Array.from({ length: 1_000 }, (_, n) => `1,7${n},PENNY,1,2010-12-01 08:26:00,0.1,,France`);
  assert.equal((await read(...pennies)).sums.revenue.toFixed(), '100');
  const halves = ['0.00005', '0.00015', '0.00025'].map((price, n) => {
    return `1,7${n},HALF,1,2010-12-01 08:26:00,${price},,France`;
  });
  const { invoices } = await read(...halves);
  assert.deepEqual(
    invoices[0]?.sales.map((line) => line.price),
    ['0', '0.0002', '0.0002'],
  );
});

test('a gzipped file, other dates and other columns orders read the same', async () => {
  const plain = await read(clean);
  const zipped = join(folder, 'some.csv.gz');
  await writeFile(zipped, gzipSync([COLUMNS.join(','), clean].join('\r\n')));
  assert.deepEqual(await readInvoices(zipped), plain);

  const moved = join(folder, 'moved.csv');
  const columns = 'Country,InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID';
  await writeFile(
    moved,
    `${columns}\nUnited Kingdom,536365,71053,WHITE METAL LANTERN,6,12/1/2010 8:26,3.39,17850\n`,
  );
  assert.deepEqual((await readInvoices(moved)).invoices, plain.invoices);
});

test('a file that is not this kind of file is refused by name', async () => {
  const file = join(folder, 'other.csv');
  await writeFile(file, 'a,b\n1,2\n');
  await assert.rejects(readInvoices(file), /other\.csv must have the columns InvoiceNo, StockCode/);
  await writeFile(file, '');
  await assert.rejects(readInvoices(file), /other\.csv is empty/);
  await assert.rejects(readInvoices(join(folder, 'absent.csv.gz')), /ENOENT/);
});

test('the sample has every kind of dirt that the whole file has', async () => {
  const retail = await readInvoices(join(import.meta.dirname, 'sample.csv'));
  assert.equal(retail.lines, 2_000);
  const absent = Object.keys(DIRT_TEXT).filter((kind) => retail.dirt[kind as DirtKind] === 0);
  // The whole file has none of these.
  const absentEverywhere = [
    'priceRounded',
    'positiveCancellation',
    'invoicesOfSeveralCustomers',
    'refusedZeroQuantity',
    'refusedUnreadable',
  ];
  assert.deepEqual(absent, absentEverywhere);
});
