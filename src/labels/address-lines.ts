// An address as lines, in the order in which its country writes the parts.
import { formatAddress } from 'localized-address-format';
import type { LabelAddress } from './content.ts';
import { cleaned } from './printable.ts';

/** Longest parts of the line of the town, so that a long one does not push the postal code off it. */
const cityLengthMax = 60;
const stateLengthMax = 40;
const postalCodeLengthMax = 20;

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The English name, as letters abroad want it; a code that nobody knows stays what it is. */
export function countryName(code: string | null): string {
  const upper = cleaned(code).toUpperCase();
  return /^[A-Z]{2}$/.test(upper) ? countryNames.of(upper)!.toUpperCase() : upper;
}

export function leavesCountry(from: LabelAddress, to: LabelAddress): boolean {
  const [there, here] = [cleaned(to.country).toUpperCase(), cleaned(from.country).toUpperCase()];
  return there !== '' && here !== '' && there !== here;
}

/** At most seven lines; the country is one of them where the parcel goes abroad. */
export function addressLines(address: LabelAddress, abroad: boolean): string[] {
  const city = bounded(address.city, cityLengthMax);
  const state = bounded(address.state, stateLengthMax);
  const postalCode = bounded(address.postalCode, postalCodeLengthMax);
  const lines = formatAddress(
    {
      postalCountry: cleaned(address.country).toUpperCase(),
      name: cleaned(address.name),
      organization: cleaned(address.company),
      addressLines: [cleaned(address.street1), cleaned(address.street2)],
      locality: city,
      administrativeArea: state,
      postalCode,
    },
    'latin',
  );
  // Some countries' form has no place for a part; whoever gave it wants it read.
  const left = [city, state, postalCode].filter(
    (part) => part !== '' && !lines.some((line) => line.includes(part)),
  );
  if (left.length > 0) lines.push(left.join(' '));
  if (abroad) lines.push(countryName(address.country));
  return lines.filter((line) => line !== '');
}

function bounded(text: string | null, lengthMax: number): string {
  const letters = [...cleaned(text)];
  return letters.length <= lengthMax ? letters.join('') : `${letters.slice(0, lengthMax - 1).join('')}…`;
}
