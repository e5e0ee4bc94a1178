// The URL-friendly name that a product gets when its creator gives none.
import * as limits from '../limits.ts';

/** Letters that are their own, not a base letter with a mark, and how they are written in ASCII. */
const spelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** Room for a number that tells it from others. */
const baseLengthMax = limits.nameLengthMax - 20;

/** ASCII letters and digits in lower case, what is between them a hyphen; `product` where nothing is left. */
export function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]/g, (letter) => spelled[letter] ?? ' ');
  const slug = ascii.trim().split(/ +/).join('-').slice(0, baseLengthMax).replace(/-$/, '');
  return slug === '' ? 'product' : slug;
}

/** `<base>-2`, `<base>-3` ...: the numbers to try in one go, more each time that all were taken. */
export function numberedSlugs(base: string, attempt: number): string[] {
  const first = 2 + 100 * (2 ** attempt - 1);
  return Array.from({ length: 100 * 2 ** attempt }, (_, index) => `${base}-${first + index}`);
}
