// Manifests: every parcel once, one barcode, as many pages as it takes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawPdf } from '../../test/support/draw-papers.ts';
import { labelAddress } from '../../test/support/label-content.ts';
import { readBarcode } from '../../test/support/read-barcodes.ts';
import { type ManifestContent, renderManifestPdf } from './manifest-pdf.ts';

function manifest(count: number, parts: Partial<ManifestContent> = {}): ManifestContent {
  return {
    sample: false,
    carrierName: 'USPS',
    accountDescription: 'Main account',
    shipFrom: labelAddress({ name: 'North Warehouse' }),
    date: '2026-11-21',
    acceptanceCode: '9475711201080805483016',
    parcels: Array.from({ length: count }, (_, index) => ({
      trackingCode: `TRACK${String(index).padStart(6, '0')}`,
      serviceName: 'Ground Advantage',
      weight: { value: 1.25, unit: 'lb' },
      shipTo: { city: 'Washington', state: 'DC', postalCode: '20020', country: 'US' },
    })),
    ...parts,
  };
}

const tracked = (text: string) => text.match(/TRACK\d{6}/g) ?? [];

test('letter pages list every parcel once, in order, and are counted', async () => {
  for (const [count, pagesExpected] of [
    [0, 1],
    [40, 1],
    [41, 2],
    [300, 6],
  ] as const) {
    const content = manifest(count);
    const pages = await drawPdf(await renderManifestPdf(content), 40);
    assert.equal(pages.length, pagesExpected, `${count} parcels`);
    assert.deepEqual(
      pages.flatMap(({ text }) => tracked(text)),
      content.parcels.map(({ trackingCode }) => trackingCode),
    );
    pages.forEach(({ size, text }, index) => {
      assert.deepEqual(size, { width: 612, height: 792 });
      assert.match(text, new RegExp(`PAGE ${index + 1} OF ${pagesExpected}`));
    });
  }
});

test('the first page says what is handed over, under the one barcode of them all', async () => {
  const pages = await drawPdf(await renderManifestPdf(manifest(100)), 203);
  assert.deepEqual(await readBarcode(pages[0]!), ['9475711201080805483016']);
  assert.deepEqual(await readBarcode(pages[1]!), []);
  for (const said of [
    'MANIFEST',
    'USPS',
    '21 NOV 2026',
    'Main account',
    'PARCELS 100',
    '125 LB',
    'North Warehouse',
  ]) {
    assert.ok(pages[0]!.text.includes(said), `${said} is not in: ${pages[0]!.text}`);
  }
  assert.match(pages[1]!.text, /41 TRACK000040 Ground Advantage 1\.25 LB Washington DC 20020 US/);
});

test('the longest acceptance codes are read, longer ones refused', async () => {
  for (const acceptanceCode of ['W'.repeat(36), '9'.repeat(72)]) {
    const [page] = await drawPdf(await renderManifestPdf(manifest(1, { acceptanceCode })), 203);
    assert.deepEqual(await readBarcode(page!), [acceptanceCode]);
  }
  await assert.rejects(renderManifestPdf(manifest(1, { acceptanceCode: 'W'.repeat(37) })), RangeError);
});

test('a sample says so on every page', async () => {
  const pages = await drawPdf(await renderManifestPdf(manifest(60, { sample: true })), 40);
  assert.ok(pages.every(({ text }) => text.includes('SAMPLE – DO NOT SHIP')));
});

test('a town that cannot be printed holds no manifest up', async () => {
  const [parcel] = manifest(1).parcels;
  const parcels = [{ ...parcel!, shipTo: { ...parcel!.shipTo, city: 'Москва' } }];
  const [page] = await drawPdf(
    await renderManifestPdf(manifest(0, { parcels, accountDescription: '東京' })),
    40,
  );
  assert.match(page!.text, /\?{6} DC 20020 US/);
});

test('the same content is the same file', async () => {
  assert.deepEqual(await renderManifestPdf(manifest(80)), await renderManifestPdf(manifest(80)));
});
