// ZPL labels, as zebrash draws them and two readers read them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { blackness, drawZpl, type Picture } from '../../test/support/draw-papers.ts';
import { customsDeclaration, labelAddress, labelContent, poland } from '../../test/support/label-content.ts';
import { readBarcode } from '../../test/support/read-barcodes.ts';
import { renderZpl } from './zpl.ts';

/** The two first lines of the receiver's address, in inches. */
const receiver = { x: 0.2, y: 2.1, width: 3.6, height: 0.5 };

test('one label of 4x6 in at either resolution, and its barcode says the tracking number', async () => {
  const sizes = { 203: '^PW812^LL1218', 300: '^PW1200^LL1800' };
  for (const dpi of [203, 300] as const) {
    const zpl = await renderZpl(labelContent({ sample: true }), dpi);
    assert.ok(zpl.startsWith('^XA') && zpl.endsWith('^XZ\n'));
    assert.ok(zpl.includes(sizes[dpi]));
    assert.deepEqual(await readBarcode(await drawZpl(zpl, dpi)), ['42020020\u001d9400111206206406260787']);
    const ups = labelContent({ trackingCode: '1Z5R89390357567127', symbology: 'code-128' });
    assert.deepEqual(await readBarcode(await drawZpl(await renderZpl(ups, dpi), dpi)), [
      '1Z5R89390357567127',
    ]);
  }
});

test('the postal barcode has both FNC1 written out', async () => {
  const zpl = await renderZpl(labelContent(), 203);
  assert.match(zpl, /\^BY3\^FO\d+,\d+\^BCN,\d+,N,N,N,N\^FH\^FD>;>842020020>89400111206206406260787\^FS/);
});

test('no field can carry a command, and what it says is printed', async () => {
  const commands = ['^XZ^XA~JR', '^FS^FO0,0^GB812,1218,812^FS', '_5EXZ', '\\&^XZ', '~DGR:X', '>8^XZ'];
  const [name, company, street1, street2, reference, note] = commands as [string, ...string[]];
  const fields = (written: boolean) =>
    labelContent({
      trackingCode: 'A^B~C\\D_E>FG',
      symbology: 'code-128',
      serviceName: written ? '^XZ~JA' : 'x',
      shipTo: labelAddress(
        written ? { name, company: company!, street1: street1!, street2: street2! } : { company: 'x' },
      ),
      reference: written ? reference! : 'x',
      notes: [written ? note! : 'x'],
    });
  const zpl = await renderZpl(fields(true), 203);
  const kinds = (text: string) => text.match(/[\^~][A-Z][A-Z0-9]/g)!.sort();
  assert.deepEqual(kinds(zpl), kinds(await renderZpl(fields(false), 203)));
  const picture = await drawZpl(zpl, 203);
  assert.deepEqual(await readBarcode(picture), ['A^B~C\\D_E>FG']);
  assert.ok(blackness(picture, 203, receiver) > 0.02);
});

test('it is ASCII alone: letters of the printer’s font are their bytes, others pictures', async () => {
  const zpl = await renderZpl(labelContent({ shipTo: poland, reference: 'Zoë', symbology: 'code-128' }), 203);
  assert.match(zpl, /^[\x20-\x7e\n]*$/);
  assert.match(zpl, /\^CI28/);
  assert.match(zpl, /\^FDREF Zo_C3_AB\^FS/);
  assert.equal(zpl.match(/\^GFA,/g)?.length, 4);
  assert.ok(zpl.includes('^FDPOLAND^FS'));
});

test('pictures of letters are as black as the printer’s own, and stand in the same place', async () => {
  const plain = labelAddress({ name: 'Nguyen Thi Anh Tuyet', street1: 'Lodz Ulica', street2: null });
  const accents = { ...plain, name: 'Nguyễn Thị Ánh Tuyết', street1: 'Łódź Ulica' };
  for (const dpi of [203, 300] as const) {
    const draw = async (shipTo: typeof plain): Promise<Picture> =>
      drawZpl(await renderZpl(labelContent({ shipTo }), dpi), dpi);
    const [font, pictures] = [await draw(plain), await draw(accents)];
    const ratio = blackness(pictures, dpi, receiver) / blackness(font, dpi, receiver);
    assert.ok(ratio > 0.8 && ratio < 1.4, `${ratio} at ${dpi} dpi`);
    assert.equal(blackness(pictures, dpi, { ...receiver, x: 3.2, width: 0.6 }), 0);
  }
});

test('however long the fields, the barcode and all about it stay as they were', async () => {
  const long = 'Wolfeschlegelsteinhausenbergerdorff the Elder and his Sons Ltd '.repeat(4);
  const address = labelAddress({
    name: long,
    company: `ł${long}`,
    street1: long,
    street2: 'W'.repeat(255),
    city: long,
  });
  const content = labelContent({
    serviceName: long,
    shipFrom: address,
    shipTo: address,
    reference: long,
    notes: [long, `ł${long}`],
  });
  const [short, drawn] = [
    await drawZpl(await renderZpl(labelContent(), 203), 203),
    await drawZpl(await renderZpl(content, 203), 203),
  ];
  const zone = ({ width, grey }: Picture) =>
    grey.subarray(width * Math.round(3.65 * 203), width * Math.round(5.34 * 203));
  assert.equal(Buffer.compare(zone(drawn), zone(short)), 0);
});

test('SAMPLE is in black bands where it is one', async () => {
  const band = { x: 0.1, y: 1.1, width: 3.8, height: 0.24 };
  const draw = async (sample: boolean) => drawZpl(await renderZpl(labelContent({ sample }), 203), 203);
  const black = blackness(await draw(true), 203, band);
  // White letters are cut out of it.
  assert.ok(black > 0.6 && black < 0.97, String(black));
  assert.ok(blackness(await draw(false), 203, band) < 0.3);
});

test('the same content is the same text, and customs add nothing', async () => {
  const content = labelContent({ shipTo: poland, symbology: 'code-128' });
  const first = await renderZpl(content, 300);
  assert.equal(await renderZpl(structuredClone(content), 300), first);
  assert.equal(await renderZpl({ ...content, customs: customsDeclaration }, 300), first);
});

test('what cannot be printed is refused by its field', async () => {
  const greek = labelContent({ shipTo: labelAddress({ city: 'Αθήνα' }) });
  await assert.rejects(renderZpl(greek, 203), { name: 'RangeError', message: /\/shipTo\/city/ });
});
