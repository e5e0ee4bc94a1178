// Which zone of a rate card lies between two addresses.
import type { Address } from '../../http/schemas.ts';
import type { RateCard } from './schema.ts';
import { kilometresPerMile, uspsZone2019, zip3Kilometres } from './zip3.ts';

type ZoneRule = RateCard['zones'][number];

/** What of an address decides a zone. */
export interface Place {
  /** Upper case; the card's own where the address names none. */
  country: string;
  /** Upper case, without blanks and hyphens. */
  postalCode: string;
}

export function placeOf(card: Pick<RateCard, 'country'>, address: Partial<Address>): Place {
  return {
    country: (address.country?.trim() || card.country).toUpperCase(),
    postalCode: plainPostalCode(address.postalCode ?? ''),
  };
}

function plainPostalCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

export function beginsWithOneOf({ postalCode }: Place, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => postalCode.startsWith(plainPostalCode(prefix)));
}

/** By the first rule that knows. */
export function zoneOf(
  card: Pick<RateCard, 'country' | 'zones'>,
  from: Place,
  to: Place,
): string | undefined {
  for (const rule of card.zones) {
    const zone = zoneBy(card, rule, from, to);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function zoneBy(card: Pick<RateCard, 'country'>, rule: ZoneRule, from: Place, to: Place): string | undefined {
  if (rule.by === 'country') return isAtHome(card, from) ? countryZone(rule, to.country) : undefined;
  if (rule.by === 'postal-code') return isAtHome(card, to) ? rowZone(card, rule, from, to) : undefined;
  const pair = [from, to].map((place) => zip3Of(place));
  const [origin, destination] = pair;
  if (origin === undefined || destination === undefined) return undefined;
  return rule.by === 'zip3-pairs'
    ? uspsZone2019(origin, destination)
    : distanceZone(rule, zip3Kilometres(origin, destination));
}

function countryZone({ countries = {} }: ZoneRule, country: string): string | undefined {
  return Object.hasOwn(countries, country) ? countries[country] : countries['*'];
}

function rowZone(
  card: Pick<RateCard, 'country'>,
  { rows = [] }: ZoneRule,
  from: Place,
  to: Place,
): string | undefined {
  const fits = (row: (typeof rows)[number]) =>
    beginsWithOneOf(to, row.to) &&
    (row.from === undefined || (isAtHome(card, from) && beginsWithOneOf(from, row.from)));
  return rows.find(fits)?.zone;
}

function distanceZone({ unit, distances = [], beyond }: ZoneRule, kilometres: number | undefined) {
  if (kilometres === undefined) return undefined;
  const distance = unit === 'km' ? kilometres : kilometres / kilometresPerMile;
  return distances.find(({ upTo }) => distance <= upTo)?.zone ?? beyond;
}

/** Countries of their own by ISO 3166 whose addresses have ZIP codes. */
const zipCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP', 'UM', 'FM', 'MH', 'PW']);

export function isAtHome({ country }: Pick<RateCard, 'country'>, place: Place): boolean {
  const home = country.toUpperCase();
  return place.country === home || (home === 'US' && zipCountries.has(place.country));
}

function zip3Of({ country, postalCode }: Place): string | undefined {
  if (!zipCountries.has(country)) return undefined;
  return /^(\d{3})\d{2}(\d{4})?$/.exec(postalCode)?.[1];
}
