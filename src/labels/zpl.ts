// The label in ZPL II, for thermal printers of 203 and 300 dpi.
import type { ZplDpi } from '../carriers/carrier.ts';
import { moduleDots } from './code128.ts';
import type { LabelContent } from './content.ts';
import { type Face, loadFaces } from './fonts.ts';
import { type Barcode, type Element, labelPage, type Rectangle, type Text } from './layout.ts';
import { textGraphic } from './zpl-graphic.ts';

/** 4x6 in, in dots. */
const sizes: Record<ZplDpi, { width: number; height: number }> = {
  203: { width: 812, height: 1218 },
  300: { width: 1200, height: 1800 },
};

const pointsPerInch = 72;

/**
 * What font 0 of every printer has: Windows code page 1252. Lines with other letters are sent as pictures of them,
 * so that no printer leaves out a letter of an address.
 */
const resident = /^[\x20-\x7e\xa0-\xffŒœŠšŽžŸ–—‘’“”…€™]*$/;

/**
 * One label, ASCII alone, from `^XA` to `^XZ`. It has no customs declaration: that is in the PDF.
 *
 * @throws RangeError for what cannot be printed (ask `unprintable` first) and for a tracking code that its barcode
 * cannot carry
 */
export async function renderZpl(content: LabelContent, dpi: ZplDpi): Promise<string> {
  const faces = await loadFaces();
  const { width, height } = sizes[dpi];
  const page = labelPage(content, faces);
  const dots = (points: number) => Math.round((points * dpi) / pointsPerInch);
  const fields = page.elements.map((element) => field(element, { dpi, dots, width, bold: faces.bold }));
  return [`^XA^CI28^PW${width}^LL${height}^LH0,0^PON^FWN`, ...fields, '^PQ1^XZ', ''].join('\n');
}

interface Paper {
  dpi: ZplDpi;
  dots: (points: number) => number;
  /** In dots. */
  width: number;
  /** Font 0 is bold, so pictures of text are too. */
  bold: Face;
}

function field(element: Element, paper: Paper): string {
  if (element.kind === 'rectangle') return boxField(element, paper);
  if (element.kind === 'barcode') return barcodeField(element, paper);
  return resident.test(element.text) ? textField(element, paper) : pictureField(element, paper);
}

function boxField({ x, y, width, height, border }: Rectangle, { dots }: Paper): string {
  // From edge to edge, each rounded, so that what touches on paper touches in dots.
  const across = Math.max(1, dots(x + width) - dots(x));
  const down = Math.max(1, dots(y + height) - dots(y));
  const thick = border === null ? Math.min(across, down) : Math.max(1, dots(border));
  return `^FO${dots(x)},${dots(y)}^GB${across},${down},${thick}^FS`;
}

function textField({ x, baseline, align, size, white, text }: Text, { dots, width }: Paper): string {
  const [at, high] = [dots(x), dots(size)];
  const font = `^A0N,${high},${high}${white ? '^FR' : ''}^FH^FD${escaped(text)}^FS`;
  if (align === 'left') return `^FT${at},${dots(baseline)}${font}`;
  // A block of one line, as wide as the paper allows on both sides of what it is aligned to.
  const half = Math.min(at, width - at);
  const [start, wide, justify] = align === 'center' ? [at - half, 2 * half, 'C'] : [0, at, 'R'];
  return `^FT${start},${dots(baseline)}^FB${wide},1,0,${justify},0${font}`;
}

function pictureField({ x, baseline, align, size, white, text }: Text, { dots, dpi, bold }: Paper): string {
  const picture = textGraphic(bold, text, (size * dpi) / pointsPerInch);
  const back = align === 'left' ? 0 : align === 'center' ? picture.advance / 2 : picture.advance;
  const start = Math.max(0, Math.round(dots(x) - back + picture.left));
  return `^FO${start},${dots(baseline) - picture.top}${white ? '^FR' : ''}${picture.zpl}^FS`;
}

function barcodeField({ x, y, width, height, symbol }: Barcode, { dots, dpi }: Paper): string {
  const module = moduleDots(symbol, width / pointsPerInch, dpi);
  const start = Math.round(dots(x + width / 2) - (symbol.modules * module) / 2);
  const data = escaped(symbol.zpl);
  return `^BY${module}^FO${start},${dots(y)}^BCN,${dots(height)},N,N,N,N^FH^FD${data}^FS`;
}

/** Nothing in a field can end it or begin a command; letters that are not ASCII are their bytes in UTF-8. */
function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]|[\^~\\_]/gu, (sign) =>
    [...Buffer.from(sign)].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
