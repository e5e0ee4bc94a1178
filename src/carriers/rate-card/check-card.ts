// What is wrong with a rate card that its schema cannot see: parts that contradict each other or name what is not there.
import type { Issue } from '../../errors.ts';
import { validator } from '../../http/validate.ts';
import * as limits from '../../limits.ts';
import { identify } from '../tracking-number.ts';
import { weightOf } from './measure.ts';
import { RateCard, type Service, type Surcharge } from './schema.ts';
import { forms, ownRules, serialRange, type TrackingNumbers, trackingNumber } from './tracking-numbers.ts';

const schemaIssues = validator(RateCard, 'body');

/**
 * The card with its defaults filled in and its breaks in order of weight, or everything that is wrong with it. Paths
 * are JSON pointers. The document itself is changed: give one of your own.
 */
export function checkRateCard(document: unknown): { card: RateCard } | { issues: Issue[] } {
  const wrong = schemaIssues(document);
  const card = document as RateCard;
  const issues = [...wrong, ...cardIssues(card, wrong)];
  if (issues.length > 0) return { issues: issues.slice(0, limits.issuesMax) };
  for (const { breaks } of card.services) {
    breaks.sort((a, b) => weightOf(a.weightUpTo).cmp(weightOf(b.weightUpTo)));
  }
  return { card };
}

/** Looks only at those parts with which the schema is content, so that what is wrong is named at once. */
function cardIssues(card: RateCard, wrong: readonly Issue[]): Issue[] {
  const isSound = (path: string) =>
    !wrong.some((one) => isWithin(one.path, path) || isWithin(path, one.path));
  const isListed = (path: string) => !wrong.some((one) => isWithin(path, one.path));
  const sound = <T>(items: readonly T[], path: string) =>
    [...items.entries()].filter(([index]) => isSound(`${path}/${index}`));
  const zones = isSound('/zones') ? knownZones(card) : undefined;
  const issues: Issue[] = [];
  if (isListed('/zones')) {
    for (const [index, rule] of sound(card.zones, '/zones')) issues.push(...zoneRuleIssues(rule, index));
  }
  if (isListed('/services')) {
    issues.push(...codeIssues(card.services));
    for (const [index, service] of sound(card.services, '/services')) {
      issues.push(...serviceIssues(service, `/services/${index}`, zones));
    }
  }
  if (isListed('/surcharges')) {
    const codes = isSound('/services') ? new Set(card.services.map(({ code }) => code)) : undefined;
    for (const [index, surcharge] of sound(card.surcharges, '/surcharges')) {
      issues.push(...surchargeIssues(surcharge, `/surcharges/${index}`, zones, codes));
    }
  }
  if (isSound('/trackingNumbers')) {
    const tracking = trackingIssues(card.trackingNumbers, isSound('/services') ? card.services : []);
    issues.push(...tracking);
    if (tracking.length === 0 && isSound('/services')) issues.push(...numberIssues(card));
  }
  return issues;
}

/** Whether a JSON pointer is this one or leads into it. */
function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

type ZoneRule = RateCard['zones'][number];
type ZoneField = Exclude<keyof ZoneRule, 'by'>;

const zoneFields: Readonly<Record<ZoneRule['by'], { needs: ZoneField[]; takes: ZoneField[] }>> = {
  country: { needs: ['countries'], takes: [] },
  'postal-code': { needs: ['rows'], takes: [] },
  'zip3-pairs': { needs: ['table'], takes: [] },
  distance: { needs: ['unit', 'distances'], takes: ['beyond'] },
};

function zoneRuleIssues(rule: ZoneRule, ruleIndex: number): Issue[] {
  const path = `/zones/${ruleIndex}`;
  const { by, ...given } = rule;
  const issues = fieldIssues(given, zoneFields[by], path, `for zones by ${by}`);
  for (const [index, { upTo }] of (rule.distances ?? []).entries()) {
    const before = rule.distances![index - 1];
    if (before === undefined || before.upTo < upTo) continue;
    issues.push(issue(`${path}/distances/${index}/upTo`, 'out_of_order', 'must be more than the one before'));
  }
  return issues;
}

/** Fields of which a kind needs some and takes others. */
function fieldIssues(
  given: object,
  { needs, takes }: { needs: readonly string[]; takes: readonly string[] },
  path: string,
  what: string,
): Issue[] {
  const missing = needs.filter((name) => !(name in given));
  const unknown = Object.keys(given).filter((name) => ![...needs, ...takes].includes(name));
  return [
    ...missing.map((name) => issue(`${path}/${name}`, 'required', `is required ${what}`)),
    ...unknown.map((name) => issue(`${path}/${name}`, 'not_allowed', `says nothing ${what}`)),
  ];
}

function trackingIssues(numbers: TrackingNumbers, services: readonly Service[]): Issue[] {
  const { form, firstSerial, lastSerial, ...given } = numbers;
  const { needs, takes, serviceType } = forms[form];
  // Every service may have a type of its own.
  const typed =
    services.length > 0 && services.every(({ trackingServiceType }) => trackingServiceType !== undefined);
  const needed = typed ? needs.filter((name) => name !== 'serviceType') : needs;
  const fields = { needs: needed, takes: [...takes, ...needs] };
  const issues = fieldIssues(given, fields, '/trackingNumbers', `for numbers of the form ${form}`);
  const types: [path: string, type: string | undefined][] = [
    ['/trackingNumbers/serviceType', numbers.serviceType],
    ...services.map((service, index): [string, string | undefined] => [
      `/services/${index}/trackingServiceType`,
      service.trackingServiceType,
    ]),
  ];
  for (const [path, type] of types) {
    if (type === undefined || serviceType?.test(type)) continue;
    const message = serviceType ? `must match ${serviceType.source}` : `says nothing for the form ${form}`;
    issues.push(issue(path, serviceType ? 'invalid_format' : 'not_allowed', message));
  }
  if (form.startsWith('fedex') && !/^[0-9]{0,7}$/.test(numbers.prefix ?? '')) {
    issues.push(issue('/trackingNumbers/prefix', 'invalid_format', 'must be at most 7 digits'));
  }
  return issues;
}

