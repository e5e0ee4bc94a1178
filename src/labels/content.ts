// What a label says, before anybody decides where it stands.
import type { Customs, WeightUnit } from '../carriers/carrier.ts';

/** As `Address` on the wire; whatever is null or empty takes no line. */
export interface LabelAddress {
  name: string | null;
  company: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Printed where the parcel leaves the country. */
  phone: string | null;
  /** Printed on the customs declaration. */
  taxIdentifier?: string | null;
}

/**
 * `gs1-128-postal`: AI 420 with the five digits of the destination's ZIP code, then the tracking code, as USPS
 * Publication 199 has it. `code-128`: the tracking code alone.
 */
export type Symbology = 'gs1-128-postal' | 'code-128';

export interface Weight {
  value: number;
  unit: WeightUnit;
}

/** One parcel's label. Of the same content the same bytes are drawn, whenever it is. */
export interface LabelContent {
  /** No carrier stands behind it: the label says so in two black bands. */
  sample: boolean;
  carrierName: string;
  serviceName: string;
  shipFrom: LabelAddress;
  shipTo: LabelAddress;
  /** Printed as the sender's where it is not null; then `shipFrom`'s postal code is named beside it. */
  returnAddress: LabelAddress | null;
  weight: Weight;
  /** The calendar day, `YYYY-MM-DD`. */
  shippingDate: string;
  reference: string | null;
  /** Which parcel of how many. */
  package: { number: number; count: number };
  /** ASCII; 29 characters, or 58 digits, are what the width of a label takes. */
  trackingCode: string;
  symbology: Symbology;
  /** What the carrier is to do, a line each; the first three are printed. */
  notes: readonly string[];
  /** Adds pages to the PDF. Given where the countries differ; a ZPL label has no pages. */
  customs: Customs | null;
}

/** Where the United States Postal Service delivers at home. */
const postalCountries = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM', 'FM', 'MH', 'PW']);

/** The postal barcode for a USPS number of 22 digits (it begins 91 to 95) that goes to a ZIP code; else Code 128. */
export function symbologyOf(
  trackingCode: string,
  shipTo: Pick<LabelAddress, 'country' | 'postalCode'>,
): Symbology {
  const postal =
    /^9[1-5]\d{20}$/.test(trackingCode) &&
    postalCountries.has(shipTo.country?.toUpperCase() ?? '') &&
    zip5(shipTo.postalCode) !== undefined;
  return postal ? 'gs1-128-postal' : 'code-128';
}

export function zip5(postalCode: string | null): string | undefined {
  return /^\s*(\d{5})(?!\d)/.exec(postalCode ?? '')?.[1];
}
