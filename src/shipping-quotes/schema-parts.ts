// What quotes and shipments have alike on the wire: parcels, customs, insurance, where a parcel goes back to.
import { address } from '../address.ts';
import {
  Address,
  AddressInput,
  Currency,
  DateTime,
  Dimensions,
  DimensionsInput,
  DimensionsUnit,
  defaulted,
  Id,
  Measure,
  Metadata,
  Money,
  nullable,
  object,
  oneOf,
  PositiveQuantity,
  requiredText,
  type Static,
  Type,
  text,
  WeightUnit,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

const name = nullable(text(limits.nameLengthMax));
const optionalName = Type.Optional(name);
const Packaging = object({ name, type: name });
const weight = Type.Number({ exclusiveMinimum: 0, maximum: limits.measureMax, examples: [12.5] });

export const QuotePackage = object({
  id: Id,
  weight: Type.Number(),
  weightUnit: WeightUnit,
  dimensions: nullable(Dimensions),
  dimensionsUnit: DimensionsUnit,
  packaging: nullable(Packaging),
});

/** The fields of a parcel as it is asked for. */
export const packageFields = {
  weight,
  weightUnit: defaulted(oneOf(['oz', 'lb', 'g', 'kg'], { default: 'oz' })),
  dimensions: Type.Optional(nullable(DimensionsInput)),
  dimensionsUnit: defaulted(oneOf(['in', 'cm'], { default: 'in' })),
  packaging: Type.Optional(nullable(object({ name: optionalName, type: optionalName }))),
};
const PackageInput = object(packageFields);
export type PackageInput = Static<typeof PackageInput>;
export const PackagesInput = Type.Array(PackageInput, { minItems: 1, maxItems: limits.packagesMax });

const contentsType = oneOf(['merchandise', 'gift', 'documents', 'returned-goods', 'sample', 'other']);
const nonDeliveryOption = oneOf(['return', 'abandon']);
const code = nullable(text(limits.codeLengthMax));
const country = nullable(Type.String({ pattern: '^[A-Za-z]{2}$', examples: ['US'] }));
const customsValue = Type.Number({ ...Money, description: 'Of all units, in `currency`' });
const customsWeight = nullable(Type.Number({ ...Measure, description: 'Of all units' }));

export const CustomsInfo = object({
  contentsType,
  contentsExplanation: nullable(Type.String()),
  signer: nullable(Type.String()),
  nonDeliveryOption,
  incoterm: nullable(Type.String()),
  eelPfc: nullable(Type.String()),
  items: Type.Array(
    object({
      description: Type.String(),
      quantity: Type.Integer(),
      value: customsValue,
      currency: Currency,
      weight: customsWeight,
      weightUnit: WeightUnit,
      tariffCode: nullable(Type.String()),
      countryOfOrigin: nullable(Type.String()),
      sku: nullable(Type.String()),
      eccn: nullable(Type.String()),
    }),
  ),
});

const CustomsItemInput = object({
  description: requiredText(limits.nameLengthMax),
  quantity: PositiveQuantity,
  value: customsValue,
  currency: defaulted(Type.String({ ...Currency, default: 'usd' })),
  weight: Type.Optional(customsWeight),
  weightUnit: defaulted(oneOf(['oz', 'lb', 'g', 'kg'], { default: 'oz' })),
  tariffCode: Type.Optional(code),
  countryOfOrigin: Type.Optional(country),
  sku: Type.Optional(nullable(text(limits.nameLengthMax))),
  eccn: Type.Optional(code),
});

export const CustomsInput = object({
  contentsType: defaulted(
    oneOf(['merchandise', 'gift', 'documents', 'returned-goods', 'sample', 'other'], {
      default: 'merchandise',
    }),
  ),
  contentsExplanation: Type.Optional(nullable(text(limits.nameLengthMax))),
  signer: Type.Optional(nullable(text(limits.nameLengthMax))),
  nonDeliveryOption: defaulted(oneOf(['return', 'abandon'], { default: 'return' })),
  incoterm: Type.Optional(code),
  eelPfc: Type.Optional(code),
  items: Type.Optional(
    nullable(
      Type.Array(CustomsItemInput, {
        minItems: 1,
        maxItems: limits.customsItemsMax,
        description: "Left out: what is open of the order's lines",
      }),
    ),
  ),
});
export type CustomsInput = Static<typeof CustomsInput>;

export const InsuranceRequest = object({ amount: Money, currency: Currency });
export const InsuranceRequestInput = object({
  amount: Money,
  currency: defaulted(Type.String({ ...Currency, default: 'usd' })),
});

const returnParts = [
  'name',
  'company',
  'street1',
  'street2',
  'city',
  'state',
  'postalCode',
  'country',
  'phone',
  'email',
] as const;
/** Where a parcel goes that cannot be delivered: an address without the parts that only a destination has. */
export const ReturnAddress = Type.Pick(Address, returnParts, { additionalProperties: false });
export type ReturnAddress = Static<typeof ReturnAddress>;
export const ReturnAddressInput = Type.Pick(AddressInput, returnParts, { additionalProperties: false });

/** The ten parts of an address, null where unset. */
export function returnAddress(input: AddressInput): ReturnAddress {
  const complete = address(input);
  return Object.fromEntries(returnParts.map((part) => [part, complete[part]])) as ReturnAddress;
}

/** What a quote is asked with, beside its packages. */
export const quoteFields = {
  shipToAddress: AddressInput,
  shipFromAddress: AddressInput,
  returnAddress: Type.Optional(nullable(ReturnAddressInput)),
  shippingDate: Type.Optional(nullable({ ...DateTime, description: 'Now, when left out' })),
  orderId: Type.Optional(nullable(Id)),
  customsInput: Type.Optional(
    nullable({
      ...CustomsInput,
      description:
        "Needed when the countries differ; with an `orderId` what is left out is filled from the order's lines",
    }),
  ),
  insuranceRequest: Type.Optional(nullable(InsuranceRequestInput)),
  requireVerified: defaulted(
    Type.Boolean({
      default: false,
      description: '400 naming the parts, where a check finds fault with an address',
    }),
  ),
  metadata: Type.Optional(Metadata),
};
const QuoteInput = object({ ...quoteFields, packages: PackagesInput });
export type QuoteInput = Static<typeof QuoteInput>;
