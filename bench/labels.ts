// Measures how long labels, customs declarations and manifests take to draw. `npm run bench:labels [labels of each kind]`.
import { cpus } from 'node:os';
import type { LabelContent } from '../src/labels/content.ts';
import { renderManifestPdf } from '../src/labels/manifest-pdf.ts';
import { renderPdf } from '../src/labels/pdf.ts';
import { renderZpl } from '../src/labels/zpl.ts';
import { customsDeclaration, labelAddress, labelContent, poland } from '../test/support/label-content.ts';

const count = Number(process.argv[2] ?? 1000);
const rounds = 5;

/** No two are alike, so that nothing is drawn from memory. */
function numbered(content: LabelContent, index: number): LabelContent {
  const serial = String(index).padStart(8, '0');
  const shipTo = { ...content.shipTo, street1: `${index} ${content.shipTo.street1}` };
  return { ...content, shipTo, reference: `SO-${index}`, trackingCode: `94001112062064${serial}` };
}

const home = labelContent({ sample: true });
const abroad = labelContent({ shipTo: poland, symbology: 'code-128', customs: customsDeclaration });

const drawings: Record<string, (index: number) => Promise<{ length: number }>> = {
  'PDF, letters of ASCII': (index) => renderPdf(numbered(home, index)),
  'PDF, Polish, with customs': (index) => renderPdf(numbered(abroad, index)),
  'ZPL 203 dpi, letters of ASCII': (index) => renderZpl(numbered(home, index), 203),
  'ZPL 300 dpi, letters of ASCII': (index) => renderZpl(numbered(home, index), 300),
  'ZPL 203 dpi, Polish': (index) => renderZpl(numbered(abroad, index), 203),
  'ZPL 300 dpi, Polish': (index) => renderZpl(numbered(abroad, index), 300),
};

/** The median round, so that a moment when the machine did something else does not count. */
async function millisecondsEach(draw: (index: number) => Promise<{ length: number }>, perRound: number) {
  const took: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    for (let index = 0; index < perRound; index += 1)
      ({ length: bytes } = await draw(round * perRound + index));
    took.push((performance.now() - began) / perRound);
  }
  took.sort((a, b) => a - b);
  return { median: took[rounds >> 1]!, bytes };
}

const told = (name: string, { median, bytes }: { median: number; bytes: number }) =>
  console.log(`| ${name} | ${median.toFixed(2)} | ${bytes.toLocaleString('en')} |`);

console.log(`${cpus()[0]?.model}, Node ${process.version}, ${count} of each kind, one process\n`);
console.log('| What | Milliseconds each | Bytes |\n|---|---|---|');
for (const draw of Object.values(drawings)) for (let index = 0; index < 100; index += 1) await draw(index);
for (const [name, draw] of Object.entries(drawings)) {
  told(name, await millisecondsEach(draw, Math.ceil(count / rounds)));
}
for (const parcels of [100, 10_000]) {
  const content = {
    sample: false,
    carrierName: 'USPS',
    accountDescription: 'Main account',
    shipFrom: labelAddress(),
    date: '2026-11-21',
    acceptanceCode: '9475711201080805483016',
    parcels: Array.from({ length: parcels }, (_, index) => numbered(home, index)),
  };
  told(
    `Manifest of ${parcels.toLocaleString('en')}`,
    await millisecondsEach(() => renderManifestPdf(content), 1),
  );
}
