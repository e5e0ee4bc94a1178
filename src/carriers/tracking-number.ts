// Whose a tracking number can be, by published rules of 18 couriers: its form, and whether its check digit is right.
import { readFileSync } from 'node:fs';
import * as limits from '../limits.ts';
import { type Checksum, checkDigitFor } from './check-digit.ts';

/** One form of a courier's numbers, as tracking-numbers/rules.json has it. */
export interface TrackingFormat {
  name: string;
  /** With the groups SerialNumber and CheckDigit; the expression is the publisher's. */
  regex: string;
  checksum?: Checksum;
  /** What goes before the serial number, for its check digit, where that matches. */
  prependIf?: { matches: string; content: string };
  /** A group, and what its values stand for: the names of services. */
  services?: { group: string; names: Readonly<Record<string, string>> };
  /** A group that must be a country of this list, with the name of its post. */
  countries?: { group: string; couriers: Readonly<Record<string, string>> };
  /** `%s` is the number. */
  trackingUrl?: string;
}

/** A courier, or a business that numbers its own parcels, and the forms of its numbers. */
export interface TrackingRules {
  courierCode: string;
  courierName: string;
  formats: readonly TrackingFormat[];
}

export interface Identified {
  courierCode: string;
  courierName: string;
  /** The name of the form, such as `USPS IMpb C`. */
  format: string;
  service: string | null;
  trackingUrl: string | null;
}

type Matcher = (number: string) => Identified | undefined;

let published: Matcher[] | undefined;

/**
 * Every courier and form that the number fits, its check digit included; none: it is no courier's. Blanks and the case
 * of letters do not matter. `own` are further rules, such as those of an account's own numbers.
 */
export function identify(trackingNumber: string, own: readonly TrackingRules[] = []): Identified[] {
  if (trackingNumber.length > limits.trackingNumberLengthMax) return [];
  const number = trackingNumber.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[\x21-\x7e]+$/.test(number)) return [];
  published ??= matchersOf(readRules());
  return [...published, ...matchersOf(own)].flatMap((matches) => matches(number) ?? []);
}

function readRules(): TrackingRules[] {
  return JSON.parse(readFileSync(new URL('tracking-numbers/rules.json', import.meta.url), 'utf8'));
}

function matchersOf(rules: readonly TrackingRules[]): Matcher[] {
  return rules.flatMap((courier) => courier.formats.map((format) => matcherOf(courier, format)));
}

/**
 * The published expressions allow blanks after each character, which makes them repeat what itself repeats and so
 * lets a hostile number keep them busy. Blanks are taken out of the number first, and out of the expressions here.
 */
export function withoutBlanks(regex: string): string {
  return regex.replaceAll('\\s*', '');
}

function matcherOf({ courierCode, courierName }: TrackingRules, format: TrackingFormat): Matcher {
  const whole = new RegExp(`^(?:${withoutBlanks(format.regex)})$`);
  const serviceOf = serviceFinder(format.services);
  return (number) => {
    const groups = whole.exec(number)?.groups;
    if (groups === undefined || !hasRightCheckDigit(format, groups)) return undefined;
    const post = format.countries?.couriers[groups[format.countries.group] ?? ''];
    if (format.countries !== undefined && post === undefined) return undefined;
    return {
      courierCode,
      courierName: post ?? courierName,
      format: format.name,
      service: serviceOf(groups),
      trackingUrl: format.trackingUrl?.replace('%s', encodeURIComponent(number)) ?? null,
    };
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

function hasRightCheckDigit({ checksum, prependIf }: TrackingFormat, groups: Groups): boolean {
  if (checksum === undefined) return true;
  const serial = groups['SerialNumber'] ?? '';
  const prefix = prependIf !== undefined && new RegExp(prependIf.matches).test(serial);
  return checkDigitFor(checksum, prefix ? `${prependIf.content}${serial}` : serial) === groups['CheckDigit'];
}

function serviceFinder(services: TrackingFormat['services']): (groups: Groups) => string | null {
  if (services === undefined) return () => null;
  const names = Object.entries(services.names).map(
    ([value, name]) => [new RegExp(`^(?:${value})$`), name] as const,
  );
  return (groups) => names.find(([value]) => value.test(groups[services.group] ?? ''))?.[1] ?? null;
}
