// What is remembered of EasyPost between calls: which of its shipments and rates a rate and a purchase of ours are.
import { Check } from 'typebox/value';
import { type Static, Type } from '../../http/schemas.ts';
import { CarrierError } from '../carrier.ts';

const shipmentId = Type.String({ pattern: '^shp_[0-9A-Za-z]+$' });
const rateId = Type.String({ pattern: '^rate_[0-9A-Za-z]+$' });

/** One for each parcel, in order: the shipment at EasyPost and its rate. */
const RateReference = Type.Array(Type.Tuple([shipmentId, rateId]), { minItems: 1 });
export type RateReference = Static<typeof RateReference>;

/** One shipment at EasyPost for each parcel, in order. */
const PurchaseReference = Type.Array(shipmentId, { minItems: 1 });

export function writeReference(reference: readonly (string | readonly string[])[]): string {
  return JSON.stringify(reference);
}

/** Undefined where it is none of ours, or is of another number of parcels: with that nothing can be bought. */
export function readRateReference(text: string | null, parcels: number): RateReference | undefined {
  const reference = parsed(text);
  return Check(RateReference, reference) && reference.length === parcels ? reference : undefined;
}

/** @throws CarrierError carrier_rejected */
export function readPurchaseReference(text: string): string[] {
  const reference = parsed(text);
  if (Check(PurchaseReference, reference)) return reference;
  throw new CarrierError('carrier_rejected', 'the label is none that EasyPost sold', { bought: 'no' });
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
