// Draws laid-out pages with pdfkit.
import { setImmediate as breathe } from 'node:timers/promises';
import { moduleDots } from './code128.ts';
import { loadFaces } from './fonts.ts';
import type { Barcode, Element, Page } from './layout.ts';

type Document = PDFKit.PDFDocument;

/** Bars are whole dots of the printers that most labels meet. */
const printerDpi = 203;
const pointsPerInch = 72;

/** The same bytes for the same pages: the times and the id in the file are made from `day` (`YYYY-MM-DD`). */
export async function drawPdf(
  pages: Iterable<Page>,
  { title, day }: { title: string; day: string },
): Promise<Uint8Array> {
  const [{ default: PDFDocument }, faces] = await Promise.all([import('pdfkit'), loadFaces()]);
  const document = new PDFDocument({
    autoFirstPage: false,
    // Null: no Helvetica that nothing is written in.
    font: null as unknown as string,
    info: {
      Title: title,
      Producer: 'Waybill',
      Creator: 'Waybill',
      CreationDate: new Date(`${day}T00:00:00Z`),
    },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => document.once('end', resolve).once('error', reject));
  for (const [weight, { font }] of Object.entries(faces)) {
    // pdfkit takes a font that was parsed already; its types do not know yet.
    document.registerFont(weight, font as unknown as Uint8Array);
  }
  let first = true;
  for (const { width, height, elements } of pages) {
    // A long manifest holds up nothing else for more than a page.
    if (!first) await breathe();
    first = false;
    document.addPage({ size: [width, height], margin: 0 });
    for (const element of elements) draw(document, element);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function draw(document: Document, element: Element): void {
  if (element.kind === 'barcode') drawBars(document, element);
  else if (element.kind === 'rectangle') {
    const { x, y, width, height, border } = element;
    if (border === null) document.rect(x, y, width, height).fill('black');
    else {
      document
        .lineWidth(border)
        .rect(x + border / 2, y + border / 2, width - border, height - border)
        .stroke('black');
    }
  } else {
    const { x, baseline, align, size, weight, white, text } = element;
    document
      .font(weight)
      .fontSize(size)
      .fillColor(white ? 'white' : 'black');
    const width = align === 'left' ? 0 : document.widthOfString(text);
    const start = align === 'left' ? x : x - (align === 'center' ? width / 2 : width);
    document.text(text, start, baseline, { lineBreak: false, baseline: 'alphabetic' });
  }
}

function drawBars(document: Document, { x, y, width, height, symbol }: Barcode): void {
  const dots = moduleDots(symbol, width / pointsPerInch, printerDpi);
  const module = (dots * pointsPerInch) / printerDpi;
  let at = x + (width - symbol.modules * module) / 2;
  symbol.widths.forEach((modules, index) => {
    if (index % 2 === 0) document.rect(at, y, modules * module, height);
    at += modules * module;
  });
  document.fill('black');
}
