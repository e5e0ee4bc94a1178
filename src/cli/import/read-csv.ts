// Reads a table: a header, then rows; rows that belong to one record follow each other.
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import * as limits from '../../limits.ts';
import { StartError } from '../../start-error.ts';
import { type Column, headerOf, readHeader, setCell } from './columns.ts';
import type { Kind, Row } from './kind.ts';

interface Line {
  line: number;
  own: Record<string, unknown>;
  item: Record<string, unknown>;
  problem?: string;
}

export async function* readCsv(
  kind: Kind,
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<Row> {
  const columns: Column[] = [];
  const { spread } = kind;
  let group: Line[] = [];
  for await (const line of readLines(kind, text, delimiter, columns)) {
    if (spread === undefined || !belongs(line, group, spread.sameBy)) {
      if (group.length > 0) yield rowOf(kind, columns, group);
      group = [];
    }
    // A record has no more items than this; what is beyond it is counted by the check, not kept.
    if (group.length <= limits.orderLineItemsMax) group.push(line);
  }
  if (group.length > 0) yield rowOf(kind, columns, group);
}

/** Fills `columns` once the header is read. */
async function* readLines(
  kind: Kind,
  text: AsyncIterable<string>,
  delimiter: string,
  columns: Column[],
): AsyncGenerator<Line> {
  const parser = parse({ delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  // What fails on the way ends the parser with it, and so this loop.
  pipeline(Readable.from(text), parser, () => {});
  let header = true;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (header) columns.push(...readHeader(kind, record));
      else yield lineOf(columns, record, info.lines - lineBreaks(record));
      header = false;
    }
  } catch (error) {
    const { code, message } = error as CsvError;
    throw code?.startsWith('CSV_') ? new StartError(`the file is no proper CSV: ${message}`) : error;
  }
  if (header) throw new StartError('the file is empty: it needs a first line that names its columns');
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/** The parser tells the line on which a record ends. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

function lineOf(columns: readonly Column[], cells: readonly string[], line: number): Line {
  const read: Line = { line, own: {}, item: {} };
  if (cells.length !== columns.length) {
    return { ...read, problem: `has ${cells.length} cells, and there are ${columns.length} columns` };
  }
  for (const [index, column] of columns.entries()) {
    setCell(column.inItem ? read.item : read.own, column, cells[index]!);
  }
  return read;
}

/** Whether a line goes on with the record of the lines before it. */
function belongs(line: Line, group: readonly Line[], sameBy: readonly string[]): boolean {
  const [first] = group;
  if (first === undefined || first.problem !== undefined || line.problem !== undefined) return false;
  const by = sameBy.find((field) => first.own[field] !== undefined || line.own[field] !== undefined);
  return by !== undefined && first.own[by] === line.own[by];
}

function rowOf({ spread }: Kind, columns: readonly Column[], group: readonly Line[]): Row {
  const [{ line, own, problem }, ...others] = group as [Line, ...Line[]];
  const row: Row = {
    line,
    body: spread === undefined ? own : { ...own, [spread.list]: group.map(({ item }) => item) },
    placeOf: (path) => placeOf(path, columns, group, spread?.list),
  };
  const differing = others.find((other) => !agrees(own, other.own));
  if (problem !== undefined) return { ...row, problem };
  if (differing === undefined) return row;
  const field = Object.keys(differing.own).find((name) => !same(own[name], differing.own[name]))!;
  return {
    ...row,
    problem: `differs in ${field} on line ${differing.line}, which belongs to the same record`,
  };
}

/** Further rows may leave out what the first one says. */
function agrees(own: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return Object.entries(other).every(([name, value]) => same(own[name], value));
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function placeOf(path: string, columns: readonly Column[], group: readonly Line[], list?: string) {
  const [first, index, ...rest] = path.split('/').slice(1);
  const line = group[Number(index)]?.line;
  if (list === undefined || first !== list || line === undefined) {
    return { line: group[0]!.line, field: headerOf(columns, path.split('/').slice(1), false) };
  }
  return { line, field: headerOf(columns, rest, true) };
}
