// What a purchase order comes to: pure, in decimals.
import Big from 'big.js';

export interface PricedLine {
  requestedQuantity: number;
  /** Decimal texts. */
  unitPrice: string;
  taxRate: string;
}

const rateDecimals = 6;

/** The fraction that a JSON number stands for, rounded half-even to six decimals. */
export function rate(value: number): string {
  return new Big(value).round(rateDecimals, Big.roundHalfEven).toFixed();
}

export function lineSubtotal({ unitPrice, requestedQuantity }: PricedLine): string {
  return new Big(unitPrice).times(requestedQuantity).toFixed();
}

export interface Totals {
  subtotal: string;
  totalTax: string;
  grandTotal: string;
}

/**
 * `subtotal` = the lines' sum, `totalTax` from each line's rate, `grandTotal` = both. Tax is rounded once, half-even to
 * four decimals: rounded line by line it would drift from the rate times the subtotal.
 */
export function totalsOf(lines: readonly PricedLine[]): Totals {
  let subtotal = new Big(0);
  let tax = new Big(0);
  for (const line of lines) {
    const amount = new Big(lineSubtotal(line));
    subtotal = subtotal.plus(amount);
    tax = tax.plus(amount.times(line.taxRate));
  }
  const totalTax = tax.round(4, Big.roundHalfEven);
  return {
    subtotal: subtotal.toFixed(),
    totalTax: totalTax.toFixed(),
    grandTotal: subtotal.plus(totalTax).toFixed(),
  };
}
