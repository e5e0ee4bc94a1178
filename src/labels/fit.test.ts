// Text keeps within its place, whatever it is, and says where something is missing.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { cut, fitBlock, fitLine, leading } from './fit.ts';
import { loadFaces } from './fonts.ts';

const { bold } = await loadFaces();
const sign = fc.constantFrom(...'iWmł ế-^~.0 ');
const text = fc.string({ unit: sign, minLength: 1, maxLength: 255 });

test('no line is wider than its place, no block higher', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.integer({ min: 60, max: 280 }), (texts, width) => {
      const { size, lines } = fitBlock(texts, bold, { width, height: 90, size: 14, sizeMin: 6 });
      for (const line of lines) assert.ok(bold.widthOf(line) * size <= width + 1e-6, line);
      assert.ok(lines.length * size * leading <= 90);
    }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 280 }), (text, width) => {
      const { size, lines } = fitLine(text, bold, { width, size: 14, sizeMin: 6 });
      assert.ok(bold.widthOf(lines[0]!) * size <= width + 1e-6, text);
    }),
  );
});

test('what fits is whole: as large as it may be, else smaller, else over two lines', () => {
  const bounds = { width: 200, height: 60, size: 14, sizeMin: 6 };
  assert.deepEqual(fitBlock(['Ada Byron', '1 Main St'], bold, bounds), {
    size: 14,
    lines: ['Ada Byron', '1 Main St'],
  });
  const name = 'Maximiliana Konstantina von Hohenzollern-Sigmaringen zu Bayern';
  const { size, lines } = fitBlock([name, '1 Main St'], bold, bounds);
  assert.equal(lines.join(' '), `${name} 1 Main St`);
  assert.equal(lines.length, 3);
  assert.ok(size < 14 && size > 6);
});

test('what is cut ends in a mark, and no letter loses its accent', () => {
  assert.equal(cut('abc', bold, 10), 'abc');
  assert.match(cut('x'.repeat(100), bold, 10), /^x+…$/);
  const marked = 'e\u0301\u0323'.repeat(40);
  assert.match(cut(marked, bold, 10), /^(e\u0301\u0323)+…$/);
});

test('where a block has too few rows, the first texts give theirs up and every text is still there', () => {
  const texts = Array.from({ length: 7 }, (_, index) => `${index} ${'wide words '.repeat(30)}`);
  const { lines } = fitBlock(texts, bold, { width: 150, height: 7.2 * 9, size: 14, sizeMin: 6 });
  assert.equal(lines.length, 9);
  for (const text of texts)
    assert.ok(
      lines.some((line) => line.startsWith(text.slice(0, 6))),
      text,
    );
});
