// The wire form of a rate card: prices by weight and zone, and every rule that makes a price of them.
import {
  Country,
  Currency,
  Day,
  defaulted,
  Money,
  object,
  oneOf,
  requiredText,
  type Static,
  Type,
} from '../../http/schemas.ts';
import * as limits from '../../limits.ts';

const Weight = Type.String({
  pattern: '^(?=[0-9.]*[1-9])[0-9]{1,7}(\\.[0-9]{1,6})? (oz|lb|g|kg)$',
  description: 'A number, a blank and `oz`, `lb`, `g` or `kg`',
  examples: ['70 lb'],
});
const Length = Type.String({
  pattern: '^(?=[0-9.]*[1-9])[0-9]{1,7}(\\.[0-9]{1,6})? (in|cm)$',
  description: 'A number, a blank and `in` or `cm`',
  examples: ['108 in'],
});
const Code = Type.String({ pattern: '^[A-Za-z0-9_-]{1,50}$', examples: ['ground'] });
const zonePattern = '^[A-Za-z0-9_-]{1,20}$';
const Zone = Type.String({ pattern: zonePattern, description: 'The name of a zone', examples: ['4'] });
const Prefix = Type.String({
  pattern: '^[A-Za-z0-9 -]{1,12}$',
  description: 'How a postal code begins; blanks and hyphens do not matter',
  examples: ['941'],
});
/** Of what every label's font has, the letters that names are written with. */
const PrintedName = Type.String({
  maxLength: limits.nameLengthMax,
  pattern: '^(?=.*[^ ])[ -~\\u00A1-\\u00AC\\u00AE-\\u024F\\u1E00-\\u1EFF\\u2013\\u2019]+$',
  description: 'Printed on labels: Latin letters, digits and signs',
});
const Percent = Type.Number({ minimum: 0, maximum: 1_000, examples: [18.5] });
const Serial = Type.Integer({ minimum: 0, maximum: limits.serialMax });
const list = <T extends Type.TSchema>(items: T, maxItems: number, options: Type.TArrayOptions = {}) =>
  Type.Array(items, { minItems: 1, maxItems, ...options });
const zones = list(Zone, limits.rateCardZonesMax);

/** Zone -> value. */
const byZone = <T>(value: Type.TSchema, names: string, options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, T>>({
    type: 'object',
    minProperties: 1,
    maxProperties: limits.rateCardZonesMax,
    propertyNames: { pattern: names },
    additionalProperties: value,
    ...options,
  });
const Prices = byZone<number>(Money, zonePattern, {
  description: 'Zone and price; where a zone is left out, the service does not go there',
  examples: [{ '1': 9.1, '2': 9.45 }],
});

export const trackingForms = ['usps-impb', 's10', 'ups-1z', 'fedex-12', 'fedex-ground', 'prefix'] as const;

const TrackingNumbers = object({
  form: oneOf(trackingForms, { description: 'docs/rate-cards.md says which fields each form takes' }),
  mailerId: Type.Optional(Type.String({ pattern: '^(9[0-9]{8}|[0-8][0-9]{5})$', examples: ['999999999'] })),
  shipperNumber: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{6}$', examples: ['000000'] })),
  country: Type.Optional(Country),
  serviceType: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{2,3}$', examples: ['055'] })),
  prefix: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{1,10}$', examples: ['ACME'] })),
  digits: Type.Optional(
    Type.Integer({ minimum: 4, maximum: 15, description: 'Of the serial number; the check digit follows' }),
  ),
  firstSerial: Type.Optional(Serial),
  lastSerial: Type.Optional(Serial),
});

const zoneTables = ['usps-2019'] as const;

const ZoneRule = object({
  by: oneOf(['country', 'postal-code', 'zip3-pairs', 'distance']),
  countries: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      minProperties: 1,
      maxProperties: 300,
      propertyNames: { pattern: '^([A-Z]{2}|\\*)$' },
      additionalProperties: Zone,
      description: 'By country: where it goes, and the zone; `*` is any other country',
      examples: [{ CA: 'canada', '*': 'world' }],
    }),
  ),
  rows: Type.Optional(
    list(
      object({
        from: Type.Optional(list(Prefix, limits.rateCardPrefixesMax)),
        to: list(Prefix, limits.rateCardPrefixesMax),
        zone: Zone,
      }),
      limits.rateCardZoneRowsMax,
      { description: 'By postal code: the first row that fits counts' },
    ),
  ),
  table: Type.Optional(oneOf(zoneTables, { description: 'By ZIP3 pairs: a table that comes with Waybill' })),
  unit: Type.Optional(oneOf(['mi', 'km'])),
  distances: Type.Optional(
    list(
      object({ upTo: Type.Number({ exclusiveMinimum: 0, maximum: 50_000 }), zone: Zone }),
      limits.rateCardZonesMax,
    ),
  ),
  beyond: Type.Optional(Zone),
});

