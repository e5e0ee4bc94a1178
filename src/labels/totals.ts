// Sums of weights and of amounts, exact, whatever units and currencies they are in.
import Big from 'big.js';
import type { WeightUnit } from '../carriers/carrier.ts';

/** Exact by definition (international avoirdupois pound). */
const grams: Record<WeightUnit, string> = { g: '1', kg: '1000', oz: '28.349523125', lb: '453.59237' };

/** In `unit`, to three decimals; null where a weight is not known. */
export function totalWeight(
  items: readonly { weight: number | null; weightUnit: WeightUnit }[],
  unit: WeightUnit,
): number | null {
  let sum = new Big(0);
  for (const { weight, weightUnit } of items) {
    if (weight === null) return null;
    sum = sum.plus(new Big(weight).times(grams[weightUnit]));
  }
  return sum.div(grams[unit]).round(3, Big.roundHalfEven).toNumber();
}

/** One amount for each currency, in the order in which they first occur. */
export function totalValues(items: readonly { value: number; currency: string }[]): string[] {
  const sums = new Map<string, Big>();
  for (const { value, currency } of items) {
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(value));
  }
  return [...sums].map(([currency, sum]) => amountText(sum, currency));
}

/** With as many decimals as the currency has, or as the amount needs. */
export function amountText(amount: Big, currency: string): string {
  const code = currency.toUpperCase();
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  const decimals = Math.max(maximumFractionDigits, amount.toFixed().split('.')[1]?.length ?? 0);
  return `${amount.toFixed(decimals)} ${code}`;
}
