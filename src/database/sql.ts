// The template that every statement is written with: text stays text, values become parameters, and pieces nest.
import * as limits from '../limits.ts';

class Piece {
  /** The text around the parts: one more than there are of them. */
  readonly strings: readonly string[];
  /** Values, and other pieces. */
  readonly parts: readonly unknown[];
  /** See plannedAnew. */
  anew = false;

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.strings = strings;
    this.parts = parts;
  }
}

/** A statement, or a piece of one; `Row` is what a statement answers. */
export type Sql<Row = unknown> = Piece & { readonly row?: Row };

function template<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Sql<Row> {
  return new Piece(strings, parts);
}

const comma = template`, `;

export const sql = Object.assign(template, {
  /** A name in quotes; a point divides it from its table's. */
  ref: (name: string): Sql => new Piece([quoted(name)], []),
  /** Text as it is: never a part of a request. */
  raw: (text: string): Sql => new Piece([text], []),
  /** A constant that the planner should see, where a parameter would hide it. */
  lit: (value: string | number): Sql => new Piece([literal(value)], []),
  /** `separator` is text alone. */
  join: (items: readonly unknown[], separator: Sql = comma): Sql =>
    new Piece(around(items.length, separator.strings[0]!), items),
});

/**
 * Has PostgreSQL plan this statement each time, for the values that it has. From the sixth time on it may settle on
 * a plan for any value, which for a search of orders took 500 ms instead of 1.
 */
export function plannedAnew<Row>(statement: Sql<Row>): Sql<Row> {
  statement.anew = true;
  return statement;
}

const names = new Map<string, string>();

function quoted(name: string): string {
  let text = names.get(name);
  if (text === undefined) {
    const parts = name.split('.').map((part) => `"${part.replaceAll('"', '""')}"`);
    text = parts.join('.');
    if (names.size < limits.preparedStatements) names.set(name, text);
  }
  return text;
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

const separators = new Map<string, string[][]>();

/** One and the same array for the same separator and number of items, as for a template in the source. */
function around(count: number, separator: string): readonly string[] {
  let byCount = separators.get(separator);
  if (byCount === undefined) {
    byCount = [];
    separators.set(separator, byCount);
  }
  byCount[count] ??= [
    '',
    ...Array<string>(Math.max(count - 1, 0)).fill(separator),
    ...(count > 0 ? [''] : []),
  ];
  return byCount[count];
}

/**
 * Which pieces stand where, as a path from the root: it decides a statement's text, which is therefore put together
 * once. Putting it together anew cost 130 µs for a large statement, a tenth of all that a request took.
 */
interface Shape {
  statement: { name: string; text: string } | undefined;
  /** A value comes next. */
  value: Shape | undefined;
  /** A piece comes next: by its text, or, where it has parts, by its template. */
  pieces: Map<string | readonly string[], Shape> | undefined;
}

const newShape = (): Shape => ({ statement: undefined, value: undefined, pieces: undefined });
const root = newShape();
const statementNames = new Map<string, string>();

/** As the driver takes it. The name lets PostgreSQL parse and plan it once per connection. */
export function compile(statement: Sql): { name?: string; text: string; values: unknown[] } {
  const values: unknown[] = [];
  if (statement.anew) return { text: assemble(statement, values), values };
  const shape = follow(root, statement, values);
  if (shape.statement !== undefined) return { ...shape.statement, values };
  const text = assemble(statement, []);
  const name = nameOf(text);
  if (name === undefined) return { text, values };
  shape.statement = { name, text };
  return { name, text, values };
}

function follow(from: Shape, piece: Piece, values: unknown[]): Shape {
  const { strings, parts } = piece;
  from.pieces ??= new Map();
  const key = strings.length === 1 ? strings[0]! : strings;
  let shape = from.pieces.get(key);
  if (shape === undefined) {
    shape = newShape();
    // Beyond what is kept, shapes are made for this once.
    if (statementNames.size < limits.preparedStatements) from.pieces.set(key, shape);
  }
  for (const part of parts) {
    if (part instanceof Piece) {
      shape = follow(shape, part, values);
    } else {
      values.push(part);
      shape.value ??= newShape();
      shape = shape.value;
    }
  }
  return shape;
}

/** The text, with `$1` for the first of the values that are found on the way. */
function assemble({ strings, parts }: Piece, values: unknown[]): string {
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) {
    if (part instanceof Piece) text += assemble(part, values);
    else text += `$${values.push(part)}`;
    text += strings[index + 1];
  }
  return text;
}

/** Every text gets one name per process. */
function nameOf(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= limits.preparedStatements) return undefined;
  const name = `w${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}
