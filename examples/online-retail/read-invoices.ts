// Gathers lines into invoices, stock codes and customers, and counts every kind of dirt on the way.
import { countryCode } from './countries.ts';
import { addLine, emptySums, type Sums } from './expected.ts';
import {
  isGoods,
  type Line,
  type LineKind,
  type LineReader,
  type Refusal,
  type RefusedLine,
  readLines,
} from './read-lines.ts';

export interface InvoiceLine {
  sku: string;
  quantity: number;
  price: string;
}

export interface Invoice {
  number: string;
  date: string;
  customer: string;
  country: string;
  sales: InvoiceLine[];
  returns: InvoiceLine[];
  writeOffs: InvoiceLine[];
}

export interface CatalogueItem {
  sku: string;
  name: string;
  price: string;
  goods: boolean;
}

/** Each key is one kind of dirt; `DIRT_TEXT` says what it is and what became of it. */
export const DIRT_TEXT = {
  missingCustomer: 'lines without a customer: the order has none',
  customerWritten: 'customer numbers written as decimals (17850.0): read as 17850',
  customersInSeveralCountries: 'customers in several countries: each order has its own',
  countryUnknown: 'lines of no single country (Unspecified, Channel Islands, ...): no address sent',
  zeroPrice: 'sale lines at a price of zero: sold at zero',
  priceRounded: 'prices of more than four decimals: rounded half to even, as the service does',
  negativeQuantity: 'negative quantities outside a cancellation: stock written off',
  cancelledWithoutStock:
    'cancelled or negative lines of fees, postage, discounts, vouchers: no stock to return',
  positiveCancellation: 'positive quantities on a cancellation: read as sales',
  notGoods: 'lines of fees, postage, discounts, vouchers: products without stock',
  codeInOtherCase: 'stock codes not in upper case: put into upper case',
  codesInSeveralCases: 'stock codes written in several ways: one product each',
  codesUnderSeveralDescriptions:
    'stock codes under several descriptions: the most frequent one names the product',
  codesWithoutDescription: 'stock codes that never have a description: named by the code',
  emptyDescription: 'lines without a description',
  repeatedLine: 'lines that repeat one of the same invoice exactly: kept',
  sameCodeAgain: 'lines whose code is on the same invoice already: kept as lines of their own',
  invoicesAtSeveralTimes: 'invoices whose lines differ in time: the earliest is the order date',
  invoicesOfSeveralCustomers: 'invoices of several customers: the first is taken',
  invoicesScattered: 'invoices whose lines do not stand together: gathered',
  refusedZeroQuantity: 'lines refused by rule: a quantity of zero',
  refusedNegativePrice: 'lines refused by rule: a price below zero',
  refusedUnreadable: 'lines refused by rule: quantity, date, price, invoice or code cannot be read',
} as const;
export type DirtKind = keyof typeof DIRT_TEXT;
export type Dirt = Record<DirtKind, number>;

export interface Retail {
  /** Says which content this is, so that a run of the same file can be taken up again. */
  digest: string;
  lines: number;
  /** Every line is in exactly one of these. */
  linesByKind: Record<LineKind | 'refused', number>;
  refusedAmount: string;
  dirt: Dirt;
  invoices: Invoice[];
  catalogue: CatalogueItem[];
  customers: { number: string; country: string }[];
  sums: Sums;
}

const REFUSED_AS: Record<Refusal, DirtKind> = {
  unreadable: 'refusedUnreadable',
  zeroQuantity: 'refusedZeroQuantity',
  negativePrice: 'refusedNegativePrice',
};

interface OpenInvoice extends Invoice {
  /** Per sku what else its lines say, to find repeats. */
  seen: Map<string, string[]>;
  times: Set<string>;
  customers: Set<string>;
  scattered: boolean;
}

interface OpenItem {
  sku: string;
  price: string;
  codes: Set<string>;
  descriptions: Map<string, number>;
}

interface Gathering {
  retail: Retail;
  open: Map<string, OpenInvoice>;
  items: Map<string, OpenItem>;
  customers: Map<string, Set<string>>;
  last: string;
}

export async function readInvoices(file: string): Promise<Retail> {
  return gather(readLines(file));
}

export async function gather(reader: LineReader): Promise<Retail> {
  const gathering = startGathering();
  const { retail } = gathering;
  for await (const line of reader.lines) {
    retail.lines += 1;
    retail.linesByKind[line.kind] += 1;
    if (line.kind === 'refused') countRefused(retail, line);
    else gatherLine(gathering, line);
  }
  retail.digest = reader.digest();
  return finish(gathering);
}

function startGathering(): Gathering {
  const dirt = Object.fromEntries(Object.keys(DIRT_TEXT).map((kind) => [kind, 0])) as Dirt;
  const retail: Retail = {
    digest: '',
    lines: 0,
    linesByKind: { sale: 0, return: 0, writeOff: 0, credit: 0, refused: 0 },
    refusedAmount: '0',
    dirt,
    invoices: [],
    catalogue: [],
    customers: [],
    sums: emptySums(),
  };
  return { retail, open: new Map(), items: new Map(), customers: new Map(), last: '' };
}

