// Draws labels and manifests as a printer would, with renderers that know nothing of Waybill: grey pictures, one byte a dot.
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PNG } from 'pngjs';
import { ready } from 'zpl-renderer-js';
import type { ZplDpi } from '../../src/carriers/carrier.ts';

export interface Picture {
  width: number;
  height: number;
  /** 0 is black, 255 white. */
  grey: Uint8Array;
}

export interface DrawnPage extends Picture {
  /** In points. */
  size: { width: number; height: number };
  text: string;
}

const pdfium = await PDFiumLibrary.init();
const { api } = await ready;

/** Every page, by PDFium, the renderer of Chrome. */
export async function drawPdf(bytes: Uint8Array, dpi: number): Promise<DrawnPage[]> {
  const document = await pdfium.loadDocument(bytes);
  const pages: DrawnPage[] = [];
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    // Before it is drawn: afterwards PDFium finds no way into it.
    const text = page.getText().replaceAll(/\s+/g, ' ');
    const drawn = await page.render({ scale: dpi / 72, colorSpace: 'Gray', render: 'bitmap' });
    pages.push({
      width: drawn.width,
      height: drawn.height,
      grey: drawn.data,
      size: { width: originalWidth, height: originalHeight },
      text,
    });
  }
  document.destroy();
  return pages;
}

/** By zebrash, on a little more paper than the label has. */
export async function drawZpl(zpl: string, dpi: ZplDpi): Promise<Picture> {
  const dotsPerMm = dpi === 203 ? 8 : 12;
  const png = Buffer.from(await api.zplToBase64Async(zpl, 101.6, 152.4, dotsPerMm), 'base64');
  const { width, height, data } = PNG.sync.read(png);
  return { width, height, grey: Uint8Array.from({ length: width * height }, (_, dot) => data[dot * 4]!) };
}

/** Of a part of a picture, in inches from the upper left corner, how much is black: 0 to 1. */
export function blackness(
  { width, grey }: Picture,
  dpi: number,
  part: { x: number; y: number; width: number; height: number },
): number {
  const dots = (inches: number) => Math.round(inches * dpi);
  let black = 0;
  let all = 0;
  for (let y = dots(part.y); y < dots(part.y + part.height); y += 1) {
    for (let x = dots(part.x); x < dots(part.x + part.width); x += 1) {
      all += 1;
      if (grey[y * width + x]! < 128) black += 1;
    }
  }
  return black / all;
}
