// Makes sample.csv from the whole file: whole invoices, chosen by rule so that every kind of dirt in it is there.
// node examples/online-retail/make-sample.ts <online-retail.csv.gz> > examples/online-retail/sample.csv
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { isGoods, readLine } from './read-lines.ts';

const LINES_WANTED = 2_000;
const INVOICE_LINES_MAX = 25;

interface Chosen {
  invoice: string;
  lines: number[];
  traits: Set<string>;
}

function traitsOf(numbers: readonly number[], rows: readonly string[][]): Set<string> {
  const traits = new Set<string>();
  const codes = new Set<string>();
  const wholes = new Set<string>();
  for (const number of numbers) {
    const row = rows[number] ?? [];
    const line = readLine(row);
    if (line.kind === 'refused') {
      traits.add(`refused ${line.why}`);
      continue;
    }
    const { sku, code, kind, customer, country, description, price } = line;
    traits.add(kind).add(`country ${country}`);
    if (!isGoods(sku)) traits.add(`${sku} ${kind}`);
    if (customer === '') traits.add(`no customer ${kind}`);
    if (kind === 'sale' && price === '0')
      traits.add(customer === '' ? 'zero price' : 'zero price with customer');
    if (price.split('.')[1]?.length === 3) traits.add('three decimals');
    if (code !== sku) traits.add('other case').add(`other case ${sku}`);
    else traits.add(`usual case ${sku}`);
    if (description === '') traits.add('no description');
    if (codes.has(sku)) traits.add('same code again');
    if (wholes.has(row.join('\t'))) traits.add('repeated line');
    codes.add(sku);
    wholes.add(row.join('\t'));
  }
  if (new Set(numbers.map((number) => rows[number]?.[4])).size > 1) traits.add('several times');
  if ((numbers.at(-1) ?? 0) - (numbers[0] ?? 0) >= numbers.length) traits.add('scattered');
  return traits;
}

function gather(rows: readonly string[][]): Chosen[] {
  const numbers = new Map<string, number[]>();
  for (const [number, row] of rows.entries()) {
    const invoice = row[0] ?? '';
    const known = numbers.get(invoice);
    if (known) known.push(number);
    else numbers.set(invoice, [number]);
  }
  const invoices = [...numbers].map(([invoice, lines]) => ({
    invoice,
    lines,
    traits: traitsOf(lines, rows),
  }));
  addTravellers(invoices, rows);
  return invoices;
}

/** Marks the first invoice a customer has in each of several countries. */
function addTravellers(invoices: readonly Chosen[], rows: readonly string[][]): void {
  const firsts = new Map<string, Map<string, Chosen>>();
  for (const invoice of invoices) {
    const [customer = '', country = ''] = rows[invoice.lines[0] ?? 0]?.slice(6) ?? [];
    if (customer === '' || invoice.lines.length > INVOICE_LINES_MAX) continue;
    const byCountry = firsts.get(customer) ?? new Map<string, Chosen>();
    firsts.set(customer, byCountry);
    if (!byCountry.has(country)) byCountry.set(country, invoice);
  }
  for (const byCountry of firsts.values()) {
    if (byCountry.size > 1)
      for (const invoice of byCountry.values()) invoice.traits.add('customer in several countries');
  }
}

/** How many invoices of a trait the sample has at least, where the file has them. */
function wantedOf(trait: string): number {
  if (trait.startsWith('country ') || trait.startsWith('refused ')) return 2;
  if (/^(other|usual) case /.test(trait)) return 0;
  if (trait === 'scattered') return 1;
  if (trait === 'return') return 90;
  if (trait === 'writeOff') return 25;
  if (trait === 'sale') return 0;
  return trait.includes(' ') && /^[A-Z]/.test(trait) ? 2 : 8;
}

function choose(invoices: readonly Chosen[]): Set<Chosen> {
  const chosen = new Set<Chosen>();
  const have = new Map<string, number>();
  const take = (invoice: Chosen) => {
    if (chosen.has(invoice)) return;
    chosen.add(invoice);
    for (const trait of invoice.traits) have.set(trait, (have.get(trait) ?? 0) + 1);
  };
  const lacking = (trait: string) => (have.get(trait) ?? 0) < wantedOf(trait);
  for (const invoice of invoices) {
    const rare = invoice.traits.has('scattered');
    if (!rare && invoice.lines.length > INVOICE_LINES_MAX) continue;
    if ([...invoice.traits].some(lacking)) take(invoice);
  }
  takeUsualCases(invoices, chosen, take);
  takeBetween(invoices, chosen, take);
  const long = invoices.find(({ lines }) => lines.length > 100 && lines.length < 120);
  if (long) take(long);
  fill(invoices, chosen, take);
  return chosen;
}

/** A code in lower case is only dirt beside the same code in upper case. */
function takeUsualCases(
  invoices: readonly Chosen[],
  chosen: Set<Chosen>,
  take: (invoice: Chosen) => void,
): void {
  for (const { traits } of [...chosen]) {
    for (const trait of traits) {
      if (!trait.startsWith('other case ')) continue;
      const usual = invoices.find((invoice) => {
        return (
          invoice.lines.length <= INVOICE_LINES_MAX && invoice.traits.has(trait.replace('other', 'usual'))
        );
      });
      if (usual) take(usual);
    }
  }
}

/** A scattered invoice stays scattered only with what stands between its lines. */
function takeBetween(
  invoices: readonly Chosen[],
  chosen: Set<Chosen>,
  take: (invoice: Chosen) => void,
): void {
  for (const { lines, traits } of [...chosen]) {
    if (!traits.has('scattered')) continue;
    const gap = lines.findIndex((number, place) => lines[place + 1] !== number + 1);
    const between = (lines[gap] ?? 0) + 1;
    const neighbour = invoices.find((invoice) => invoice.lines.includes(between));
    if (neighbour) take(neighbour);
  }
}

/** Ordinary invoices from all over the file, evenly spread. */
function fill(invoices: readonly Chosen[], chosen: Set<Chosen>, take: (invoice: Chosen) => void): void {
  let lines = 0;
  for (const invoice of chosen) lines += invoice.lines.length;
  const short = invoices.filter(
    (invoice) => !chosen.has(invoice) && invoice.lines.length <= INVOICE_LINES_MAX,
  );
  // 7919 is a prime that divides no such count: the steps visit every invoice once.
  for (let step = 0; step < short.length; step += 1) {
    const invoice = short[(step * 7_919) % short.length];
    if (!invoice || lines + invoice.lines.length > LINES_WANTED) continue;
    take(invoice);
    lines += invoice.lines.length;
  }
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the whole file: make-sample.ts <online-retail.csv.gz>');
const text = gunzipSync(readFileSync(file)).toString('utf8');
const [header = '', ...textLines] = text.trimEnd().split(/\r?\n/);
const rows: string[][] = parse(textLines.join('\n'), { relax_quotes: true });
if (rows.length !== textLines.length) throw new Error('a value of this file spans several lines');
const numbers = [...choose(gather(rows))].flatMap(({ lines }) => lines).sort((a, b) => a - b);
process.stdout.write(`${[header, ...numbers.map((number) => textLines[number] ?? '')].join('\n')}\n`);
