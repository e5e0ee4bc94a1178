// Makes text fit its place: smaller first, then over two lines, and at the smallest size cut.
import type { Face } from './fonts.ts';

const cutMark = '…';
/** From one baseline to the next, in sizes. */
export const leading = 1.2;
const sizeStep = 0.5;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const signsOf = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

export interface Fitted {
  /** In points. */
  size: number;
  lines: string[];
}

/** The text, or as much of its beginning as the width takes, with a mark that something is missing. */
export function cut(text: string, face: Face, ems: number): string {
  if (face.widthOf(text) <= ems) return text;
  let kept = '';
  for (const sign of signsOf(text)) {
    if (face.widthOf(kept + sign + cutMark) > ems) break;
    kept += sign;
  }
  return kept.trimEnd() + cutMark;
}

/** One line: as large as the width allows, between two sizes; what is too long for the smaller is cut. */
export function fitLine(
  text: string,
  face: Face,
  bounds: { width: number; size: number; sizeMin: number },
): Fitted {
  const exact = bounds.width / Math.max(face.widthOf(text), 0.01);
  const size = Math.max(bounds.sizeMin, Math.min(bounds.size, Math.floor(exact / sizeStep) * sizeStep));
  return { size, lines: [cut(text, face, bounds.width / size)] };
}

/**
 * Several texts of one size under each other: the largest size at which none takes more than two lines and all
 * are within the height. At the smallest size what is longer than two lines is cut, and where even that is too
 * high, the first texts get one line each.
 */
export function fitBlock(
  texts: readonly string[],
  face: Face,
  bounds: { width: number; height: number; size: number; sizeMin: number },
): Fitted {
  for (let size = bounds.size; size >= bounds.sizeMin; size -= sizeStep) {
    const wrapped = texts.map((text) => wrap(text, face, bounds.width / size));
    const lines = wrapped.flat();
    if (wrapped.every(({ length }) => length <= 2) && lines.length * leading * size <= bounds.height) {
      return { size, lines };
    }
  }
  const [size, ems] = [bounds.sizeMin, bounds.width / bounds.sizeMin];
  const rows = Math.floor(bounds.height / (leading * size));
  const wrapped = texts.map((text) => twoLines(text, face, ems));
  let spare = wrapped.flat().length - rows;
  const lines = wrapped.flatMap((part, index) => {
    if (spare <= 0 || part.length === 1) return part;
    spare -= 1;
    return [cut(texts[index]!, face, ems)];
  });
  return { size, lines: lines.slice(0, rows) };
}

/** At most two lines, the second cut. */
export function twoLines(text: string, face: Face, ems: number): string[] {
  const [first = '', second, ...rest] = wrap(text, face, ems);
  if (second === undefined) return [first];
  return [first, cut([second, ...rest].join(' '), face, ems)];
}

/** Lines of whole words; a word wider than the line is broken where it must be. */
function wrap(text: string, face: Face, ems: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => pieces(word, face, ems))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (face.widthOf(longer) <= ems) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, face: Face, ems: number): string[] {
  if (face.widthOf(word) <= ems) return [word];
  const found: string[] = [];
  let piece = '';
  for (const sign of signsOf(word)) {
    if (piece !== '' && face.widthOf(piece + sign) > ems) {
      found.push(piece);
      piece = '';
    }
    piece += sign;
  }
  return [...found, piece];
}
