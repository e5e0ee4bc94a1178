// A plain customs declaration (what CN 22/23 and a commercial invoice ask for), on pages of a label's size.
import Big from 'big.js';
import type { Customs, CustomsItem, WeightUnit } from '../carriers/carrier.ts';
import { addressLines, countryName } from './address-lines.ts';
import type { LabelContent } from './content.ts';
import { fitBlock, fitLine, twoLines } from './fit.ts';
import type { Faces } from './fonts.ts';
import {
  band,
  black,
  dayText,
  type Element,
  labelHeight,
  labelWidth,
  lines,
  type Page,
  sampleText,
  text,
  weightText,
} from './layout.ts';
import { cleaned } from './printable.ts';
import { amountText, totalValues, totalWeight } from './totals.ts';

const [left, right, top, bottom] = [12, 276, 12, 420];
/** Right edges of the columns with figures. */
const [weightColumn, valueColumn] = [218, right];
const descriptionColumn = left + 26;
const descriptionWidth = 140;
const [rowSize, detailSize] = [7, 5.5];
/** What stands under the last item: totals, certificate and signature. */
const closingHeight = 84;

const contents: Record<Customs['contentsType'], string> = {
  merchandise: 'Merchandise',
  gift: 'Gift',
  documents: 'Documents',
  'returned-goods': 'Returned goods',
  sample: 'Commercial sample',
  other: 'Other',
};

interface Row {
  height: number;
  draw(y: number): Element[];
}

/** As many pages as the items need; none without a declaration. */
export function customsPages(content: LabelContent, faces: Faces): Page[] {
  const { customs } = content;
  if (customs === null) return [];
  const rows = customs.items.map((item) => itemRow(item, faces));
  const pages = splitRows(rows, startOfRows(content, true), startOfRows(content, false));
  return pages.map((rowsOfPage, index) => {
    const first = index === 0;
    let y = startOfRows(content, first);
    const elements = [
      ...title(content, `PAGE ${index + 1} OF ${pages.length}`),
      ...(first ? parties(content, faces) : []),
      ...(first ? facts(content, customs, faces) : []),
      ...columnHeads(y),
    ];
    for (const row of rowsOfPage) {
      elements.push(...row.draw(y));
      y += row.height;
    }
    if (index === pages.length - 1) elements.push(...closing(content, customs, faces, y));
    return { width: labelWidth, height: labelHeight, elements };
  });
}

function startOfRows({ sample }: LabelContent, first: boolean): number {
  return (first ? 168 : 52) + (sample ? 16 : 0);
}

/** Rows page by page; the last page keeps room for what stands under them. */
function splitRows(rows: readonly Row[], firstStart: number, laterStart: number): Row[][] {
  const pages: Row[][] = [[]];
  let y = firstStart;
  for (const row of rows) {
    if (y + row.height > bottom) {
      pages.push([]);
      y = laterStart;
    }
    pages.at(-1)!.push(row);
    y += row.height;
  }
  if (y + closingHeight > bottom) pages.push([]);
  return pages;
}

function title(content: LabelContent, page: string): Element[] {
  return [
    text('CUSTOMS DECLARATION', left, top + 11, 12),
    text(page, right, top + 11, 6.5, { align: 'right' }),
    text(content.trackingCode, left, top + 22, 7.5),
    text('May be opened officially', right, top + 22, 6.5, { align: 'right', weight: 'regular' }),
    black(left, top + 27, right - left, 1),
    ...(content.sample ? band(sampleText, left, top + 28, right - left, 14) : []),
  ];
}

function parties({ shipFrom, shipTo, sample }: LabelContent, faces: Faces): Element[] {
  const y = top + 28 + (sample ? 16 : 0);
  const width = (right - left) / 2 - 6;
  return [
    { heading: 'SENDER', address: shipFrom, x: left },
    { heading: 'ADDRESSEE', address: shipTo, x: left + width + 12 },
  ].flatMap(({ heading, address, x }) => {
    const written = addressLines(address, true);
    const [phone, tax] = [cleaned(address.phone), cleaned(address.taxIdentifier ?? null)];
    if (phone !== '') written.push(`Tel ${phone}`);
    if (tax !== '') written.push(`Tax ID ${tax}`);
    const block = fitBlock(written, faces.regular, { width, height: 62, size: 7, sizeMin: 5 });
    return [text(heading, x, y + 8, 5.5), ...lines(block.lines, x, y + 10, block.size, 'regular')];
  });
}

