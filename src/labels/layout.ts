// The one layout of a label: what stands where, in points (1/72 in) from the upper left corner, for PDF and ZPL alike.
import { addressLines, leavesCountry } from './address-lines.ts';
import { code128, postalGs1, type Symbol128 } from './code128.ts';
import { type LabelContent, type Weight, zip5 } from './content.ts';
import { fitBlock, fitLine, leading } from './fit.ts';
import type { Faces, FontWeight } from './fonts.ts';
import { cleaned, mustBePrintable } from './printable.ts';

/** A rectangle: black where `border` is null, else its outline, inside the edges, that thick. */
export interface Rectangle {
  kind: 'rectangle';
  x: number;
  y: number;
  width: number;
  height: number;
  border: number | null;
}

/** One line of text on its baseline; `x` is its left edge, its middle or its right edge. */
export interface Text {
  kind: 'text';
  x: number;
  baseline: number;
  align: 'left' | 'center' | 'right';
  size: number;
  weight: FontWeight;
  white: boolean;
  text: string;
}

/** Bars in the middle of a zone that is kept free for them and their quiet zones. */
export interface Barcode {
  kind: 'barcode';
  x: number;
  y: number;
  width: number;
  height: number;
  symbol: Symbol128;
}

export type Element = Rectangle | Text | Barcode;

export interface Page {
  width: number;
  height: number;
  elements: Element[];
}

export const labelWidth = 288;
export const labelHeight = 432;

const [left, right, top, bottom] = [6, 282, 6, 426];
const [textLeft, textRight] = [13, 275];
const textWidth = textRight - textLeft;
const middle = labelWidth / 2;

export const sampleText = 'SAMPLE – DO NOT SHIP';

export function black(x: number, y: number, width: number, height: number): Rectangle {
  return { kind: 'rectangle', x, y, width, height, border: null };
}

export function text(
  written: string,
  x: number,
  baseline: number,
  size: number,
  options: Partial<Pick<Text, 'align' | 'weight' | 'white'>> = {},
): Text {
  return {
    kind: 'text',
    x,
    baseline,
    size,
    text: written,
    align: 'left',
    weight: 'bold',
    white: false,
    ...options,
  };
}

/** Lines under each other; `y` is the upper edge of the first. */
export function lines(
  written: readonly string[],
  x: number,
  y: number,
  size: number,
  weight: FontWeight,
): Text[] {
  return written.map((line, index) => text(line, x, y + size * (0.95 + index * leading), size, { weight }));
}

/** White on black, from edge to edge of what it stands in. */
export function band(written: string, x: number, y: number, width: number, height: number): Element[] {
  const size = height * 0.7;
  const baseline = y + height / 2 + size * 0.357;
  return [
    black(x, y, width, height),
    text(written, x + width / 2, baseline, size, { align: 'center', white: true }),
  ];
}

/**
 * @throws RangeError for characters that cannot be printed, and for a tracking code that its barcode cannot carry
 */
export function labelPage(content: LabelContent, faces: Faces): Page {
  mustBePrintable(content);
  const header = 50;
  const service = 78;
  const sender = content.sample ? 98 : service;
  const receiver = sender + 60;
  const barcode = 262;
  const foot = 385;
  const elements: Element[] = [
    { kind: 'rectangle', x: left, y: top, width: right - left, height: bottom - top, border: 1.5 },
    ...headerZone(content, faces),
    black(left, header, right - left, 1.5),
    ...serviceZone(content, faces, header, service),
    black(left, service, right - left, 1.5),
    ...(content.sample ? band(sampleText, left, service, right - left, sender - service) : []),
    ...senderZone(content, faces, sender, receiver),
    black(left, receiver, right - left, 0.75),
    ...receiverZone(content, faces, receiver, barcode),
    black(left, barcode, right - left, 3),
    ...barcodeZone(content, faces, barcode),
    black(left, foot - 3, right - left, 3),
    ...footZone(content, faces, foot),
  ];
  return { width: labelWidth, height: labelHeight, elements };
}

function headerZone(content: LabelContent, faces: Faces): Element[] {
  const carrier = fitLine(cleaned(content.carrierName), faces.bold, { width: 168, size: 22, sizeMin: 9 });
  const facts = [
    dayText(content.shippingDate),
    weightText(content.weight),
    `PACKAGE ${content.package.number} OF ${content.package.count}`,
  ];
  return [
    text(carrier.lines[0]!, textLeft, 35.5, carrier.size),
    ...facts.map((fact, index) => text(fact, textRight, 20 + index * 12, 8.5, { align: 'right' })),
  ];
}

function serviceZone(content: LabelContent, faces: Faces, y: number, end: number): Element[] {
  const name = cleaned(content.serviceName).toUpperCase();
  const { size, lines } = fitLine(name, faces.bold, { width: textWidth, size: 18, sizeMin: 8 });
  return [text(lines[0]!, middle, (y + end) / 2 + 0.75 + size * 0.357, size, { align: 'center' })];
}