/** The first and the last number of every service, as the validator sees them. */
function numberIssues({ carrierName, trackingNumbers: numbers, services }: RateCard): Issue[] {
  const path = '/trackingNumbers';
  const { first, last } = serialRange(numbers);
  const all = 10 ** forms[numbers.form].digits(numbers) - 1;
  if (first > all) return [issue(`${path}/firstSerial`, 'out_of_range', `must be at most ${all}`)];
  if (first > last || (numbers.lastSerial ?? 0) > all) {
    return [issue(`${path}/lastSerial`, 'out_of_range', `must be from ${first} to ${all}`)];
  }
  const { courierCode = 'own' } = forms[numbers.form];
  const own = ownRules(carrierName, numbers);
  for (const service of services) {
    for (const serial of [first, last]) {
      const number = trackingNumber(numbers, service, serial);
      const couriers = identify(number, own).map((one) => one.courierCode);
      if (!couriers.includes(courierCode)) {
        return [issue(path, 'invalid', `makes ${number}, which is no valid tracking number`)];
      }
      const other = courierCode === 'own' && identify(number)[0];
      if (other) {
        const message = `makes numbers of ${other.courierName}: take another prefix or number of digits`;
        return [issue(`${path}/prefix`, 'not_allowed', message)];
      }
    }
  }
  return [];
}

/** Every zone that some rule may answer. */
function knownZones({ zones }: RateCard): Set<string> {
  return new Set(
    zones.flatMap(({ by, countries = {}, rows = [], distances = [], beyond }) => [
      ...Object.values(countries),
      ...[...rows, ...distances].map(({ zone }) => zone),
      ...(beyond === undefined ? [] : [beyond]),
      ...(by === 'zip3-pairs' ? ['1', '2', '3', '4', '5', '6', '7', '8', '9'] : []),
    ]),
  );
}

const unknownZone = (path: string, zone: string) =>
  issue(path, 'unknown_zone', `is a zone that no rule of \`zones\` leads to: ${zone}`);

function codeIssues(services: readonly Service[]): Issue[] {
  const codes = new Set<string>();
  return services.flatMap((service, index) => {
    const code: unknown = service?.code;
    if (typeof code !== 'string') return [];
    const again = codes.has(code);
    codes.add(code);
    const message = 'is the code of another service of this card';
    return again ? [issue(`/services/${index}/code`, 'duplicate', message)] : [];
  });
}

function serviceIssues(service: Service, path: string, known: Set<string> | undefined): Issue[] {
  const unknown = zonesNamed(service).flatMap(([at, names]) =>
    names
      .filter((zone) => known !== undefined && zone !== '*' && !known.has(zone))
      .map((zone) => unknownZone(`${path}/${at}/${zone}`, zone)),
  );
  return [...breakIssues(service, path), ...unknown];
}

function zonesNamed({ breaks, additionalWeight, transitDays }: Service): [at: string, zones: string[]][] {
  return [
    ...breaks.map(({ prices }, index): [string, string[]] => [`breaks/${index}/prices`, Object.keys(prices)]),
    ['additionalWeight/prices', Object.keys(additionalWeight?.prices ?? {})],
    ['transitDays', Object.keys(transitDays ?? {})],
  ];
}

function breakIssues({ breaks }: Service, path: string): Issue[] {
  const seen = new Set<string>();
  return breaks.flatMap(({ weightUpTo }, index) => {
    const weight = weightOf(weightUpTo).toFixed();
    const again = seen.has(weight);
    seen.add(weight);
    const message = 'is a weight that the service has prices for already';
    return again ? [issue(`${path}/breaks/${index}/weightUpTo`, 'duplicate', message)] : [];
  });
}

function surchargeIssues(
  surcharge: Surcharge,
  path: string,
  known: Set<string> | undefined,
  codes: Set<string> | undefined,
): Issue[] {
  const { amount, percent, of, per, services = [], zones = [], from, until } = surcharge;
  const issues: Issue[] = [];
  const wrong = (at: string, code: string, message: string) =>
    issues.push(issue(`${path}/${at}`, code, message));
  if ((amount === undefined) === (percent === undefined)) {
    wrong('amount', 'required', 'either this or percent is required, and not both');
  }
  if (percent === undefined && of !== undefined) wrong('of', 'not_allowed', 'is for a percent');
  if (percent !== undefined && per === 'shipment') {
    wrong('per', 'not_allowed', 'a percent is of each package’s price');
  }
  if (from !== undefined && until !== undefined && from > until) {
    wrong('until', 'out_of_range', 'must not be before from');
  }
  for (const [index, code] of services.entries()) {
    if (codes === undefined || codes.has(code)) continue;
    wrong(`services/${index}`, 'unknown_service', `is no service of this card: ${code}`);
  }
  for (const [index, zone] of zones.entries()) {
    if (known === undefined || known.has(zone)) continue;
    issues.push(unknownZone(`${path}/zones/${index}`, zone));
  }
  return issues;
}

function issue(path: string, code: string, message: string): Issue {
  return { path, code, message };
}
