// What of a parcel its price depends on: its sides, and the greater of its weight and what its size counts as.
import Big from 'big.js';
import type { DimensionsUnit, Parcel, WeightUnit } from '../carrier.ts';
import { centimetres, convertLength, grams, wholeSteps } from '../units.ts';
import type { RateCard } from './schema.ts';

/** Of a card's text such as `70 lb`, in grams. */
export function weightOf(text: string): Big {
  const [value, unit] = text.split(' ') as [string, WeightUnit];
  return grams(value, unit);
}

/** Of a card's text such as `108 in`, in centimetres. */
export function lengthOf(text: string): Big {
  const [value, unit] = text.split(' ') as [string, DimensionsUnit];
  return centimetres(value, unit);
}

export interface Measured {
  /** Grams, as it was weighed. */
  weight: Big;
  /** Grams: what is paid for. */
  billable: Big;
  /** Whether that is its size's. */
  bySize: boolean;
  /** Centimetres, the longest first; undefined where not all three are known. */
  sides: readonly [Big, Big, Big] | undefined;
}

export type MeasuringRules = Pick<RateCard, 'dimensional' | 'weightRounding'>;

/** Programs that add up floats send 12.000000000000002 for 12, which would be rounded up to 13. */
const withoutNoise = (value: number) => new Big(value).round(6);

export function measure(rules: MeasuringRules, parcel: Parcel): Measured {
  const weight = grams(withoutNoise(parcel.weight), parcel.weightUnit);
  const actual =
    rules.weightRounding === undefined ? weight : roundedUp(weight, weightOf(rules.weightRounding));
  const sides = sidesOf(parcel);
  const dimensional = dimensionalWeight(rules.dimensional, parcel);
  const bySize = dimensional?.gt(actual) ?? false;
  return { weight, billable: bySize ? dimensional! : actual, bySize, sides };
}

const roundedUp = (weight: Big, step: Big) => wholeSteps(weight, step).times(step);

/** Length and girth: the longest side, and twice around the other two. */
export function lengthPlusGirth([longest, second, third]: readonly [Big, Big, Big]): Big {
  return longest.plus(second.plus(third).times(2));
}

/** A side of 0 says no more than one that is left out. */
function knownSides({ dimensions }: Parcel): Big[] | undefined {
  const { length, width, height } = dimensions ?? {};
  return length && width && height ? [length, width, height].map(withoutNoise) : undefined;
}

function sidesOf(parcel: Parcel): [Big, Big, Big] | undefined {
  const sides = knownSides(parcel)?.map((side) => centimetres(side, parcel.dimensionsUnit));
  return sides?.sort((a, b) => b.cmp(a)) as [Big, Big, Big] | undefined;
}

/** Grams; undefined where it does not count, or a side is not known. */
function dimensionalWeight(rule: RateCard['dimensional'], parcel: Parcel): Big | undefined {
  const sides = knownSides(parcel);
  if (rule === undefined || sides === undefined) return undefined;
  const [a, b, c] = sides.map((side) => rounded(rule, side, parcel.dimensionsUnit)) as [Big, Big, Big];
  const volume = a.times(b).times(c);
  if (volume.lte(rule.volumeOver)) return undefined;
  const step = weightOf(rule.roundUpTo ?? `1 ${rule.weightUnit}`);
  // Weight is volume / divisor units: the steps that hold it are counted before anything is divided.
  const steps = wholeSteps(volume.times(grams(1, rule.weightUnit)), step.times(rule.divisor));
  return steps.times(step);
}

function rounded(rule: NonNullable<RateCard['dimensional']>, side: Big, unit: DimensionsUnit): Big {
  switch (rule.sides) {
    case 'up':
      return wholeSteps(centimetres(side, unit), centimetres(1, rule.dimensionsUnit));
    case 'nearest':
      return convertLength(side, unit, rule.dimensionsUnit).round(0, Big.roundHalfUp);
    case 'exact':
      return convertLength(side, unit, rule.dimensionsUnit);
  }
}
