// Symbols are what two readers say they are, whatever the text; what no barcode carries is refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Picture } from '../../test/support/draw-papers.ts';
import { readBarcode } from '../../test/support/read-barcodes.ts';
import { code128, moduleDots, postalGs1, type Symbol128 } from './code128.ts';

/** The bars alone, three dots a module, ten modules of white about them. */
function picture({ widths, modules }: Symbol128): Picture {
  const [width, height] = [(modules + 20) * 3, 90];
  const grey = new Uint8Array(width * height).fill(255);
  let at = 30;
  widths.forEach((module, index) => {
    for (let y = 30; y < 60 && index % 2 === 0; y += 1) {
      grey.fill(0, y * width + at, y * width + at + module * 3);
    }
    at += module * 3;
  });
  return { width, height, grey };
}

test('every printable ASCII character is read back', async () => {
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  for (let from = 0; from < all.length; from += 19) {
    const text = `A${all.slice(from, from + 19).join('')}Z`;
    assert.deepEqual(await readBarcode(picture(code128(text))), [text]);
  }
});

test('any text of letters, digits and signs is read back', async () => {
  const sign = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(
    fc.string({ unit: sign, minLength: 3, maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 3, maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (text) =>
      assert.deepEqual(await readBarcode(picture(code128(text))), [text]),
    ),
    { numRuns: 60 },
  );
});

test('the postal barcode is AI 420, the ZIP code, FNC1 and the number', async () => {
  const symbol = postalGs1('20020', '9400111206206406260787');
  assert.deepEqual(await readBarcode(picture(symbol)), ['42020020\u001d9400111206206406260787']);
  assert.equal(symbol.zpl, '>;>842020020>89400111206206406260787');
  // Start, two FNC1, 4 + 11 pairs, check: 19 characters of 11 modules, and the stop of 13.
  assert.equal(symbol.modules, 19 * 11 + 13);
});

test('what no barcode carries is refused', () => {
  for (const text of ['', 'Łódź', 'a\nb']) assert.throws(() => code128(text), RangeError);
  const codes = ['940011120620640626078', '1Z5R89390357567127', ''];
  for (const code of codes) assert.throws(() => postalGs1('20020', code), RangeError);
  assert.throws(() => postalGs1('2002', '9400111206206406260787'), RangeError);
});

test('a module is a whole number of dots that leaves ten modules of white on either side', () => {
  const zone = 276 / 72;
  for (const dpi of [203, 300]) {
    for (const text of ['1Z5R89390357567127', '9'.repeat(34), 'x'.repeat(29)]) {
      const symbol = code128(text);
      const dots = moduleDots(symbol, zone, dpi);
      assert.ok(Number.isInteger(dots) && dots / dpi >= 0.0095 && dots / dpi <= 0.015, `${text}: ${dots}`);
      assert.ok((symbol.modules + 20) * dots <= zone * dpi, text);
    }
    assert.throws(() => moduleDots(code128('x'.repeat(31)), zone, dpi), RangeError);
  }
});
