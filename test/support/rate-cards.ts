// What tests of rates begin with: checked cards, parcels and places.
import assert from 'node:assert/strict';
import { address } from '../../src/address.ts';
import type { Parcel, RateRequest } from '../../src/carriers/carrier.ts';
import { checkRateCard } from '../../src/carriers/rate-card/check-card.ts';
import { rateParcels } from '../../src/carriers/rate-card/rate-parcels.ts';
import type { RateCard } from '../../src/carriers/rate-card/schema.ts';
import { mountainView, rateCard, reno } from './carriers.ts';

type Fields = Record<string, unknown>;

/** The card of carriers.ts with these fields, as it is kept. */
export function checkedCard(fields: Fields = {}): RateCard {
  const checked = checkRateCard(rateCard(fields));
  assert.ok('card' in checked, JSON.stringify(checked));
  return checked.card;
}

/** A service with these fields: up to 10 lb for 10.10, everywhere. */
export const service = (fields: Fields = {}) => ({
  code: 'van',
  name: 'Van',
  breaks: [{ weightUpTo: '10 lb', prices: { all: 10.1 } }],
  ...fields,
});

let parcels = 0;

export function parcel(
  weight: number,
  weightUnit: Parcel['weightUnit'] = 'lb',
  sides: [number, number, number] | null = null,
  dimensionsUnit: Parcel['dimensionsUnit'] = 'in',
): Parcel {
  parcels += 1;
  const [length, width, height] = sides ?? [null, null, null];
  const dimensions = sides && { length, width, height };
  return { id: `parcel ${parcels}`, weight, weightUnit, dimensions, dimensionsUnit };
}

/** From Reno to Mountain View on Wednesday, 7 January 2026. */
export function rateRequest(fields: Partial<RateRequest> = {}): RateRequest {
  return {
    reference: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90',
    shipTo: address(mountainView),
    shipFrom: address(reno),
    returnAddress: null,
    parcels: [parcel(1)],
    shippingDate: new Date('2026-01-07T15:00:00Z'),
    customs: null,
    insurance: null,
    ...fields,
  };
}

/** Service, total and surcharges of what a card asks; or why it does not. */
export function rated(card: RateCard, fields: Partial<RateRequest> = {}): string[] {
  const { rates, refusals } = rateParcels(card, rateRequest(fields));
  return [
    ...rates.map((rate) => `${rate.serviceCode} ${rate.rateTotal} (${rate.rateSurcharges})`),
    ...refusals.map(({ serviceCode, reason }) => `${serviceCode} ${reason}`),
  ];
}
