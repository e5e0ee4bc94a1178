// Many random labels in every form, drawn and read back; says what drew and what read. `npm run labels -- --count 1000`.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { renderPdf } from '../../src/labels/pdf.ts';
import { renderZpl } from '../../src/labels/zpl.ts';
import { drawPdf, drawZpl, type Picture } from '../support/draw-papers.ts';
import { type Reader, readers } from '../support/read-barcodes.ts';
import { barcodeText, randomLabels } from './random-labels.ts';

const run = promisify(execFile);
const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.count);
const seed = Number(values.seed);

const folder = await mkdtemp(join(tmpdir(), 'waybill-labels-'));
const installed = async (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  );
const [hasPoppler, hasZbarimg] = [await installed('pdftoppm', '-v'), await installed('zbarimg', '--version')];

/** Debian's zbarimg, where it is installed: the same picture, as a file. */
const zbarimg: Reader = async ({ width, height, grey }) => {
  const file = join(folder, 'picture.pgm');
  await writeFile(file, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]));
  const options = ['-q', '--raw', '--nodbus', '-Sdisable', '-Scode128.enable', file];
  // It ends with 4 where it finds nothing.
  const { stdout } = await run('zbarimg', options).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => line !== '');
};
const allReaders: Record<string, Reader> = { ...readers, ...(hasZbarimg ? { zbarimg } : {}) };

/** Poppler's drawing of the first page, where it is installed. */
async function drawWithPoppler(pdf: Uint8Array): Promise<Picture> {
  const [file, page] = [join(folder, 'label.pdf'), join(folder, 'page')];
  await writeFile(file, pdf);
  await run('pdftoppm', ['-r', '203', '-gray', '-singlefile', file, page]);
  const bytes = await readFile(`${page}.pgm`);
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 40))!;
  return {
    width: Number(width),
    height: Number(height),
    grey: new Uint8Array(bytes.subarray(header.length)),
  };
}

interface Tally {
  read: number;
  labels: number;
}
const tallies = new Map<string, Tally>();
let failed = 0;

async function read(drawn: string, picture: Picture, expected: string): Promise<void> {
  for (const [reader, found] of Object.entries(allReaders)) {
    const texts = await found(picture);
    const name = `${drawn}, read by ${reader}`;
    const tally = tallies.get(name) ?? { read: 0, labels: 0 };
    tallies.set(name, tally);
    tally.labels += 1;
    if (texts.length === 1 && texts[0] === expected) tally.read += 1;
    else {
      failed += 1;
      console.error(`${name}: ${JSON.stringify(texts)} instead of ${JSON.stringify(expected)}`);
    }
  }
}

try {
  for (const [index, content] of randomLabels(count, seed).entries()) {
    const expected = barcodeText(content);
    const pdf = await renderPdf(content);
    await read('PDF drawn by PDFium', (await drawPdf(pdf, 203))[0]!, expected);
    if (hasPoppler) await read('PDF drawn by Poppler', await drawWithPoppler(pdf), expected);
    for (const dpi of [203, 300] as const) {
      const picture = await drawZpl(await renderZpl(content, dpi), dpi);
      await read(`ZPL ${dpi} dpi drawn by zebrash`, picture, expected);
    }
    if ((index + 1) % 100 === 0) console.error(`${index + 1} of ${count}`);
  }
} finally {
  await rm(folder, { recursive: true });
}

console.log(`${count} random labels, seed ${seed}`);
for (const [name, tally] of tallies) console.log(`${name}: ${tally.read} of ${tally.labels}`);
if (!hasPoppler) console.log('Poppler (pdftoppm) is not installed: left out');
if (!hasZbarimg) console.log('zbarimg is not installed: left out');
process.exitCode = failed === 0 ? 0 : 1;
