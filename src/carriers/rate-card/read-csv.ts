// Reads a rate card from a spreadsheet: rows of settings, then a table of prices. docs/rate-cards.md has the form.
import { type CsvError, parse } from 'csv-parse/sync';
import * as limits from '../../limits.ts';
import {
  type Branch,
  branchAt,
  newBranch,
  type Place,
  type Row,
  type RowIssue,
  setLeaf,
} from './csv-tree.ts';
import { readSetting } from './read-setting.ts';

interface Column {
  header: string;
  is: 'service' | 'zone' | 'weightUpTo' | 'weightUnit' | 'price' | 'priceOf';
  /** Of `priceOf`. */
  zone?: string;
}

/** What can be read of it, and what cannot. */
export function readCsv(text: string): { card: Branch; issues: RowIssue[] } {
  const card = newBranch();
  const issues: RowIssue[] = [];
  const found = tableHeader.exec(text);
  const start = found?.index ?? text.length;
  const delimiter = found?.[1] ?? ',';
  const tableLine = lineBreaks(text.slice(0, start)) + 1;
  for (const row of readRows(text.slice(0, start), 1, delimiter, issues)) {
    issues.push(...readSetting(card, row));
  }
  const [header, ...rows] = readRows(text.slice(start), tableLine, delimiter, issues);
  if (header === undefined) {
    if (issues.length > 0) return { card, issues };
    const message = 'there is no table of prices: its header begins with `service`';
    return { card, issues: [{ line: tableLine, field: '', code: 'required', message }] };
  }
  const columns = readHeader(header, issues);
  if (columns === undefined) return { card, issues };
  for (const row of rows) issues.push(...readPrices(card, columns, row));
  return { card, issues };
}

/** Where the table begins; where the comma is a decimal sign, spreadsheets write another one. */
const tableHeader = /^\uFEFF?[ ]*"?service"?[ ]*([,;\t])/im;

const lineBreaks = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0;

function readRows(text: string, firstLine: number, delimiter: string, issues: RowIssue[]): Row[] {
  const most = limits.rateCardRowsMax;
  try {
    const options = { delimiter, bom: true, info: true, relax_column_count: true, to: most + 1 } as const;
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    const rows = records.slice(0, most).map(({ record, info }) => ({
      // The parser tells the line on which a record ends.
      line: firstLine - 1 + info.lines - record.reduce((count, cell) => count + lineBreaks(cell), 0),
      cells: record.map((cell) => cell.trim()),
    }));
    if (records.length > most) {
      const message = `there are more than ${most} rows`;
      issues.push({ line: rows.at(-1)!.line + 1, field: '', code: 'too_many', message });
    }
    return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  } catch (error) {
    const { message, lines = 1 } = error as CsvError & { lines?: number };
    const line = firstLine - 1 + lines;
    issues.push({ line, field: '', code: 'invalid_csv', message: `is no proper CSV: ${message}` });
    return [];
  }
}

/** As headers are compared. */
const plain = (header: string) => header.toLowerCase().replaceAll(/[\s_-]/g, '');

const names: Readonly<Record<string, Column['is']>> = {
  service: 'service',
  zone: 'zone',
  weightupto: 'weightUpTo',
  weightunit: 'weightUnit',
  price: 'price',
};

/** Undefined where rows cannot be read by it. */
function readHeader({ line, cells }: Row, issues: RowIssue[]): Column[] | undefined {
  const wrong = (field: string, code: string, message: string) => issues.push({ line, field, code, message });
  const before = issues.length;
  // A sheet that is wider above the table than in it.
  const width = cells.findLastIndex((cell) => cell !== '') + 1;
  const columns = cells.slice(0, width).map((header): Column | undefined => {
    const is = Object.hasOwn(names, plain(header)) ? names[plain(header)] : undefined;
    if (is !== undefined) return { header, is };
    const zone = /^zone[\s:_-]*(.+)$/i.exec(header)?.[1];
    if (zone !== undefined) return { header, is: 'priceOf', zone };
    const known = 'service, weightUpTo, weightUnit, and either zone and price or zone 1, zone 2, …';
    wrong(header, 'unknown_field', `is not a known column (there are ${known})`);
    return undefined;
  });
  const has = (is: Column['is']) => columns.some((column) => column?.is === is);
  for (const [index, column] of columns.entries()) {
    const same = (other: Column | undefined) => other?.is === column?.is && other?.zone === column?.zone;
    if (column && columns.findIndex(same) < index) wrong(column.header, 'duplicate', 'is there twice');
  }
  if (!has('weightUpTo')) wrong('weightUpTo', 'required', 'is a column that is required');
  const long = has('zone') || has('price');
  if (long && has('priceOf')) {
    wrong('zone', 'not_allowed', 'either has a column of its own, or every zone has one');
  } else if (!(has('zone') && has('price')) && !has('priceOf')) {
    wrong('price', 'required', 'needs the columns zone and price, or one for each zone: zone 1, zone 2, …');
  }
  return issues.length > before ? undefined : (columns as Column[]);
}

