// Reads records of JSON without holding the file: an array of objects, or one object on each line.
import * as limits from '../../limits.ts';
import { StartError } from '../../start-error.ts';
import type { Row } from './kind.ts';

interface Piece {
  line: number;
  text: string;
}

export async function* readJson(text: AsyncIterable<string>): AsyncGenerator<Row> {
  for await (const { line, text: json } of pieces(text)) {
    const row: Row = { line, body: undefined, placeOf: (path) => ({ line, field: path }) };
    try {
      yield { ...row, body: JSON.parse(json) };
    } catch (error) {
      yield { ...row, problem: `is no JSON: ${(error as Error).message}` };
    }
  }
}

async function* pieces(text: AsyncIterable<string>): AsyncGenerator<Piece> {
  let splitter: { push(text: string): Piece[]; end(): Piece[] } | undefined;
  let blank = '';
  for await (const chunk of text) {
    const start: string = splitter === undefined ? blank + chunk : chunk;
    if (splitter === undefined) {
      blank = start;
      if (start.trim() === '') continue;
      splitter = start.trimStart().startsWith('[') ? arraySplitter() : lineSplitter();
    }
    yield* splitter.push(start);
  }
  if (splitter !== undefined) yield* splitter.end();
}

function lineSplitter() {
  let line = 1;
  let rest = '';
  const piecesOf = (lines: readonly string[]) =>
    lines.flatMap((text) => {
      const at = line;
      line += 1;
      return text.trim() === '' ? [] : [{ line: at, text }];
    });
  return {
    push(text: string) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      requireBounded(rest, line);
      return piecesOf(lines);
    },
    end: () => piecesOf([rest]),
  };
}

/** Cuts an array into the texts of its elements, which are parsed one by one. */
function arraySplitter() {
  let line = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let ended = false;
  let element = '';
  /** Undefined between elements. */
  let startLine: number | undefined;
  const take = (): Piece[] => {
    const taken = startLine === undefined ? [] : [{ line: startLine, text: element }];
    element = '';
    startLine = undefined;
    return taken;
  };
  const push = (text: string): Piece[] => {
    const found: Piece[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text[at]!;
      if (char === '\n') line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
        continue;
      }
      if (char === '"') inString = true;
      const separates = (char === ',' && depth === 1) || (char === ']' && depth === 1);
      if (char === '[' || char === '{') depth += 1;
      if (char === ']' || char === '}') depth -= 1;
      const opens = char === '[' && depth === 1 && !ended;
      if (separates) {
        element += text.slice(from, at);
        found.push(...take());
        ended = depth === 0;
      }
      if (separates || opens) from = at + 1;
      else if (startLine === undefined && !/\s/.test(char)) startLine = line;
    }
    element += text.slice(from);
    if (ended && startLine !== undefined) throw new StartError(`line ${line}: there is more after the array`);
    requireBounded(element, startLine ?? line);
    return found;
  };
  return {
    push,
    end(): Piece[] {
      if (!ended) throw new StartError('the array of the file has no end: is the file cut off?');
      return [];
    },
  };
}

function requireBounded(text: string, line: number): void {
  if (text.length > limits.bodyBytes) {
    throw new StartError(`line ${line}: the record has no end within ${limits.bodyBytes} characters`);
  }
}
