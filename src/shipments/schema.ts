// Shipments on the wire.
import { dateRangeParameters } from '../http/date-range.ts';
import {
  AddressInput,
  DateTime,
  Dimensions,
  DimensionsUnit,
  defaulted,
  Id,
  listQuery,
  Metadata,
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
import { FulfillmentLineInput } from '../orders/schema-actions.ts';
import { ShippingQuote } from '../shipping-quotes/schema.ts';
import {
  CustomsInput,
  InsuranceRequestInput,
  packageFields,
  ReturnAddress,
  ReturnAddressInput,
} from '../shipping-quotes/schema-parts.ts';
import { ShipmentAccount, ShipmentRate, TrackerSummary, trackerStatus } from './schema-summary.ts';

const code = requiredText(limits.codeLengthMax);
const labelFormat = oneOf(['pdf', 'zpl'], { default: 'pdf' });
const zplDpi = Type.Unsafe<203 | 300>({ type: 'integer', enum: [203, 300], default: 203 });

const lineItems = Type.Array(FulfillmentLineInput, {
  maxItems: limits.orderLineItemsMax,
  description: 'What of the order is in the parcel: it is fulfilled, and its stock taken',
});
const PackageInput = object({ ...packageFields, lineItems: Type.Optional(lineItems) });

/** What may be said of a label whichever way it is bought. */
const labelFields = {
  labelFormat: defaulted(labelFormat),
  zplDpi: defaulted(zplDpi),
  reference: Type.Optional(
    nullable(
      requiredText(limits.nameLengthMax, {
        description: 'Yours; a repeat with the same body answers the shipment that there is',
      }),
    ),
  ),
  lineItems: Type.Optional(
    Type.Array(FulfillmentLineInput, {
      maxItems: limits.orderLineItemsMax,
      description: 'What of the order is in the parcel, where there is one parcel',
    }),
  ),
  warehouseId: Type.Optional(
    nullable(Type.String({ ...Id, description: 'Whose allocations the line items take' })),
  ),
  metadata: Type.Optional(Metadata),
};

export const CreateShipmentBody = object(
  {
    shipToAddress: AddressInput,
    shipFromAddress: AddressInput,
    packages: Type.Array(PackageInput, { minItems: 1, maxItems: limits.packagesMax }),
    carrierCode: code,
    serviceCode: code,
    shippingDate: Type.Optional(nullable(DateTime)),
    customsInput: Type.Optional(nullable(CustomsInput)),
    insuranceRequest: Type.Optional(nullable(InsuranceRequestInput)),
    returnAddress: Type.Optional(nullable(ReturnAddressInput)),
    orderId: Type.Optional(nullable(Id)),
    requireVerified: defaulted(
      Type.Boolean({ default: false, description: '400 when an address does not pass the checks' }),
    ),
    ...labelFields,
  },
  {
    examples: [
      {
        shipToAddress: {
          name: 'Ada Byron',
          street1: '417 Montgomery St',
          city: 'San Francisco',
          state: 'CA',
          postalCode: '94104',
          country: 'US',
        },
        shipFromAddress: {
          company: 'Waybill Goods',
          street1: '2100 Commerce Row',
          city: 'Reno',
          state: 'NV',
          postalCode: '89501',
          country: 'US',
        },
        packages: [{ weight: 12, weightUnit: 'oz', dimensions: { length: 9, width: 6, height: 2 } }],
        carrierCode: 'usps',
        serviceCode: 'ground_advantage',
      },
    ],
  },
);
export type CreateShipmentBody = Static<typeof CreateShipmentBody>;

export const BuyShippingQuoteBody = object({ shippingRateId: Id, ...labelFields });
export type BuyShippingQuoteBody = Static<typeof BuyShippingQuoteBody>;

const optional = nullable(Type.String());
const place = nullable(text(limits.addressPartLengthMax));
const TrackingDetail = object({
  status: trackerStatus,
  message: optional,
  source: optional,
  occurredAt: DateTime,
  trackingLocation: nullable(
    object({ city: optional, state: optional, postalCode: optional, country: optional }),
  ),
});
const Tracker = object({ ...TrackerSummary.properties, trackingDetails: Type.Array(TrackingDetail) });

const Pick = object({
  warehouseLocationId: Id,
  productVariantId: Type.Optional(nullable(Id)),
  lotNumber: Type.Optional(nullable(Type.String())),
  quantity: PositiveQuantity,
});
const ShippingLabel = object({
  format: oneOf(['pdf', 'zpl']),
  dpi: nullable(Type.Integer()),
  url: Type.String({ description: 'Signed: needs no key, lasts 24 hours, new on each read' }),
  pdfUrl: optional,
  customsUrl: nullable(
    Type.String({
      description: 'The customs declaration as a PDF, beside a ZPL label that leaves its country',
    }),
  ),
  createdAt: DateTime,
});
const ShipmentPackage = object({
  id: Id,
  trackingCode: optional,
  weight: Type.Number(),
  weightUnit: WeightUnit,
  dimensions: nullable(Dimensions),
  dimensionsUnit: DimensionsUnit,
  lineItems: Type.Array(
    object({ lineItemId: Id, quantity: PositiveQuantity, picks: Type.Optional(nullable(Type.Array(Pick))) }),
  ),
  shippingLabel: nullable(ShippingLabel),
});

export const purchaseStatuses = ['pending', 'purchased', 'failed', 'unknown'] as const;

export const Shipment = object({
  id: Id,
  organizationId: Id,
  trackingCode: optional,
  purchaseStatus: oneOf(purchaseStatuses),
  failure: nullable(
    object({
      code: Type.String(),
      message: Type.String(),
      carrierErrorCode: optional,
      carrierMessage: optional,
    }),
  ),
  voidStatus: nullable(oneOf(['submitted', 'voided'])),
  refundStatus: nullable(oneOf(['submitted', 'refunded', 'rejected'])),
  reference: optional,
  returnAddress: ReturnAddress,
  carrierAccount: ShipmentAccount,
  shippingQuote: ShippingQuote,
  shippingRate: ShipmentRate,
  tracker: Tracker,
  order: nullable(object({ id: Id, name: Type.String() })),
  warehouseId: nullable(Id),
  fulfillmentId: nullable(Id),
  returnOrderId: nullable(Id),
  manifestId: nullable(Id),
  labelFormat: oneOf(['pdf', 'zpl']),
  packages: Type.Array(ShipmentPackage),
  metadata: Metadata,
  purchasedAt: nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
});

export const shipmentSorts = ['createdAt', 'updatedAt'] as const;
export const ListShipmentsQuery = listQuery(shipmentSorts, {
  carrierCode: Type.Optional(code),
  trackingStatus: Type.Optional(trackerStatus),
  purchaseStatus: Type.Optional(oneOf(purchaseStatuses)),
  ...dateRangeParameters,
  childOrders: defaulted(
    Type.Boolean({ default: false, description: 'Include shipments of client organizations' }),
  ),
});
export type ListShipmentsQuery = Static<typeof ListShipmentsQuery>;

export const CreateTrackingEventsBody = object(
  {
    trackingDetails: Type.Array(
      object({
        status: trackerStatus,
        message: Type.Optional(nullable(text(limits.textLengthMax))),
        occurredAt: DateTime,
        trackingLocation: Type.Optional(
          nullable(
            object({
              city: Type.Optional(place),
              state: Type.Optional(place),
              postalCode: Type.Optional(place),
              country: Type.Optional(place),
            }),
          ),
        ),
      }),
      { minItems: 1, maxItems: limits.trackingEventsMax },
    ),
    signedBy: Type.Optional(nullable(text(limits.nameLengthMax))),
  },
  {
    examples: [
      {
        trackingDetails: [
          {
            status: 'delivered',
            message: 'Left at the door',
            occurredAt: '2026-11-21T10:15:00Z',
            trackingLocation: { city: 'Reno', state: 'NV', postalCode: '89501', country: 'US' },
          },
        ],
      },
    ],
  },
);
export type CreateTrackingEventsBody = Static<typeof CreateTrackingEventsBody>;
