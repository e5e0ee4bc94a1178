// Code 128: the bars of a text, and the same symbol in ZPL's own words.

/** Bars and spaces of each value 0 to 105, then the stop; widths in modules, beginning with a bar (ISO/IEC 15417). */
const patterns =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'.split(
    ' ',
  );
const [startB, startC, fnc1, stop] = [104, 105, 102, 106];

/** Quiet zone on either side, in modules. */
const quietModules = 10;

export interface Symbol128 {
  /** Alternately bar and space, in modules; begins and ends with a bar. */
  widths: readonly number[];
  /** Sum of the widths. */
  modules: number;
  /** Field data of `^BC` in mode N, which takes code set and FNC1 as they are written; not yet escaped. */
  zpl: string;
}

/**
 * In code set C for an even number of digits, else in B. A change of set within would save bars that no tracking
 * code needs saved, and ZPL's readers do not agree on it.
 *
 * @throws RangeError for what is not printable ASCII
 */
export function code128(text: string): Symbol128 {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new RangeError(`No Code 128 of ASCII alone carries ${text}`);
  if (/^(\d\d)+$/.test(text)) return symbolOf([startC, ...pairs(text)], `>;${text}`);
  const values = [...text].map((sign) => sign.charCodeAt(0) - 32);
  return symbolOf([startB, ...values], `>:${text.replaceAll('>', '>0')}`);
}

/**
 * AI 420 with the ZIP code, FNC1, then the package's own identifier.
 * @throws RangeError for what is not five digits and an even number of them that begins with 9
 */
export function postalGs1(zip: string, trackingCode: string): Symbol128 {
  if (!/^\d{5}$/.test(zip) || !/^9\d(\d\d)+$/.test(trackingCode)) {
    throw new RangeError(`No postal barcode carries the ZIP code ${zip} and the number ${trackingCode}`);
  }
  const routing = `420${zip}`;
  return symbolOf(
    [startC, fnc1, ...pairs(routing), fnc1, ...pairs(trackingCode)],
    `>;>8${routing}>8${trackingCode}`,
  );
}

function pairs(digits: string): number[] {
  return digits.match(/\d\d/g)!.map(Number);
}

function symbolOf(values: readonly number[], zpl: string): Symbol128 {
  const check = values.reduce((sum, value, index) => sum + value * Math.max(index, 1), 0) % 103;
  const widths = [...values, check, stop].flatMap((value) => [...patterns[value]!].map(Number));
  return { widths, modules: widths.reduce((sum, width) => sum + width, 0), zpl };
}

/**
 * Dots of a module: as many as fit, at most 0.015 in, the width that carriers ask for.
 * @throws RangeError where not even 0.0095 in do, below which scanners begin to fail
 */
export function moduleDots(symbol: Symbol128, zoneInches: number, dpi: number): number {
  const dots = Math.floor((zoneInches * dpi) / (symbol.modules + 2 * quietModules));
  if (dots < 0.0095 * dpi) throw new RangeError('The barcode is too long for the label');
  return Math.min(dots, Math.floor(0.015 * dpi));
}
