// What the labels of a shipment say that Waybill draws: kept with the parcel, so that a label never changes. Pure.
import type { Bought } from '../carriers/carrier.ts';
import type { LabelContent } from '../labels/content.ts';
import { symbologyOf } from '../labels/content.ts';
import type { PurchaseRow } from './purchase-queries.ts';

/** One for each parcel; null where the carrier made the labels. */
export function labelContents(row: PurchaseRow, { drawing, parcels }: Bought): LabelContent[] | null {
  if (drawing === null) return null;
  const { shipTo, shipFrom, returnAddress, customs } = row;
  const international =
    shipTo.country !== null && shipFrom.country !== null && shipTo.country !== shipFrom.country;
  return row.parcels.map((parcel, index) => {
    const { trackingCode } = parcels[index]!;
    return {
      ...{ sample: drawing.sample, carrierName: drawing.carrierName, serviceName: row.serviceName },
      ...{
        shipTo,
        shipFrom,
        returnAddress: isFrom(returnAddress, shipFrom) ? null : complete(returnAddress),
      },
      weight: { value: parcel.weight, unit: parcel.weightUnit },
      shippingDate: row.shippingDate.toISOString().slice(0, 10),
      reference: row.reference ?? row.orderName,
      package: { number: index + 1, count: row.parcels.length },
      ...{ trackingCode, symbology: symbologyOf(trackingCode, shipTo), notes: [] },
      customs: international ? customs : null,
    };
  });
}

const parts = [
  'name',
  'company',
  'street1',
  'street2',
  'city',
  'state',
  'postalCode',
  'country',
  'phone',
] as const;

type Parts = { [part in (typeof parts)[number]]: string | null };

function complete(address: Partial<Parts>): Parts {
  return Object.fromEntries(parts.map((part) => [part, address[part] ?? null])) as Parts;
}

function isFrom(returnAddress: Partial<Parts>, shipFrom: Parts): boolean {
  return parts.every((part) => (returnAddress[part] ?? null) === shipFrom[part]);
}
