// The two faces that everything is printed in, read when the first label is drawn.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font, Glyph, GlyphRun } from 'fontkit';

export type FontWeight = 'regular' | 'bold';

export interface Face {
  font: Font;
  /** In ems: times the size it is the width. */
  widthOf(text: string): number;
}

export type Faces = Record<FontWeight, Face>;

const files = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
};

let loaded: Promise<Faces> | undefined;

/** Once per process, whatever the number of labels. */
export function loadFaces(): Promise<Faces> {
  loaded ??= Promise.all([loadFace(files.regular), loadFace(files.bold)]).then(([regular, bold]) => ({
    regular,
    bold,
  }));
  return loaded;
}

async function loadFace(file: string): Promise<Face> {
  // Here, not above: the service starts 80 ms and 30 MB lighter until somebody wants a label.
  const { create } = await import('fontkit');
  const font = create(await readFile(fileURLToPath(import.meta.resolve(file)))) as Font;
  const glyphs = new Map<string, Glyph>();
  const glyphOf = (sign: string) => {
    let glyph = glyphs.get(sign);
    if (glyph === undefined) {
      const code = sign.codePointAt(0)!;
      glyph = standingFor(font.glyphForCodePoint(code), code);
      glyphs.set(sign, glyph);
    }
    return glyph;
  };
  const widthOf = (text: string) => {
    let width = 0;
    for (const sign of text) width += glyphOf(sign).advanceWidth;
    return width / font.unitsPerEm;
  };
  return { font: withPlainLayout(font, glyphOf), widthOf };
}

/**
 * fontkit remembers of a glyph the character that it met it for first, or none where it was a part of another one;
 * what a PDF says of its letters would then depend on the labels before it.
 */
function standingFor(glyph: Glyph, code: number): Glyph {
  return Object.create(glyph, { codePoints: { value: [code] } });
}

const unknownSign = 0xfffd;

/**
 * The same font, letter by letter as the widths are reckoned: no kerning, no ligatures, and a third of the time.
 * Only marks that stand over a letter of their own need what the font knows of their places.
 */
function withPlainLayout(font: Font, glyphOf: (sign: string) => Glyph): Font {
  const layout = (text: string): GlyphRun => {
    const signs = [...text];
    if (/\p{M}/u.test(text)) {
      const run = font.layout(text);
      // It may have taken letters and marks apart, put them together, or taken a dot away to make room.
      const parts = [...'ıȷ', ...signs, ...text.normalize('NFD')];
      const codes = new Map(parts.map((sign) => [glyphOf(sign).id, sign.codePointAt(0)!]));
      run.glyphs = run.glyphs.map((glyph) => standingFor(glyph, codes.get(glyph.id) ?? unknownSign));
      return run;
    }
    const glyphs = signs.map(glyphOf);
    const positions = glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    const advanceWidth = glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0);
    return { glyphs, positions, advanceWidth } as unknown as GlyphRun;
  };
  return Object.create(font, { layout: { value: layout } });
}