function facts(content: LabelContent, customs: Customs, faces: Faces): Element[] {
  const y = top + 103 + (content.sample ? 16 : 0);
  const explanation = cleaned(customs.contentsExplanation);
  const undelivered = customs.nonDeliveryOption === 'return' ? 'Return to sender' : 'Treat as abandoned';
  const named = [
    ['Contents', contents[customs.contentsType] + (explanation === '' ? '' : `: ${explanation}`)],
    ['If undeliverable', undelivered],
    ['Incoterm', cleaned(customs.incoterm)],
    ['EEL / PFC', cleaned(customs.eelPfc)],
    ['Reference', cleaned(content.reference)],
  ].filter(([, value]) => value !== '');
  return [
    black(left, y, right - left, 0.5),
    ...named.flatMap(([name, value], index) => {
      const fitted = fitLine(value!, faces.bold, { width: right - left - 62, size: 6.5, sizeMin: 5 });
      const baseline = y + 7.5 + index * 7.6;
      return [
        text(name!, left, baseline, 6.5, { weight: 'regular' }),
        text(fitted.lines[0]!, left + 62, baseline, fitted.size),
      ];
    }),
  ];
}

function columnHeads(y: number): Element[] {
  return [
    black(left, y - 12, right - left, 0.5),
    text('QTY', left, y - 4, 5.5),
    text('DESCRIPTION', descriptionColumn, y - 4, 5.5),
    text('WEIGHT', weightColumn, y - 4, 5.5, { align: 'right' }),
    text('VALUE', valueColumn, y - 4, 5.5, { align: 'right' }),
    black(left, y - 1, right - left, 0.5),
  ];
}

function itemRow(item: CustomsItem, faces: Faces): Row {
  const description = twoLines(cleaned(item.description), faces.bold, descriptionWidth / rowSize);
  const detail = [
    ['HS', item.tariffCode],
    ['Origin', item.countryOfOrigin === null ? null : countryName(item.countryOfOrigin)],
    ['SKU', item.sku],
    ['ECCN', item.eccn],
  ]
    .filter(([, value]) => cleaned(value!) !== '')
    .map(([name, value]) => `${name} ${cleaned(value!)}`)
    .join(' · ');
  const details = detail === '' ? [] : twoLines(detail, faces.regular, descriptionWidth / detailSize);
  const height = description.length * rowSize * 1.2 + details.length * detailSize * 1.2 + 3;
  const weight = knownWeight(item.weight, item.weightUnit);
  const amount = amountText(new Big(item.value), item.currency);
  const columns = (written: string, edge: number, width: number, baseline: number) => {
    const fitted = fitLine(written, faces.regular, { width, size: rowSize, sizeMin: 4.5 });
    return text(fitted.lines[0]!, edge, baseline, fitted.size, { align: 'right', weight: 'regular' });
  };
  return {
    height,
    draw: (y) => [
      columns(String(item.quantity), left + 21, 21, y + 7),
      ...lines(description, descriptionColumn, y + 0.5, rowSize, 'bold'),
      ...lines(
        details,
        descriptionColumn,
        y + 0.5 + description.length * rowSize * 1.2,
        detailSize,
        'regular',
      ),
      columns(weight, weightColumn, 38, y + 7),
      columns(amount, valueColumn, 54, y + 7),
      black(left, y + height - 1, right - left, 0.25),
    ],
  };
}

function closing(content: LabelContent, customs: Customs, faces: Faces, y: number): Element[] {
  const quantity = customs.items.reduce((sum, item) => sum + item.quantity, 0);
  const weight = totalWeight(customs.items, content.weight.unit);
  const values = totalValues(customs.items);
  // Several currencies take the line below, which has room for them.
  const [valueWidth, valueBaseline] = values.length > 1 ? [150, y + 19] : [54, y + 9];
  const value = fitLine(values.join(' + '), faces.bold, { width: valueWidth, size: 7, sizeMin: 4.5 });
  const signer = fitLine(cleaned(customs.signer), faces.bold, { width: 150, size: 7.5, sizeMin: 5 });
  const bounds = { width: right - left, height: 16, size: 6, sizeMin: 5 };
  const block = fitBlock([certificate], faces.regular, bounds);
  return [
    text(`TOTAL ${quantity}`, left, y + 9, 7),
    text(knownWeight(weight, content.weight.unit), weightColumn, y + 9, 7, { align: 'right' }),
    text(value.lines[0]!, valueColumn, valueBaseline, value.size, { align: 'right' }),
    text(`Gross weight ${weightText(content.weight)}`, left, y + 19, 6, { weight: 'regular' }),
    black(left, y + 24, right - left, 1),
    ...lines(block.lines, left, y + 28, block.size, 'regular'),
    text(signer.lines[0]!, left, y + 70, signer.size),
    text(dayText(content.shippingDate), right, y + 70, 7.5, { align: 'right' }),
    black(left, y + 72, right - left, 0.5),
    text('Signed for the sender', left, y + 79, 5.5, { weight: 'regular' }),
    text('Date', right, y + 79, 5.5, { align: 'right', weight: 'regular' }),
  ];
}

const certificate =
  'I certify that the particulars given in this declaration are correct and that the parcel contains ' +
  'no dangerous article and nothing that law, postal or customs regulations prohibit.';

function knownWeight(value: number | null, unit: WeightUnit): string {
  return value === null ? '–' : weightText({ value, unit });
}
