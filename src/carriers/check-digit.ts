// The check digits of tracking numbers, each computed by the algorithm that its rule names.

/** From the published rules; the algorithms are described in tracking-numbers/CREDITS.md. */
export type Checksum =
  | { name: 'mod7' | 'luhn' | 's10' | 'mod_37_36' }
  | { name: 'mod10'; evens_multiplier: number; odds_multiplier: number; reverse?: boolean }
  | {
      name: 'sum_product_with_weightings_and_modulo';
      weightings: readonly number[];
      modulo1: number;
      modulo2: number;
    };

/** The one character that follows `serial`, which is digits and capital letters. */
export function checkDigitFor(checksum: Checksum, serial: string): string {
  const characters = [...serial];
  switch (checksum.name) {
    case 'mod7':
      return String(characters.reduce((rest, digit) => (rest * 10 + Number(digit)) % 7, 0));
    case 'mod10': {
      const { evens_multiplier, odds_multiplier, reverse = false } = checksum;
      const ordered = reverse ? characters.reverse() : characters;
      return upToTen(
        sum(ordered, (character, index) => {
          return worthOf(character) * (index % 2 === 0 ? evens_multiplier : odds_multiplier);
        }),
      );
    }
    case 'luhn':
      return upToTen(
        sum(characters.reverse(), (digit, index) => {
          const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
          return value > 9 ? value - 9 : value;
        }),
      );
    case 's10': {
      const rest = sum(characters, (digit, index) => Number(digit) * (s10Weights[index] ?? 0)) % 11;
      if (rest === 1) return '0';
      return rest === 0 ? '5' : String(11 - rest);
    }
    case 'mod_37_36':
      return mod37(characters);
    case 'sum_product_with_weightings_and_modulo': {
      const { weightings, modulo1, modulo2 } = checksum;
      const total = sum(characters, (digit, index) => Number(digit) * (weightings[index] ?? 0));
      return String((total % modulo1) % modulo2);
    }
  }
}

const s10Weights = [8, 6, 4, 2, 3, 5, 9, 7];

/** What is missing to the next multiple of ten. */
const upToTen = (total: number) => String((10 - (total % 10)) % 10);

function sum(characters: readonly string[], value: (character: string, index: number) => number): number {
  return characters.reduce((total, character, index) => total + value(character, index), 0);
}

/** A letter of a UPS or S10 number counts as its place in ASCII less 3, modulo 10. */
function worthOf(character: string): number {
  return /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 3) % 10;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** ISO 7064, mod 37/36. */
function mod37(characters: readonly string[]): string {
  const modulus = alphabet.length;
  let rest = modulus;
  for (const character of characters) {
    rest += alphabet.indexOf(character);
    if (rest > modulus) rest -= modulus;
    rest *= 2;
    if (rest > modulus) rest -= modulus + 1;
  }
  return alphabet[(modulus + 1 - rest) % modulus]!;
}
