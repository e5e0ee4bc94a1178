// PDF labels, as PDFium draws them and two readers read them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { blackness, drawPdf } from '../../test/support/draw-papers.ts';
import { customsDeclaration, labelAddress, labelContent, poland } from '../../test/support/label-content.ts';
import { readBarcode } from '../../test/support/read-barcodes.ts';
import { symbologyOf } from './content.ts';
import { renderCustomsPdf, renderPdf } from './pdf.ts';

const run = promisify(execFile);
const postal = '42020020\u001d9400111206206406260787';

test('one page of exactly 4x6 in says what the content says, and its barcode the tracking number', async () => {
  const pages = await drawPdf(await renderPdf(labelContent({ notes: ['Signature required'] })), 203);
  assert.equal(pages.length, 1);
  const [page] = pages;
  assert.deepEqual(page!.size, { width: 288, height: 432 });
  assert.deepEqual(await readBarcode(page!), [postal]);
  for (const said of [
    'USPS',
    'GROUND ADVANTAGE',
    '21 NOV 2026',
    '2.5 LB',
    'PACKAGE 1 OF 1',
    'North Warehouse 560 Penstock Drive Grass Valley, CA 95945',
    'Ada Byron 1745 T Street Southeast Apt 4B Washington, DC 20020-1234',
    '9400 1112 0620 6406 2607 87',
    'REF SO-1001',
    'Signature required',
  ]) {
    assert.ok(page!.text.includes(said), `${said} is not in: ${page!.text}`);
  }
});

test('any printer’s resolution does for the readers', async () => {
  const pdf = await renderPdf(labelContent({ trackingCode: '1Z5R89390357567127', symbology: 'code-128' }));
  for (const dpi of [150, 203, 300, 600]) {
    const [page] = await drawPdf(pdf, dpi);
    assert.deepEqual(await readBarcode(page!), ['1Z5R89390357567127'], `${dpi} dpi`);
  }
});

test('accents of every Latin script are there', async () => {
  const [page] = await drawPdf(await renderPdf(labelContent({ shipTo: poland, symbology: 'code-128' })), 203);
  for (const said of [
    'Zażółć Gęślą Jaźń',
    'Łódzkie Zakłady',
    '90-001 Łódź',
    'POLAND',
    'TEL +48 42 123 45 67',
  ]) {
    assert.ok(page!.text.includes(said), `${said} is not in: ${page!.text}`);
  }
});

test('the same content is the same file, whatever was drawn before, in whichever process', async () => {
  const content = labelContent({ shipTo: poland, symbology: 'code-128', customs: customsDeclaration });
  const first = await renderPdf(content);
  await renderPdf(labelContent({ shipTo: labelAddress({ name: 'ćęłńóśźż E̱ĉ’ʼ' }) }));
  assert.deepEqual(await renderPdf(structuredClone(content)), first);
  assert.notDeepEqual(await renderPdf({ ...content, reference: 'SO-1002' }), first);
  const program = `
    import { renderPdf } from ${JSON.stringify(new URL('pdf.ts', import.meta.url))};
    process.stdout.write(await renderPdf(${JSON.stringify(content)}));`;
  const options = { encoding: 'buffer' } as const;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], options);
  assert.equal(Buffer.compare(stdout, first), 0);
});

test('SAMPLE is written where it is one, in black bands that leave the barcode alone', async () => {
  const [plain] = await drawPdf(await renderPdf(labelContent()), 203);
  const [sample] = await drawPdf(await renderPdf(labelContent({ sample: true })), 203);
  const bands = [
    { x: 0.1, y: 1.1, width: 3.8, height: 0.24 },
    { x: 0.1, y: 5.78, width: 3.8, height: 0.12 },
  ];
  for (const band of bands) {
    assert.ok(blackness(sample!, 203, band) > 0.6);
    assert.ok(blackness(plain!, 203, band) < 0.3);
  }
  assert.match(sample!.text, /SAMPLE – DO NOT SHIP.*SAMPLE – DO NOT SHIP/);
  assert.doesNotMatch(plain!.text, /SAMPLE/);
  assert.deepEqual(await readBarcode(sample!), [postal]);
});

test('however long the fields, the barcode and all about it stay as they were', async () => {
  const [short] = await drawPdf(await renderPdf(labelContent({ reference: null })), 203);
  const long = 'Wolfeschlegelsteinhausenbergerdorff the Elder and his Sons Ltd '.repeat(4);
  const address = { name: long, company: long, street1: long, street2: 'x'.repeat(255), city: long };
  const content = labelContent({
    serviceName: long,
    shipFrom: labelAddress({ ...address, phone: long }),
    shipTo: labelAddress(address),
    reference: long,
    notes: [long, long, long, long],
  });
  const [drawn] = await drawPdf(await renderPdf(content), 203);
  const zone = (grey: Uint8Array) =>
    grey.subarray(812 * Math.round(3.65 * 203), 812 * Math.round(5.34 * 203));
  assert.equal(Buffer.compare(zone(drawn!.grey), zone(short!.grey)), 0);
  assert.match(drawn!.text, /DC 20020-1234/);
});

