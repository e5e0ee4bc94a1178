// What an order and a return show of a shipment on the wire.
import { trackerStatuses } from '../carriers/carrier.ts';
import { Currency, DateTime, Id, Money, nullable, object, oneOf, Type } from '../http/schemas.ts';

export const trackerStatus = oneOf(trackerStatuses);
const optional = nullable(Type.String());

export const TrackerSummary = object({
  status: trackerStatus,
  statusDetail: optional,
  carrierCode: Type.String(),
  estDeliveryDate: nullable(DateTime),
  trackingUrl: optional,
  signedBy: optional,
});
export const ShipmentAccount = object({ id: Id, carrierCode: Type.String(), description: Type.String() });
export const ShipmentRate = object({
  serviceCode: Type.String(),
  rateTotal: Money,
  currency: Currency,
  estDeliveryDays: nullable(Type.Integer()),
  estDeliveryDate: nullable(DateTime),
});

export const ShipmentSummary = object({
  id: Id,
  trackingCode: Type.String(),
  carrierAccount: ShipmentAccount,
  shippingRate: ShipmentRate,
  tracker: TrackerSummary,
  voidStatus: nullable(oneOf(['submitted', 'voided'])),
  createdAt: DateTime,
  updatedAt: DateTime,
});
