// The short form of `npm run labels`: random labels in every form, drawn by other people's renderers and read back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { renderPdf } from '../../src/labels/pdf.ts';
import { renderZpl } from '../../src/labels/zpl.ts';
import { drawPdf, drawZpl } from '../support/draw-papers.ts';
import { readBarcode } from '../support/read-barcodes.ts';
import { barcodeText, randomLabels } from './random-labels.ts';

for (const [index, content] of randomLabels(12, 20_261_121).entries()) {
  const expected = [barcodeText(content)];
  const dpi = index % 2 === 0 ? 203 : 300;
  test(`two readers read ${JSON.stringify(content.trackingCode)} from the PDF and from ZPL at ${dpi} dpi`, async () => {
    const [page] = await drawPdf(await renderPdf(content), 203);
    assert.deepEqual(await readBarcode(page!), expected);
    assert.deepEqual(await readBarcode(await drawZpl(await renderZpl(content, dpi), dpi)), expected);
  });
}
