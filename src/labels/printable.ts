// Which characters a label can carry, and what becomes of those that say nothing to a postman.

/**
 * Latin letters with every mark, digits, punctuation, currency signs: what both faces of the font have
 * (printable.test.ts looks each one up).
 */
const printable =
  /[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u1E00-\u1EFF\u2010-\u2015\u2018-\u201E\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203A\u20A0-\u20BF\u2116\u2122\u2C60-\u2C7F]|[\u0300-\u036F]/;

/** Says nothing: emoji and their parts, direction marks, joiners. */
const silent =
  /[\p{Cf}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u20E3|\p{Variation_Selector}/u;

const blank = /[\s\p{Cc}\p{Cs}]+/gu;
/** Letters, digits and signs as wide as ideographs, as Japanese keyboards write them. */
const wide = /[\uFF01-\uFF5E]/g;

/** What most text is: nothing to be done, and known at once. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

/** The text as it is printed: one line, composed, without emoji and invisible characters. */
export function cleaned(text: string | null): string {
  if (text !== null && plain.test(text)) return text;
  const line = (text ?? '').replace(wide, (sign) => sign.normalize('NFKC')).replace(blank, ' ');
  const loud = [...line.normalize('NFC')].filter((sign) => printable.test(sign) || !silent.test(sign));
  return loud.join('').replace(/ +/g, ' ').trim();
}

/** Each character of the text that no label can carry, once; empty where all is well. */
function unprintableIn(text: string): string {
  if (plain.test(text)) return '';
  return [...new Set(cleaned(text))].filter((sign) => !printable.test(sign)).join('');
}

/** The same for papers that must be printed in any case: what cannot be is a question mark. */
export function legible(text: string | null): string {
  return [...cleaned(text)].map((sign) => (printable.test(sign) ? sign : '?')).join('');
}

export interface Unprintable {
  /** JSON pointer into the content. */
  path: string;
  /** Each once, in the order in which they occur. */
  characters: string;
}

/** Parts of an address that no paper shows: whatever they hold is no obstacle. */
const unshown = new Set(['email', 'facilityCode']);

/** Every text of a label's content, or of an address, that holds what cannot be printed. Ask before a label is bought. */
export function unprintable(content: unknown, path = ''): Unprintable[] {
  if (typeof content === 'string') {
    const characters = unprintableIn(content);
    return characters === '' ? [] : [{ path, characters }];
  }
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content)
    .filter(([name]) => !unshown.has(name))
    .flatMap(([name, part]) => unprintable(part, `${path}/${name}`));
}

/** @throws RangeError where `unprintable` finds anything: a wrong letter in an address is worse than no label */
export function mustBePrintable(content: unknown): void {
  const found = unprintable(content);
  if (found.length === 0) return;
  const where = found.map(({ path, characters }) => `${path} (${characters})`).join(', ');
  throw new RangeError(`A label cannot carry every character of ${where}`);
}
