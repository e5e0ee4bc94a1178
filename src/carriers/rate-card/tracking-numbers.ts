// The forms in which a rate card numbers parcels: each is one that the validator of tracking numbers knows.
import { type Checksum, checkDigitFor } from '../check-digit.ts';
import type { TrackingRules } from '../tracking-number.ts';
import type { RateCard, Service } from './schema.ts';

export type TrackingNumbers = RateCard['trackingNumbers'];
type Form = TrackingNumbers['form'];
type Field = Exclude<keyof TrackingNumbers, 'form' | 'firstSerial' | 'lastSerial'>;

interface FormOf {
  /** Fields that it needs, and those that it also takes. */
  needs: readonly Field[];
  takes: readonly Field[];
  /** What its service type looks like; absent where a number says nothing of the service. */
  serviceType?: RegExp;
  /** By whose rules the numbers are valid; absent: by those that `ownRules` makes. */
  courierCode?: string;
  digits: (numbers: TrackingNumbers) => number;
  /** `serial` has as many digits as `digits` says. */
  number: (numbers: TrackingNumbers, serviceType: string, serial: string) => string;
}

/** GS1's: weights 3 and 1 from the right. */
const gs1: Checksum = { name: 'mod10', evens_multiplier: 3, odds_multiplier: 1, reverse: true };
const ups: Checksum = { name: 'mod10', evens_multiplier: 1, odds_multiplier: 2 };
const fedexGround: Checksum = { name: 'mod10', evens_multiplier: 1, odds_multiplier: 3 };
const fedexExpress: Checksum = {
  name: 'sum_product_with_weightings_and_modulo',
  weightings: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1],
  modulo1: 11,
  modulo2: 10,
};

const checked = (checksum: Checksum, serial: string) => `${serial}${checkDigitFor(checksum, serial)}`;

export const forms: Readonly<Record<Form, FormOf>> = {
  // USPS Publication 199, constructs C02 (mailer ids of nine digits) and C03 (of six): 22 digits.
  'usps-impb': {
    needs: ['mailerId', 'serviceType'],
    takes: [],
    serviceType: /^[0-9]{3}$/,
    courierCode: 'usps',
    digits: ({ mailerId }) => 16 - mailerId!.length,
    number: ({ mailerId }, serviceType, serial) =>
      checked(gs1, `${mailerId!.length === 9 ? '92' : '93'}${serviceType}${mailerId}${serial}`),
  },
  // UPU standard S10.
  s10: {
    needs: ['country', 'serviceType'],
    takes: [],
    serviceType: /^[A-Z]{2}$/,
    courierCode: 's10',
    digits: () => 8,
    number: ({ country }, serviceType, serial) =>
      `${serviceType}${checked({ name: 's10' }, serial)}${country!.toUpperCase()}`,
  },
  'ups-1z': {
    needs: ['shipperNumber', 'serviceType'],
    takes: [],
    serviceType: /^[A-Z0-9]{2}$/,
    courierCode: 'ups',
    digits: () => 7,
    number: ({ shipperNumber }, serviceType, serial) =>
      `1Z${checked(ups, `${shipperNumber}${serviceType}${serial}`)}`,
  },
  'fedex-12': {
    needs: [],
    takes: ['prefix'],
    courierCode: 'fedex',
    digits: ({ prefix = '' }) => 11 - prefix.length,
    number: ({ prefix = '' }, _, serial) => checked(fedexExpress, `${prefix}${serial}`),
  },
  'fedex-ground': {
    needs: [],
    takes: ['prefix'],
    courierCode: 'fedex',
    digits: ({ prefix = '' }) => 14 - prefix.length,
    number: ({ prefix = '' }, _, serial) => checked(fedexGround, `${prefix}${serial}`),
  },
  // A business's own: its letters, a serial number and a digit that checks the serial number.
  prefix: {
    needs: ['prefix', 'digits'],
    takes: [],
    digits: ({ digits }) => digits!,
    number: ({ prefix }, _, serial) => `${prefix}${checked(gs1, serial)}`,
  },
};

/** The first and last serial number that an account with this card may use. */
export function serialRange(numbers: TrackingNumbers): { first: number; last: number } {
  const all = 10 ** forms[numbers.form].digits(numbers) - 1;
  return { first: numbers.firstSerial ?? 0, last: Math.min(numbers.lastSerial ?? all, all) };
}

/** The tracking number of a serial number in the card's range, with its check digit. */
export function trackingNumber(
  numbers: TrackingNumbers,
  service: Pick<Service, 'trackingServiceType'> | undefined,
  serial: number,
): string {
  const form = forms[numbers.form];
  const serviceType = service?.trackingServiceType ?? numbers.serviceType ?? '';
  return form.number(numbers, serviceType, String(serial).padStart(form.digits(numbers), '0'));
}

/** The rules that a card's own numbers are judged by; none where they are those of a courier. */
export function ownRules(carrierName: string, numbers: TrackingNumbers): TrackingRules[] {
  if (numbers.form !== 'prefix') return [];
  const regex = `${numbers.prefix}(?<SerialNumber>[0-9]{${numbers.digits}})(?<CheckDigit>[0-9])`;
  return [
    {
      courierCode: 'own',
      courierName: carrierName,
      formats: [{ name: numbers.prefix!, regex, checksum: gs1 }],
    },
  ];
}
