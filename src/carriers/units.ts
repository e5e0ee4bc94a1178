// Weights and lengths from one unit to another, exactly: the international pound and inch are whole numbers of units.
import Big from 'big.js';
import type { DimensionsUnit, WeightUnit } from './carrier.ts';

/** By the International Yard and Pound Agreement of 1959: 1 lb is 453.59237 g, 1 in is 2.54 cm. */
const gramsOf: Readonly<Record<WeightUnit, Big>> = {
  oz: new Big('28.349523125'),
  lb: new Big('453.59237'),
  g: new Big(1),
  kg: new Big(1000),
};
const centimetresOf: Readonly<Record<DimensionsUnit, Big>> = { in: new Big('2.54'), cm: new Big(1) };

/** Exact. */
export function grams(value: Big.BigSource, unit: WeightUnit): Big {
  return gramsOf[unit].times(value);
}

/** Exact. */
export function centimetres(value: Big.BigSource, unit: DimensionsUnit): Big {
  return centimetresOf[unit].times(value);
}

/** Exact where the result ends, as from any unit to a smaller one of its system; else right to 20 decimals. */
export function convertWeight(value: Big.BigSource, from: WeightUnit, to: WeightUnit): Big {
  return from === to ? new Big(value) : grams(value, from).div(gramsOf[to]);
}

/** Exact where the result ends, as from inches to centimetres; else right to 20 decimals. */
export function convertLength(value: Big.BigSource, from: DimensionsUnit, to: DimensionsUnit): Big {
  return from === to ? new Big(value) : centimetres(value, from).div(centimetresOf[to]);
}

/** The least whole number of steps that holds the amount; what is a whole number of steps is not rounded up. */
export function wholeSteps(amount: Big, step: Big): Big {
  // A quotient that does not end is cut off, so its neighbours are tried.
  let count = amount.div(step).round(0, Big.roundUp);
  while (count.gt(0) && count.minus(1).times(step).gte(amount)) count = count.minus(1);
  while (count.times(step).lt(amount)) count = count.plus(1);
  return count;
}
