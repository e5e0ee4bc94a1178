// Reads the barcodes of a picture back, with two readers that have no code in common.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scanGrayBuffer } from '@undecaf/zbar-wasm';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Picture } from './draw-papers.ts';

// Given here, or it would be asked for over the network.
const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
await prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer }, fireImmediately: true });

export type Reader = (picture: Picture) => Promise<string[]>;

/** Every Code 128 that they find, as text; FNC1 within it is the separator U+001D. */
export const readers: Record<'zxing' | 'zbar', Reader> = {
  async zxing({ width, height, grey }) {
    const dots = Uint32Array.from(grey, (value) => (0xff000000 | (value * 0x010101)) >>> 0);
    const data = new Uint8ClampedArray(dots.buffer);
    const image = { width, height, data } as unknown as Parameters<typeof readBarcodes>[0];
    const found = await readBarcodes(image, { formats: ['Code128'], textMode: 'Plain', tryRotate: false });
    return found.map(({ text }) => text);
  },
  async zbar({ width, height, grey }) {
    const found = await scanGrayBuffer(grey.slice().buffer, width, height);
    return found.filter(({ typeName }) => typeName === 'ZBAR_CODE128').map((symbol) => symbol.decode());
  },
};

/** What both say; a difference between them is an error. */
export async function readBarcode(picture: Picture): Promise<string[]> {
  const [zxing, zbar] = [await readers.zxing(picture), await readers.zbar(picture)];
  if (zxing.join() !== zbar.join()) throw new Error(`zxing reads ${zxing.join()}, zbar ${zbar.join()}`);
  return zxing;
}
