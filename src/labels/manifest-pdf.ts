// The paper of a day's end: all parcels of one account, under one barcode that accepts them together.
import { addressLines } from './address-lines.ts';
import { code128 } from './code128.ts';
import type { LabelAddress, Weight } from './content.ts';
import { drawPdf } from './draw-pdf.ts';
import { fitBlock, fitLine } from './fit.ts';
import { type Faces, loadFaces } from './fonts.ts';
import {
  band,
  black,
  dayText,
  type Element,
  lines,
  type Page,
  sampleText,
  text,
  weightText,
} from './layout.ts';
import { legible } from './printable.ts';
import { totalWeight } from './totals.ts';

export interface ManifestParcel {
  trackingCode: string;
  serviceName: string;
  weight: Weight;
  shipTo: Pick<LabelAddress, 'city' | 'state' | 'postalCode' | 'country'>;
}

/** A closed day. Of the same content the same bytes are drawn. */
export interface ManifestContent {
  /** No carrier stands behind it. */
  sample: boolean;
  carrierName: string;
  accountDescription: string;
  shipFrom: LabelAddress;
  /** The calendar day, `YYYY-MM-DD`. */
  date: string;
  /** What the barcode says, in Code 128: up to 36 ASCII characters, or 72 digits. */
  acceptanceCode: string;
  parcels: readonly ManifestParcel[];
}

const [pageWidth, pageHeight] = [612, 792];
const [left, right, top, bottom] = [36, 576, 36, 756];
const rowHeight = 12;
const textSize = 7.5;
const [firstRows, laterRows] = [270, 90];
const rowsOnFirst = Math.floor((bottom - firstRows) / rowHeight);
const rowsOnLater = Math.floor((bottom - laterRows) / rowHeight);

const columns = [
  { heading: '#', x: left + 24, width: 24, align: 'right' },
  { heading: 'TRACKING NUMBER', x: left + 34, width: 156, align: 'left' },
  { heading: 'SERVICE', x: left + 198, width: 130, align: 'left' },
  { heading: 'WEIGHT', x: left + 380, width: 46, align: 'right' },
  { heading: 'DESTINATION', x: left + 392, width: right - left - 392, align: 'left' },
] as const;

/**
 * On letter paper, 40 parcels on the first page and 55 on each after it. Characters that cannot be printed are
 * question marks here: parcels that are labelled must be handed over.
 *
 * @throws RangeError for an acceptance code that no barcode carries
 */
export async function renderManifestPdf(content: ManifestContent): Promise<Uint8Array> {
  const faces = await loadFaces();
  const title = `Manifest ${content.acceptanceCode}`;
  return drawPdf(manifestPages(content, faces), { title, day: content.date });
}

/** One after the other, so that a long one is not in memory twice. */
function* manifestPages(content: ManifestContent, faces: Faces): Generator<Page> {
  const { parcels } = content;
  const pages = 1 + Math.ceil(Math.max(0, parcels.length - rowsOnFirst) / rowsOnLater);
  let listed = 0;
  for (let number = 1; number <= pages; number += 1) {
    const first = number === 1;
    const y = first ? firstRows : laterRows;
    const rows = parcels.slice(listed, listed + (first ? rowsOnFirst : rowsOnLater));
    const elements = [
      ...heading(content, faces),
      ...(first ? summary(content, faces) : []),
      ...columns.map(({ heading, x, align }) => text(heading, x, y - 5, 6, { align })),
      black(left, y - 1, right - left, 1),
      ...rows.flatMap((parcel, index) => parcelRow(parcel, listed + index + 1, y + index * rowHeight, faces)),
      text(`PAGE ${number} OF ${pages}`, right, bottom + 18, 7, { align: 'right' }),
      text(content.acceptanceCode, left, bottom + 18, 7),
    ];
    listed += rows.length;
    yield { width: pageWidth, height: pageHeight, elements };
  }
}

function heading(content: ManifestContent, faces: Faces): Element[] {
  const carrier = fitLine(legible(content.carrierName), faces.bold, { width: 300, size: 14, sizeMin: 8 });
  return [
    text('MANIFEST', left, top + 14, 16),
    text(carrier.lines[0]!, right, top + 14, carrier.size, { align: 'right' }),
    black(left, top + 20, right - left, 1.5),
    ...(content.sample ? band(sampleText, left, top + 20, right - left, 18) : []),
  ];
}

function summary(content: ManifestContent, faces: Faces): Element[] {
  const { parcels, shipFrom, date, accountDescription, acceptanceCode } = content;
  const unit = parcels[0]?.weight.unit ?? 'lb';
  const weights = parcels.map(({ weight }) => ({ weight: weight.value, weightUnit: weight.unit }));
  const facts = [
    ['DATE', dayText(date)],
    ['ACCOUNT', legible(accountDescription)],
    ['PARCELS', String(parcels.length)],
    ['TOTAL WEIGHT', weightText({ value: totalWeight(weights, unit) ?? 0, unit })],
  ];
  const address = addressLines(shipFrom, true).map(legible);
  const block = fitBlock(address, faces.regular, { width: 250, height: 76, size: 9, sizeMin: 5.5 });
  const y = top + 40;
  return [
    text('SHIPPED FROM', left, y + 12, 6.5),
    ...lines(block.lines, left, y + 15, block.size, 'regular'),
    ...facts.flatMap(([name, value], index) => {
      const fitted = fitLine(value!, faces.bold, { width: 180, size: 9.5, sizeMin: 6 });
      const baseline = y + 14 + index * 15;
      return [
        text(name!, 330, baseline, 6.5, { weight: 'regular' }),
        text(fitted.lines[0]!, right, baseline, fitted.size, { align: 'right' }),
      ];
    }),
    { kind: 'barcode', x: left, y: y + 98, width: 320, height: 50, symbol: code128(acceptanceCode) },
    text(acceptanceCode, left + 160, y + 161, 9, { align: 'center' }),
    ...['RECEIVED BY', 'DATE AND TIME'].flatMap((name, index) => [
      black(376, y + 120 + index * 32, right - 376, 0.5),
      text(name, 376, y + 128 + index * 32, 6, { weight: 'regular' }),
    ]),
  ];
}

function parcelRow(parcel: ManifestParcel, number: number, y: number, faces: Faces): Element[] {
  const { city, state, postalCode, country } = parcel.shipTo;
  const destination = [city, state, postalCode, country].map(legible).filter((part) => part !== '');
  const written = [
    String(number),
    parcel.trackingCode,
    legible(parcel.serviceName),
    weightText(parcel.weight),
    destination.join(' '),
  ];
  return [
    ...columns.map(({ x, width, align }, index) => {
      const face = index === 1 ? 'bold' : 'regular';
      const fitted = fitLine(written[index]!, faces[face], { width, size: textSize, sizeMin: 5 });
      return text(fitted.lines[0]!, x, y + 8.5, fitted.size, { align, weight: face });
    }),
    black(left, y + rowHeight - 1, right - left, 0.25),
  ];
}
