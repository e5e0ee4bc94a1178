// A line of text as a ZPL graphic field: the font's outlines as dots, compressed as ZPL knows it.
import type { Face } from './fonts.ts';

/** Font 0 of the printers is narrower and a little taller than ours; pictures stand beside it. */
const narrower = 0.88;
const taller = 1.04;
/** Straight ones that a curve of an outline becomes; at the sizes of a label less than a third of a dot beside it. */
const pieces = 4;

interface TextGraphic {
  /** The command, without its place and `^FS`. */
  zpl: string;
  /** Dots from the pen to the left edge of the picture. */
  left: number;
  /** Dots from the baseline up to its upper edge. */
  top: number;
  /** Width of the text in dots. */
  advance: number;
}

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/** `size` in dots. */
export function textGraphic(face: Face, text: string, size: number): TextGraphic {
  const { edges, advance } = outline(face, text, size);
  let [left, right, bottom, top] = [0, 1, 0, 1];
  for (const [x0, y0, x1, y1] of edges) {
    left = Math.min(left, x0, x1);
    right = Math.max(right, x0, x1);
    bottom = Math.min(bottom, y0, y1);
    top = Math.max(top, y0, y1);
  }
  [left, right, bottom, top] = [Math.floor(left), Math.ceil(right), Math.floor(bottom), Math.ceil(top)];
  const rowBytes = Math.ceil((right - left) / 8);
  const rows = crossingsByRow(edges, top, top - bottom).map((crossings) => dotRow(crossings, left, rowBytes));
  const total = rowBytes * rows.length;
  return { zpl: `^GFA,${total},${total},${rowBytes},${compressed(rows)}`, left, top, advance };
}

interface Crossing {
  x: number;
  /** Up or down. */
  winding: 1 | -1;
}

/** Where outlines cross the middle of each row of dots, from the top row down. */
function crossingsByRow(edges: readonly Edge[], top: number, rows: number): Crossing[][] {
  const found: Crossing[][] = Array.from({ length: rows }, () => []);
  for (const [x0, y0, x1, y1] of edges) {
    const [low, high] = y0 < y1 ? [y0, y1] : [y1, y0];
    // The middle of row r is at top - r - 0.5; an edge has its lower end, not its upper one.
    const last = Math.floor(top - low - 0.5);
    for (let row = Math.floor(top - high - 0.5) + 1; row <= last; row += 1) {
      const along = (top - row - 0.5 - y0) / (y1 - y0);
      found[row]!.push({ x: x0 + along * (x1 - x0), winding: y1 > y0 ? 1 : -1 });
    }
  }
  return found;
}

/** Straight edges in dots, upwards from the baseline. */
function outline({ font }: Face, text: string, size: number): { edges: Edge[]; advance: number } {
  const [scaleX, scaleY] = [(size * narrower) / font.unitsPerEm, (size * taller) / font.unitsPerEm];
  const { glyphs, positions } = font.layout(text);
  const edges: Edge[] = [];
  let pen = 0;
  glyphs.forEach((glyph, index) => {
    const { xOffset, yOffset, xAdvance } = positions[index]!;
    const at = (x: number, y: number) => [(pen + xOffset + x) * scaleX, (yOffset + y) * scaleY] as const;
    let [first, last] = [at(0, 0), at(0, 0)];
    const line = (to: readonly [number, number]) => {
      edges.push([...last, ...to]);
      last = to;
    };
    for (const { command, args } of glyph.path.commands) {
      if (command === 'moveTo') first = last = at(args[0]!, args[1]!);
      else if (command === 'lineTo') line(at(args[0]!, args[1]!));
      else if (command === 'quadraticCurveTo') {
        const [from, control, to] = [last, at(args[0]!, args[1]!), at(args[2]!, args[3]!)];
        for (let step = 1; step <= pieces; step += 1) line(onCurve(from, control, to, step / pieces));
      } else line(first);
    }
    pen += xAdvance;
  });
  return { edges, advance: pen * scaleX };
}

type Point = readonly [x: number, y: number];

function onCurve(from: Point, control: Point, to: Point, t: number): Point {
  const along = (axis: 0 | 1) =>
    (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * to[axis];
  return [along(0), along(1)];
}

/** Black where outlines go round the middle of the dot, as hexadecimal digits. */
function dotRow(crossings: Crossing[], left: number, rowBytes: number): string {
  crossings.sort((a, b) => a.x - b.x);
  const bytes = Buffer.alloc(rowBytes);
  let winding = 0;
  crossings.forEach((crossing, index) => {
    winding += crossing.winding;
    const next = crossings[index + 1];
    if (winding === 0 || next === undefined) return;
    const end = Math.ceil(next.x - left - 0.5);
    for (let dot = Math.ceil(crossing.x - left - 0.5); dot < end; dot += 1) {
      bytes[dot >> 3]! |= 0x80 >> (dot & 7);
    }
  });
  return bytes.toString('hex').toUpperCase();
}

/** ZPL's own: `,` zeros to the end of the row, `:` the row before again, letters for how often a digit comes. */
function compressed(rows: readonly string[]): string {
  return rows
    .map((row, index) => {
      if (row === rows[index - 1]) return ':';
      const digits = row.replace(/0+$/, '');
      const written = digits.replace(/(.)\1+/g, (run, digit) => repeats(run.length) + digit);
      return digits.length < row.length ? `${written},` : written;
    })
    .join('');
}

/** G to Y are 1 to 19, g to z are 20 to 400 by twenties; they add up. */
function repeats(count: number): string {
  const [most, twenties, ones] = [Math.floor(count / 400), Math.floor((count % 400) / 20), count % 20];
  const letter = (before: string, step: number) =>
    step === 0 ? '' : String.fromCharCode(before.charCodeAt(0) + step);
  return 'z'.repeat(most) + letter('f', twenties) + letter('F', ones);
}
