// Reads the file row by row and says what each line means: a sale, a return, a write-off, a credit, or refused and why.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import Big from 'big.js';
import { parse } from 'csv-parse';

export type LineKind = 'sale' | 'return' | 'writeOff' | 'credit';
export type Refusal = 'unreadable' | 'zeroQuantity' | 'negativePrice';

export interface Line {
  kind: LineKind;
  invoice: string;
  /** The stock code in upper case: the file writes 85123A and 85123a for one thing. */
  sku: string;
  /** The stock code as the file has it. */
  code: string;
  description: string;
  /** Always positive; `kind` says which way the units go. */
  quantity: number;
  date: string;
  /** A decimal as text, at most four places. */
  price: string;
  /** The customer's number, or empty. */
  customer: string;
  country: string;
  /** What had to be mended to read it so. */
  mended: { price: boolean; customer: boolean };
}

export interface RefusedLine {
  kind: 'refused';
  why: Refusal;
  invoice: string;
  /** Price times quantity where both could be read. */
  amount: Big | null;
}

export const COLUMNS = [
  'InvoiceNo',
  'StockCode',
  'Description',
  'Quantity',
  'InvoiceDate',
  'UnitPrice',
  'CustomerID',
  'Country',
] as const;

// Postage, fees, discounts, samples and vouchers: sold on invoices, but nothing on a shelf.
const NOT_GOODS = new Set(['AMAZONFEE', 'B', 'BANK CHARGES', 'C2', 'CRUK', 'D', 'DOT', 'M', 'POST', 'S']);

export function isGoods(sku: string): boolean {
  return !NOT_GOODS.has(sku) && !sku.startsWith('GIFT_');
}

export function readLine(row: readonly string[]): Line | RefusedLine {
  const [
    invoice = '',
    code = '',
    description = '',
    quantityText = '',
    dateText = '',
    priceText = '',
    ...rest
  ] = row.map((value) => value.trim());
  const [customerText = '', country = ''] = rest;
  const refused = (why: Refusal, amount: Big | null = null): RefusedLine => ({
    kind: 'refused',
    why,
    invoice,
    amount,
  });

  const date = readDate(dateText);
  const price = readPrice(priceText);
  if (row.length !== COLUMNS.length || invoice === '' || code === '') return refused('unreadable');
  if (!/^-?\d{1,9}$/.test(quantityText) || date === null || price === null) return refused('unreadable');

  const signed = Number(quantityText);
  if (signed === 0) return refused('zeroQuantity');
  if (price.value.startsWith('-')) return refused('negativePrice', new Big(price.value).times(signed));

  const sku = code.toUpperCase();
  const customer = customerText.replace(/\.0+$/, '');
  return {
    kind: kindOf(invoice, sku, signed),
    invoice,
    sku,
    code,
    description,
    quantity: Math.abs(signed),
    date,
    price: price.value,
    customer,
    country,
    mended: { price: price.rounded, customer: customer !== customerText },
  };
}

function kindOf(invoice: string, sku: string, quantity: number): LineKind {
  if (quantity > 0) return 'sale';
  if (!isGoods(sku)) return 'credit';
  return /^c/i.test(invoice) ? 'return' : 'writeOff';
}

/** `2010-12-01 08:26:00` or, as in other copies of the data, `12/1/2010 8:26`. It names no zone: UTC is taken. */
function readDate(text: string): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d)$/.exec(text);
  const parts = iso
    ? [iso[1], iso[2], iso[3], iso[4], iso[5], iso[6] ?? '00']
    : american && [american[3], american[1], american[2], american[4], american[5], '00'];
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.map((part) => (part ?? '').padStart(2, '0'));
  const wanted = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(wanted);
  // 30 February parses as 2 March: what does not come back as it went in is no date.
  return !Number.isNaN(time) && new Date(time).toISOString() === wanted ? wanted : null;
}

const knownPrices = new Map<string, { value: string; rounded: boolean } | null>();

function readPrice(text: string): { value: string; rounded: boolean } | null {
  let price = knownPrices.get(text);
  if (price === undefined) {
    price = null;
    if (/^-?\d{1,12}(\.\d+)?$/.test(text)) {
      // The service keeps four decimals and rounds half to even; the sums must start from what it keeps.
      const exact = new Big(text);
      const kept = exact.round(4, Big.roundHalfEven);
      price = { value: kept.toFixed(), rounded: !kept.eq(exact) };
    }
    if (knownPrices.size < 100_000) knownPrices.set(text, price);
  }
  return price;
}

export interface LineReader {
  lines: AsyncGenerator<Line | RefusedLine>;
  /** A digest of the decompressed content, known once all lines are read. */
  digest(): string;
}

export function readLines(file: string): LineReader {
  const hash = createHash('sha256');
  return { lines: linesOf(file, hash), digest: () => hash.copy().digest('hex') };
}

async function* linesOf(
  file: string,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Line | RefusedLine> {
  const raw = createReadStream(file);
  const text = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  const rows = parse({ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  raw.on('error', (error: Error) => rows.destroy(error));
  text.on('error', (error: Error) => rows.destroy(error));
  text.on('data', (chunk: Buffer) => hash.update(chunk));
  text.pipe(rows);

  let places: number[] | null = null;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (places === null) {
      places = columnPlaces(row, file);
      continue;
    }
    yield readLine(row.length === places.length ? places.map((place) => row[place] ?? '') : row);
  }
  if (places === null) throw new Error(`${file} is empty`);
}

function columnPlaces(header: readonly string[], file: string): number[] {
  const places = COLUMNS.map((name) => header.indexOf(name));
  if (header.length !== COLUMNS.length || places.includes(-1)) {
    throw new Error(`${file} must have the columns ${COLUMNS.join(', ')}; it has ${header.join(', ')}`);
  }
  return places;
}