test('a name of 60 characters is there from end to end', async () => {
  const name = 'Maximiliana Konstantina von Hohenzollern-Sigmaringen Nassau';
  const [page] = await drawPdf(await renderPdf(labelContent({ shipTo: labelAddress({ name }) })), 203);
  assert.ok(page!.text.includes(name), page!.text);
});

test('the sender is the return address, with the postal code that the parcel leaves from', async () => {
  const returnAddress = labelAddress({
    name: 'Returns',
    street1: '1 Main St',
    city: 'Springfield',
    state: 'IL',
  });
  const [page] = await drawPdf(await renderPdf(labelContent({ returnAddress })), 203);
  assert.match(page!.text, /Returns 1 Main St/);
  assert.match(page!.text, /SHIPPED FROM 95945/);
  assert.doesNotMatch(page!.text, /North Warehouse/);
});

test('customs: a page more, with every item and exact totals', async () => {
  const content = labelContent({ shipTo: poland, symbology: 'code-128', customs: customsDeclaration });
  const pages = await drawPdf(await renderPdf(content), 203);
  assert.equal(pages.length, 2);
  const [label, customs] = pages;
  assert.deepEqual(customs!.size, { width: 288, height: 432 });
  assert.deepEqual(await readBarcode(label!), ['9400111206206406260787']);
  for (const said of [
    'CUSTOMS DECLARATION',
    'Merchandise',
    'Return to sender',
    'DDP',
    'NOEEI 30.37(a)',
    'UNITED STATES',
    'POLAND',
    'Enamel mug',
    'HS 7323.94 · Origin CHINA · SKU MUG-BLUE-03',
    '18 OZ 25.10 USD',
    'TOTAL 3 1.566 LB 45.09 USD',
    'Gross weight 2.5 LB',
    'Ada Byron 21 NOV 2026',
  ]) {
    assert.ok(customs!.text.includes(said), `${said} is not in: ${customs!.text}`);
  }
});

test('customs alone: the same pages, without the label', async () => {
  const content = { ...labelContent({ shipTo: poland, symbology: 'code-128' }), customs: customsDeclaration };
  const [, behind] = await drawPdf(await renderPdf(content), 100);
  const [alone, ...others] = await drawPdf(await renderCustomsPdf(content), 100);
  assert.equal(others.length, 0);
  assert.equal(alone!.text, behind!.text);
  assert.equal(Buffer.compare(alone!.grey, behind!.grey), 0);
  const cyrillic = { ...content, customs: { ...customsDeclaration, signer: 'Иван' } };
  await assert.rejects(renderCustomsPdf(cyrillic), /\/customs\/signer/);
});

test('customs of many items go on over pages, each item once, totals on the last', async () => {
  const [mug] = customsDeclaration.items;
  const items = Array.from({ length: 60 }, (_, index) => ({
    ...mug!,
    description: `Item-${index + 1} ${'of a kind that takes long to tell '.repeat(index % 3)}`,
    currency: index % 2 === 0 ? 'usd' : 'eur',
    weight: index === 7 ? null : 18,
  }));
  const content = labelContent({
    sample: true,
    shipTo: poland,
    symbology: 'code-128',
    customs: { ...customsDeclaration, items },
  });
  const [, ...pages] = await drawPdf(await renderPdf(content), 100);
  const found = pages.flatMap(({ text }) => text.match(/Item-\d+/g) ?? []);
  assert.deepEqual(
    found,
    items.map((_, index) => `Item-${index + 1}`),
  );
  assert.ok(pages.every(({ text }) => text.includes('SAMPLE')));
  assert.deepEqual(
    pages.map(({ text }) => /PAGE (\d+) OF/.exec(text)?.[1]),
    pages.map((_, index) => String(index + 1)),
  );
  assert.ok(pages.slice(0, -1).every(({ text }) => !text.includes('TOTAL')));
  assert.match(pages.at(-1)!.text, /TOTAL 120 –/);
  assert.match(pages.at(-1)!.text, /753\.00 USD \+ 753\.00 EUR/);
});

test('what cannot be printed is refused by its field, a tracking code by its barcode', async () => {
  const cyrillic = labelContent({ shipTo: labelAddress({ name: 'Иван' }) });
  await assert.rejects(renderPdf(cyrillic), { name: 'RangeError', message: /\/shipTo\/name \(Иван\)/ });
  const noZip = labelContent({ shipTo: labelAddress({ postalCode: null }) });
  await assert.rejects(renderPdf(noZip), RangeError);
  const long = labelContent({ trackingCode: 'x'.repeat(60), symbology: 'code-128' });
  await assert.rejects(renderPdf(long), /too long/);
});

test('the postal barcode is for 22 digits of the post that go to a ZIP code', () => {
  const to = (country: string, postalCode: string | null) => ({ country, postalCode });
  assert.equal(symbologyOf('9400111206206406260787', to('us', '20020-1234')), 'gs1-128-postal');
  assert.equal(symbologyOf('9205590164917312751089', to('PR', '00901')), 'gs1-128-postal');
  assert.equal(symbologyOf('9400111206206406260787', to('CA', 'K1A 0B1')), 'code-128');
  assert.equal(symbologyOf('9400111206206406260787', to('US', null)), 'code-128');
  assert.equal(symbologyOf('9611020987654312345672', to('US', '20020')), 'code-128');
  assert.equal(symbologyOf('1Z5R89390357567127', to('US', '20020')), 'code-128');
});
