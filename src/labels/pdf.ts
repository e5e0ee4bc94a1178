// Pages as PDF: a label with its customs declaration behind it, or the declaration alone.
import type { Customs } from '../carriers/carrier.ts';
import type { LabelContent } from './content.ts';
import { customsPages } from './customs.ts';
import { drawPdf } from './draw-pdf.ts';
import { loadFaces } from './fonts.ts';
import { labelPage } from './layout.ts';
import { mustBePrintable } from './printable.ts';

/**
 * A label of 4x6 in (288x432 pt), and one more page or several of the same size where there is a customs declaration.
 *
 * @throws RangeError for what cannot be printed (ask `unprintable` first) and for a tracking code that its barcode
 * cannot carry
 */
export async function renderPdf(content: LabelContent): Promise<Uint8Array> {
  const faces = await loadFaces();
  const pages = [labelPage(content, faces), ...customsPages(content, faces)];
  return drawPdf(pages, { title: `Label ${content.trackingCode}`, day: content.shippingDate });
}

/**
 * The customs declaration without the label: what goes with a label in ZPL, which has no pages.
 *
 * @throws RangeError for what cannot be printed
 */
export async function renderCustomsPdf(content: LabelContent & { customs: Customs }): Promise<Uint8Array> {
  mustBePrintable(content);
  const pages = customsPages(content, await loadFaces());
  return drawPdf(pages, { title: `Customs ${content.trackingCode}`, day: content.shippingDate });
}