function senderZone(content: LabelContent, faces: Faces, y: number, end: number): Element[] {
  const { shipFrom, shipTo, returnAddress } = content;
  const written = addressLines(returnAddress ?? shipFrom, leavesCountry(shipFrom, shipTo));
  const bounds = { width: 176, height: end - y - 12, size: 8, sizeMin: 5.5 };
  const block = fitBlock(written, faces.regular, bounds);
  const origin = returnAddress === null ? '' : cleaned(shipFrom.postalCode);
  const mailed = fitLine(origin, faces.bold, { width: 78, size: 8.5, sizeMin: 5.5 });
  return [
    text('FROM', textLeft, y + 9, 6),
    ...lines(block.lines, textLeft, y + 11, block.size, 'regular'),
    ...(origin === '' ? [] : [text('SHIPPED FROM', textRight, y + 9, 6, { align: 'right' })]),
    ...(origin === '' ? [] : [text(mailed.lines[0]!, textRight, y + 19, mailed.size, { align: 'right' })]),
  ];
}

function receiverZone(content: LabelContent, faces: Faces, y: number, end: number): Element[] {
  const { shipFrom, shipTo } = content;
  const abroad = leavesCountry(shipFrom, shipTo);
  const written = addressLines(shipTo, abroad);
  if (abroad && cleaned(shipTo.phone) !== '') written.push(`TEL ${cleaned(shipTo.phone)}`);
  const bounds = { width: textRight - 25, height: end - y - 19, size: 14, sizeMin: 6.5 };
  const block = fitBlock(written, faces.bold, bounds);
  return [...band('SHIP TO', left, y, 48, 13), ...lines(block.lines, 25, y + 15.5, block.size, 'bold')];
}

function barcodeZone(content: LabelContent, faces: Faces, y: number): Element[] {
  const caption = `${cleaned(content.carrierName).toUpperCase()} TRACKING #`;
  const fitted = fitLine(caption, faces.bold, { width: textWidth, size: 10, sizeMin: 6 });
  const code = fitLine(inGroups(content.trackingCode), faces.bold, {
    width: textWidth,
    size: 12,
    sizeMin: 7,
  });
  return [
    text(fitted.lines[0]!, middle, y + 15, fitted.size, { align: 'center' }),
    {
      kind: 'barcode',
      x: left,
      y: y + 22,
      width: right - left,
      height: 76,
      symbol: symbolFor(content),
    },
    text(code.lines[0]!, middle, y + 113, code.size, { align: 'center' }),
  ];
}

function footZone(content: LabelContent, faces: Faces, y: number): Element[] {
  const reference = cleaned(content.reference);
  const written = [
    ...(reference === '' ? [] : [`REF ${reference}`]),
    ...content.notes.slice(0, 3).map(cleaned),
  ];
  const end = content.sample ? bottom - 11 : bottom - 2;
  const room = (end - y - 2) / Math.max(written.length, 1) / leading;
  const size = Math.min(8.5, Math.floor(room * 2) / 2);
  const elements: Element[] = written.flatMap((line, index) => {
    const { lines, size: fitted } = fitLine(line, faces.bold, { width: textWidth, size, sizeMin: 5.5 });
    return text(lines[0]!, textLeft, y + 2 + size * (0.95 + index * leading), fitted);
  });
  return content.sample ? [...elements, ...band(sampleText, left, bottom - 11, right - left, 11)] : elements;
}

function symbolFor({ symbology, trackingCode, shipTo }: LabelContent): Symbol128 {
  return symbology === 'code-128'
    ? code128(trackingCode)
    : postalGs1(zip5(shipTo.postalCode) ?? '', trackingCode);
}

/** As the carriers write it: UPS and the post's S10 numbers have groups of their own, others four by four. */
function inGroups(trackingCode: string): string {
  const groups = /^1Z[0-9A-Z]{16}$/.test(trackingCode)
    ? /^(..)(...)(...)(..)(....)(....)$/
    : /^[A-Z]{2}\d{9}[A-Z]{2}$/.test(trackingCode)
      ? /^(..)(...)(...)(...)(..)$/
      : undefined;
  if (groups !== undefined) return groups.exec(trackingCode)!.slice(1).join(' ');
  return /^\d{8,}$/.test(trackingCode) ? trackingCode.replace(/(\d{4})(?=\d)/g, '$1 ') : trackingCode;
}

export function weightText({ value, unit }: Weight): string {
  return `${Number(value.toFixed(3))} ${unit.toUpperCase()}`;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** 2026-11-21 as 21 NOV 2026: no country reads it wrongly. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-');
  return `${date} ${months[Number(month) - 1]} ${year}`;
}