function countRefused(retail: Retail, line: RefusedLine): void {
  retail.dirt[REFUSED_AS[line.why]] += 1;
  if (line.amount) retail.refusedAmount = line.amount.plus(retail.refusedAmount).toFixed();
}

function gatherLine(gathering: Gathering, line: Line): void {
  addLine(gathering.retail.sums, line);
  countDirt(gathering.retail.dirt, line);
  // One string per sku, not one per line: the file is held in memory as invoices.
  line.sku = gatherItem(gathering.items, line).sku;
  if (line.customer !== '') {
    const countries = gathering.customers.get(line.customer) ?? new Set();
    gathering.customers.set(line.customer, countries.add(line.country));
  }
  gatherInvoice(gathering, line);
}

function countDirt(dirt: Dirt, line: Line): void {
  if (line.customer === '') dirt.missingCustomer += 1;
  if (line.mended.customer) dirt.customerWritten += 1;
  if (line.mended.price) dirt.priceRounded += 1;
  if (countryCode(line.country) === null) dirt.countryUnknown += 1;
  if (line.kind === 'sale' && line.price === '0') dirt.zeroPrice += 1;
  if (line.kind === 'sale' && /^c/i.test(line.invoice)) dirt.positiveCancellation += 1;
  if (line.kind === 'writeOff') dirt.negativeQuantity += 1;
  if (line.kind === 'credit') dirt.cancelledWithoutStock += 1;
  if (!isGoods(line.sku)) dirt.notGoods += 1;
  if (line.code !== line.sku) dirt.codeInOtherCase += 1;
  if (line.description === '') dirt.emptyDescription += 1;
}

function gatherItem(items: Map<string, OpenItem>, line: Line): OpenItem {
  let item = items.get(line.sku);
  if (!item) {
    item = { sku: line.sku, price: '0', codes: new Set(), descriptions: new Map() };
    items.set(line.sku, item);
  }
  if (item.price === '0') item.price = line.price;
  item.codes.add(line.code);
  item.descriptions.set(line.description, (item.descriptions.get(line.description) ?? 0) + 1);
  return item;
}

function gatherInvoice(gathering: Gathering, line: Line): void {
  const { open, retail } = gathering;
  let invoice = open.get(line.invoice);
  if (!invoice) {
    invoice = openInvoice(line);
    open.set(line.invoice, invoice);
    retail.invoices.push(invoice);
  } else if (gathering.last !== line.invoice) {
    invoice.scattered = true;
  }
  gathering.last = line.invoice;

  const rest = `${line.kind} ${line.quantity} ${line.price} ${line.date} ${line.description}`;
  const earlier = invoice.seen.get(line.sku);
  if (earlier) {
    retail.dirt.sameCodeAgain += 1;
    if (earlier.includes(rest)) retail.dirt.repeatedLine += 1;
    earlier.push(rest);
  } else {
    invoice.seen.set(line.sku, [rest]);
  }
  invoice.times.add(line.date);
  invoice.customers.add(line.customer);
  if (line.date < invoice.date) invoice.date = line.date;

  const kept: InvoiceLine = { sku: line.sku, quantity: line.quantity, price: line.price };
  if (line.kind === 'sale') invoice.sales.push(kept);
  else if (line.kind === 'return') invoice.returns.push(kept);
  else if (line.kind === 'writeOff') invoice.writeOffs.push(kept);
}

function openInvoice(line: Line): OpenInvoice {
  return {
    number: line.invoice,
    date: line.date,
    customer: line.customer,
    country: line.country,
    sales: [],
    returns: [],
    writeOffs: [],
    seen: new Map(),
    times: new Set(),
    customers: new Set(),
    scattered: false,
  };
}

function finish({ retail, open, items, customers }: Gathering): Retail {
  const { dirt } = retail;
  for (const invoice of open.values()) {
    if (invoice.times.size > 1) dirt.invoicesAtSeveralTimes += 1;
    if (invoice.customers.size > 1) dirt.invoicesOfSeveralCustomers += 1;
    if (invoice.scattered) dirt.invoicesScattered += 1;
  }
  retail.invoices = retail.invoices.map(({ number, date, customer, country, sales, returns, writeOffs }) => {
    return { number, date, customer, country, sales, returns, writeOffs };
  });
  for (const [sku, item] of items) {
    if (item.codes.size > 1) dirt.codesInSeveralCases += 1;
    const named = [...item.descriptions].filter(([text]) => text !== '');
    if (named.length > 1) dirt.codesUnderSeveralDescriptions += 1;
    if (named.length === 0) dirt.codesWithoutDescription += 1;
    const [name] = named.sort((a, b) => b[1] - a[1])[0] ?? [sku];
    retail.catalogue.push({ sku, name, price: item.price, goods: isGoods(sku) });
  }
  for (const [number, countries] of customers) {
    if (countries.size > 1) dirt.customersInSeveralCountries += 1;
    retail.customers.push({ number, country: [...countries][0] ?? '' });
  }
  return retail;
}
