// Shipping quotes on the wire.
import { CarrierAccountSummary } from '../carrier-accounts/schema.ts';
import { dateRangeParameters } from '../http/date-range.ts';
import {
  AddressReference,
  Currency,
  DateTime,
  Id,
  listQuery,
  Metadata,
  nullable,
  object,
  type Static,
  Type,
} from '../http/schemas.ts';
import {
  CustomsInfo,
  InsuranceRequest,
  PackagesInput,
  QuotePackage,
  quoteFields,
  ReturnAddress,
} from './schema-parts.ts';

const ShippingRate = object({
  id: Id,
  serviceCode: Type.String(),
  serviceName: Type.String(),
  rateTotal: Type.Number(),
  rateSurcharges: Type.Number({ description: 'The part of `rateTotal` that surcharges are' }),
  compareAtRate: nullable(Type.Number({ description: 'By the list, where that is known' })),
  currency: Currency,
  estDeliveryDays: nullable(Type.Integer()),
  estDeliveryDate: nullable(DateTime),
  deliveryDateGuaranteed: Type.Boolean(),
  message: nullable(Type.String()),
  carrierAccount: CarrierAccountSummary,
});

export const ShippingQuote = object({
  id: Id,
  organizationId: Id,
  orderId: nullable(Id),
  shipmentId: nullable({ ...Id, description: 'Of the shipment that was bought with it' }),
  shipToAddress: AddressReference,
  shipFromAddress: AddressReference,
  returnAddress: nullable(ReturnAddress),
  shippingDate: DateTime,
  packages: Type.Array(QuotePackage),
  customsInput: nullable(CustomsInfo),
  insuranceRequest: nullable(InsuranceRequest),
  messages: Type.Array(Type.String(), {
    description: 'What the check of the addresses found, and which accounts have no rates, and why',
  }),
  shippingRates: Type.Array(ShippingRate, { description: 'The cheapest first' }),
  expiresAt: { ...DateTime, description: 'No rate can be bought from then on' },
  metadata: Metadata,
  createdAt: DateTime,
  updatedAt: DateTime,
});

export const CreateShippingQuoteBody = object(
  { ...quoteFields, packages: PackagesInput },
  {
    examples: [
      {
        shipToAddress: {
          name: 'Ada Byron',
          street1: '1600 Amphitheatre Pkwy',
          city: 'Mountain View',
          state: 'CA',
          postalCode: '94043',
          country: 'US',
        },
        shipFromAddress: {
          street1: '500 E 4th St',
          city: 'Reno',
          state: 'NV',
          postalCode: '89512',
          country: 'US',
        },
        packages: [{ weight: 12, dimensions: { length: 8, width: 6, height: 4 } }],
      },
    ],
  },
);

export const quoteSorts = ['createdAt', 'updatedAt', 'shippingDate'] as const;
export const ListShippingQuotesQuery = listQuery(quoteSorts, {
  hasShipment: Type.Optional(Type.Boolean({ description: 'Whether a shipment was bought with it' })),
  ...dateRangeParameters,
});
export type ListShippingQuotesQuery = Static<typeof ListShippingQuotesQuery>;