function readPrices(card: Branch, columns: readonly Column[], { line, cells }: Row): RowIssue[] {
  const issues: RowIssue[] = [];
  const wrong = (field: string, code: string, message: string) => issues.push({ line, field, code, message });
  if (cells.length < columns.length || cells.slice(columns.length).some((cell) => cell !== '')) {
    wrong('', 'wrong_cells', `has ${cells.length} cells, and there are ${columns.length} columns`);
    return issues;
  }
  const cellOf = (is: Column['is']) => cells[columns.findIndex((column) => column.is === is)] ?? '';
  const service = cellOf('service');
  if (service === '') wrong('service', 'required', 'is required');
  const weight = readWeight(cellOf('weightUpTo'), cellOf('weightUnit'));
  if (weight === undefined) {
    wrong('weightUpTo', 'invalid_format', 'must be a weight such as 5 lb, or +1 lb for each that is added');
  }
  const prices = pricesOf(columns, cells, cellOf, wrong);
  if (service === '' || weight === undefined || prices.length === 0) return issues;
  const target = priceBranch(card, service, weight, { line, field: 'service' });
  if (target === undefined) {
    wrong('weightUpTo', 'not_allowed', 'another row of this service adds another weight');
    return issues;
  }
  for (const { zone, header, price } of prices) {
    const before = setLeaf(target, zone, { line, field: header, value: price });
    if (before !== undefined) {
      wrong(header, 'duplicate', `is on line ${before} already, for the same service, zone and weight`);
    }
  }
  return issues;
}

interface Weight {
  text: string;
  isAdded: boolean;
}

function readWeight(cell: string, unitCell: string): Weight | undefined {
  const [, plus, number, unit] = /^(\+?)\s*(\d{1,7}(?:\.\d{1,6})?)\s*(\p{L}*)\.?$/u.exec(cell) ?? [];
  const unitText = (unit || unitCell).toLowerCase();
  if (number === undefined || !/^(oz|lb|g|kg)$/.test(unitText) || Number(number) === 0) return undefined;
  if (unit && unitCell && unit.toLowerCase() !== unitCell.toLowerCase()) return undefined;
  return { text: `${number} ${unitText}`, isAdded: plus === '+' };
}

/** What is wrong counts as 0, so that the rest of the row is looked at too. */
function pricesOf(
  columns: readonly Column[],
  cells: readonly string[],
  cellOf: (is: Column['is']) => string,
  wrong: (field: string, code: string, message: string) => void,
): { zone: string; header: string; price: number }[] {
  const isLong = columns.some(({ is }) => is === 'price');
  const found = isLong
    ? [{ zone: cellOf('zone'), header: 'price', cell: cellOf('price') }]
    : columns.flatMap(({ is, zone, header }, index) =>
        // An empty cell: the service does not go there.
        is === 'priceOf' && cells[index] !== '' ? [{ zone: zone!, header, cell: cells[index]! }] : [],
      );
  if (isLong && cellOf('zone') === '') wrong('zone', 'required', 'is required');
  if (found.length === 0) wrong('', 'required', 'has no price');
  return found
    .filter(({ zone }) => zone !== '')
    .map(({ zone, header, cell }) => {
      const [, price] = /^[$€£]?\s*(\d{1,11}(?:\.\d+)?)$/.exec(cell) ?? [];
      if (price === undefined) wrong(header, 'invalid_type', 'must be a price such as 7.95');
      return { zone, header, price: Number(price ?? 0) };
    });
}

/** Where the prices of a service and weight belong; undefined where the service adds another weight already. */
function priceBranch(card: Branch, service: string, weight: Weight, place: Place): Branch | undefined {
  const services = branchAt(card, 'services', true)!;
  const own = branchAt(services, service)!;
  setLeaf(own, 'code', { ...place, value: service });
  const at = { line: place.line, field: 'weightUpTo', value: weight.text };
  if (!weight.isAdded) {
    const ofWeight = branchAt(branchAt(own, 'breaks', true)!, weight.text)!;
    setLeaf(ofWeight, 'weightUpTo', at);
    return branchAt(ofWeight, 'prices')!;
  }
  const added = branchAt(own, 'additionalWeight')!;
  const per = added.children.get('per');
  if (per !== undefined && 'value' in per && per.value !== weight.text) return undefined;
  setLeaf(added, 'per', at);
  return branchAt(added, 'prices')!;
}
