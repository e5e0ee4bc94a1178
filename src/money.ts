// Amounts of money: decimal text inside, never a binary float that was calculated with.
import Big from 'big.js';

/** The amount that a JSON number or a decimal text stands for, rounded half-even to four decimals. */
export function money(value: number | string): string {
  return new Big(value).round(4, Big.roundHalfEven).toFixed();
}
