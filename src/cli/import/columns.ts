// What the columns of a table mean: fields of a body by their paths, and cells as values of their types. Pure.
import { StartError } from '../../start-error.ts';
import type { Kind } from './kind.ts';

interface JsonSchema {
  type?: string | string[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

export interface Column {
  header: string;
  /** In the body, or in an item of the list that the kind spreads over rows. */
  path: string[];
  inItem: boolean;
  schema: JsonSchema;
}

/** What stands for any name in a list of columns. */
const anyName = '<name>';
const listSeparator = '|';

/** Every column that a file of this kind may have. */
export function columnNames(kind: Kind): string[] {
  const { list } = kind.spread ?? {};
  const own = leaves(kind.schema as JsonSchema).filter((path) => path !== list);
  const items = list === undefined ? [] : leaves(itemSchema(kind.schema as JsonSchema, list));
  const short = Object.entries(kind.columns ?? {});
  return [
    ...own.map((path) => short.find(([, field]) => field === path)?.[0] ?? path),
    ...items.map((path) => (own.includes(path) ? `${list}.${path}` : path)),
  ];
}

function leaves(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const plain = withoutNull(field);
    const path = `${prefix}${name}`;
    if (plain.properties !== undefined) return leaves(plain, `${path}.`);
    if (typeOf(plain) === 'object') return [`${path}.${anyName}`];
    return isCell(plain) ? [path] : [];
  });
}

/** @throws StartError naming every column that is unknown or repeated */
export function readHeader(kind: Kind, header: readonly string[]): Column[] {
  const columns = header.map((name) => columnOf(kind, name.trim()));
  const unknown = header.filter((_, index) => columns[index] === undefined);
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new StartError(`no such column: ${names} (there are ${columnNames(kind).join(', ')})`);
  }
  const known = columns.filter((column) => column !== undefined);
  const repeated = known.find(
    (column, index) => known.findIndex((other) => keyOf(other) === keyOf(column)) < index,
  );
  if (repeated !== undefined) throw new StartError(`the column ${repeated.header} is there twice`);
  return known;
}

const keyOf = ({ path, inItem }: Column) => `${inItem} ${path.join('.')}`;

function columnOf(kind: Kind, header: string): Column | undefined {
  const path = (kind.columns?.[header] ?? header).split('.');
  const { list } = kind.spread ?? {};
  const schema = kind.schema as JsonSchema;
  const own = fieldOf(schema, path);
  if (own !== undefined) return { header, path, inItem: false, schema: own };
  if (list === undefined) return undefined;
  const inner = path[0] === list ? path.slice(1) : path;
  const item = fieldOf(itemSchema(schema, list), inner);
  return item === undefined ? undefined : { header, path: inner, inItem: true, schema: item };
}

function itemSchema(schema: JsonSchema, list: string): JsonSchema {
  return schema.properties![list]!.items!;
}

/** The schema of a field that one cell can hold. */
function fieldOf(schema: JsonSchema, [name, ...rest]: string[]): JsonSchema | undefined {
  if (name === undefined || name === '') return undefined;
  const other = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const field =
    (Object.hasOwn(schema.properties ?? {}, name) ? schema.properties![name] : undefined) ?? other;
  if (field === undefined) return undefined;
  const plain = withoutNull(field);
  if (rest.length > 0) return fieldOf(plain, rest);
  return isCell(plain) ? plain : undefined;
}

function withoutNull(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.[0] ?? schema;
}

function typeOf({ type }: JsonSchema): string | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

function isCell(schema: JsonSchema): boolean {
  const type = typeOf(schema);
  return type === 'array' ? typeOf(schema.items!) === 'string' : type !== 'object';
}

/** Sets what the cell says; an empty one says nothing. What is no value of its type is left for the check to name. */
export function setCell(target: Record<string, unknown>, { path, schema }: Column, text: string): void {
  if (text === '') return;
  let holder = target;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(holder, name)) holder[name] = {};
    holder = holder[name] as Record<string, unknown>;
  }
  holder[path.at(-1)!] = cellValue(text, schema);
}

function cellValue(text: string, schema: JsonSchema): unknown {
  const trimmed = text.trim();
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
    case 'boolean':
      return { true: true, false: false }[trimmed.toLowerCase()] ?? text;
    case 'array':
      return text.split(listSeparator).map((part) => part.trim());
    default:
      // A spreadsheet's day is the moment at which it begins.
      return schema.format === 'date-time' && /^\d{4}-\d\d-\d\d$/.test(trimmed)
        ? `${trimmed}T00:00:00Z`
        : text;
  }
}

/** What a part of the body is called in the file. */
export function headerOf(columns: readonly Column[], path: string[], inItem: boolean): string {
  const found = columns.find(
    (column) => column.inItem === inItem && column.path.join('.') === path.join('.'),
  );
  return found?.header ?? path.join('.');
}