const Dimensional = object({
  divisor: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, examples: [139] }),
  dimensionsUnit: defaulted(oneOf(['in', 'cm'], { default: 'in' })),
  weightUnit: defaulted(oneOf(['oz', 'lb', 'g', 'kg'], { default: 'lb' })),
  volumeOver: defaulted(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'Counts only for parcels of more volume than this, in `dimensionsUnit` cubed',
    }),
  ),
  sides: defaulted(
    oneOf(['up', 'nearest', 'exact'], { default: 'up', description: 'How each side is rounded first' }),
  ),
  roundUpTo: Type.Optional(Weight),
});

const size = {
  longestSideOver: Type.Optional(Length),
  secondSideOver: Type.Optional(Length),
  lengthPlusGirthOver: Type.Optional(Length),
  weightOver: Type.Optional(Weight),
};

const Surcharge = object({
  name: requiredText(limits.nameLengthMax),
  amount: Type.Optional(Money),
  percent: Type.Optional(Percent),
  of: Type.Optional(
    oneOf(['price', 'subtotal'], { description: '`subtotal`: the surcharges listed before are counted too' }),
  ),
  per: defaulted(oneOf(['package', 'shipment'], { default: 'package' })),
  residential: Type.Optional(Type.Boolean({ description: 'Where `isResidential` is this' })),
  services: Type.Optional(list(Code, limits.rateCardServicesMax)),
  zones: Type.Optional(zones),
  toPostalCodes: Type.Optional(list(Prefix, limits.rateCardPrefixesMax)),
  toCountries: Type.Optional(list(Country, 300)),
  from: Type.Optional(Day),
  until: Type.Optional(Day),
  ...size,
});
export type Surcharge = Static<typeof Surcharge>;

const Insurance = object({
  included: defaulted(Type.Number({ ...Money, default: 0 })),
  per: Type.Number({ exclusiveMinimum: 0, maximum: limits.moneyMax, examples: [100] }),
  price: Money,
  maximum: Money,
});

const Service = object({
  code: Code,
  name: PrintedName,
  transitDays: Type.Optional(
    byZone<number>(Type.Integer({ minimum: 0, maximum: 365 }), `${zonePattern}|^\\*$`, {
      description: 'Zone and days on which parcels are delivered; `*` is any other zone',
      examples: [{ '1': 2, '*': 4 }],
    }),
  ),
  deliversOn: defaulted(oneOf(['weekdays', 'mon-sat', 'daily'], { default: 'weekdays' })),
  deliveryDateGuaranteed: defaulted(Type.Boolean({ default: false })),
  discountPercent: defaulted(Type.Number({ minimum: 0, maximum: 100, default: 0 })),
  minimumPerPackage: defaulted(Type.Number({ ...Money, default: 0 })),
  maximumWeight: Type.Optional(Weight),
  maximumLongestSide: Type.Optional(Length),
  maximumLengthPlusGirth: Type.Optional(Length),
  trackingServiceType: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{2,3}$' })),
  breaks: list(object({ weightUpTo: Weight, prices: Prices }), limits.rateCardBreaksMax),
  additionalWeight: Type.Optional(object({ per: Weight, prices: Prices })),
});
export type Service = Static<typeof Service>;

export const RateCard = object({
  name: requiredText(limits.nameLengthMax),
  effectiveFrom: Day,
  example: defaulted(
    Type.Boolean({ default: false, description: 'Prices that no carrier asks: labels are marked SAMPLE' }),
  ),
  currency: Currency,
  country: defaulted(
    Type.String({
      ...Country,
      default: 'US',
      description: 'Where its postal codes are of; an address without a country is in it',
    }),
  ),
  carrierName: PrintedName,
  trackingUrl: Type.Optional(
    Type.String({
      maxLength: limits.urlLengthMax,
      pattern: '^https?://[^\\s]*%s[^\\s]*$',
      description: '`%s` becomes the tracking number',
    }),
  ),
  trackingNumbers: TrackingNumbers,
  zones: list(ZoneRule, limits.rateCardZoneRulesMax, {
    description: 'Asked in order: the first that knows a zone counts',
  }),
  weightRounding: Type.Optional(Weight),
  dimensional: Type.Optional(Dimensional),
  surcharges: defaulted(Type.Array(Surcharge, { maxItems: limits.rateCardSurchargesMax, default: [] })),
  insurance: Type.Optional(Insurance),
  rounding: defaulted(
    object(
      {
        to: defaulted(oneOf(['1', '0.1', '0.05', '0.01', '0.001'], { default: '0.01' })),
        mode: defaulted(oneOf(['half-even', 'half-up', 'up'], { default: 'half-even' })),
      },
      { default: {} },
    ),
  ),
  services: list(Service, limits.rateCardServicesMax),
});
export type RateCard = Static<typeof RateCard>;
