// Our requests as EasyPost's JSON. Pure. EasyPost counts in ounces and inches, each with one decimal.
import Big from 'big.js';
import type { Address } from '../../http/schemas.ts';
import * as limits from '../../limits.ts';
import {
  CarrierError,
  type Customs,
  type CustomsItem,
  type DimensionsUnit,
  type Parcel,
  type RateRequest,
  type WeightUnit,
} from '../carrier.ts';
import { convertLength, convertWeight } from '../units.ts';
import type { EasyPostSettings } from './settings.ts';

/** The body of `POST /shipments`, one for each parcel: a shipment of EasyPost has one. @throws CarrierError carrier_rejected */
export function shipmentBodies(settings: EasyPostSettings, request: RateRequest, now: Date): object[] {
  const { parcels, customs, reference } = request;
  if (parcels.length > limits.easypostParcelsMax) {
    throw rejected(`takes ${limits.easypostParcelsMax} parcels at most`);
  }
  // Each parcel would be declared with all that is in the others too, and duty asked for all of it.
  if (parcels.length > 1 && customs !== null) {
    throw rejected('takes one parcel at a time across a border: the customs declaration is of one parcel');
  }
  insuranceAmounts(request.insurance, parcels.length);
  return parcels.map((parcel, index) => ({
    shipment: {
      to_address: addressOf(request.shipTo),
      from_address: addressOf(request.shipFrom),
      ...(request.returnAddress !== null && { return_address: addressOf(request.returnAddress) }),
      parcel: parcelOf(parcel),
      ...(customs !== null && { customs_info: customsOf(customs) }),
      ...(customs !== null && taxIdentifiersOf(settings)),
      ...(settings.carrierAccountIds !== undefined && { carrier_accounts: settings.carrierAccountIds }),
      options: optionsOf(request, now),
      reference: parcels.length === 1 ? reference : `${reference}/${index + 1}`,
    },
  }));
}

/** The body of `POST /shipments/{id}/buy`. */
export function buyBody(rateId: string, insurance: string | null): object {
  return { rate: { id: rateId }, ...(insurance !== null && { insurance }) };
}

export function scanFormBody(shipmentIds: readonly string[]): object {
  return { scan_form: { shipments: shipmentIds.map((id) => ({ id })) } };
}

/** What each parcel is insured for: equal parts, to the cent. @throws CarrierError carrier_rejected: EasyPost insures in dollars */
export function insuranceAmounts(insurance: RateRequest['insurance'], parcels: number): (string | null)[] {
  if (insurance === null || insurance.amount === 0) return Array.from({ length: parcels }, () => null);
  if (insurance.currency.toLowerCase() !== 'usd') throw rejected('insures in US dollars alone');
  const whole = new Big(insurance.amount).round(2, Big.roundUp);
  const part = whole.div(parcels).round(2, Big.roundDown);
  const first = whole.minus(part.times(parcels - 1));
  return Array.from({ length: parcels }, (_, index) => (index === 0 ? first : part).toFixed(2));
}

/** PNG is the one format that EasyPost converts into others, and which one is wanted is known only when a rate is bought. */
function optionsOf({ customs, shippingDate }: RateRequest, now: Date): object {
  return {
    label_format: 'PNG',
    label_size: '4x6',
    ...(shippingDate > now && { label_date: shippingDate.toISOString() }),
    ...(customs?.incoterm && { incoterm: customs.incoterm.toUpperCase() }),
  };
}

function addressOf(address: Partial<Address>): object {
  return withoutBlanks({
    name: address.name,
    company: address.company,
    street1: address.street1,
    street2: address.street2,
    city: address.city,
    state: address.state,
    zip: address.postalCode,
    country: address.country,
    phone: address.phone,
    email: address.email,
    residential: address.isResidential,
    carrier_facility: address.facilityCode,
    federal_tax_id: address.taxIdentifier,
  });
}

/** All three dimensions or none. */
function parcelOf({ weight, weightUnit, dimensions, dimensionsUnit }: Parcel): object {
  const { length, width, height } = dimensions ?? { length: null, width: null, height: null };
  const sides = length === null || width === null || height === null ? {} : { length, width, height };
  return {
    ...Object.fromEntries(
      Object.entries(sides).map(([side, value]) => [side, inches(value, dimensionsUnit)]),
    ),
    weight: tenths(convertWeight(weight, weightUnit, 'oz')),
  };
}

function inches(value: number, unit: DimensionsUnit): number {
  return tenths(convertLength(value, unit, 'in'));
}

/** Up, so that nothing is declared smaller than it is; less than a hundredth is the noise of a conversion (453.6 g is a pound). */
function tenths(value: Big): number {
  const rounded = value.round(2, Big.roundHalfUp).round(1, Big.roundUp);
  return rounded.eq(0) && value.gt(0) ? 0.1 : rounded.toNumber();
}

function customsOf(customs: Customs): object {
  return {
    ...withoutBlanks({ eel_pfc: customs.eelPfc, customs_signer: customs.signer }),
    customs_certify: customs.signer !== null,
    contents_type: customs.contentsType.replaceAll('-', '_'),
    contents_explanation: customs.contentsExplanation ?? '',
    restriction_type: 'none',
    non_delivery_option: customs.nonDeliveryOption,
    customs_items: customs.items.map(customsItemOf),
  };
}

function customsItemOf(item: CustomsItem): object {
  return withoutBlanks({
    description: item.description,
    quantity: item.quantity,
    value: item.value,
    currency: item.currency.toUpperCase(),
    weight: item.weight === null ? null : itemOunces(item.weight, item.weightUnit),
    hs_tariff_number: item.tariffCode,
    origin_country: item.countryOfOrigin,
    code: item.sku,
    eccn: item.eccn,
  });
}

/** Down, so that the contents never weigh more than the parcel, which carriers refuse; and never nothing. */
function itemOunces(weight: number, unit: WeightUnit): number {
  const ounces = convertWeight(weight, unit, 'oz').round(2, Big.roundDown);
  return Math.max(ounces.toNumber(), 0.01);
}

function taxIdentifiersOf({ taxIdentifiers = [] }: EasyPostSettings): object {
  if (taxIdentifiers.length === 0) return {};
  return {
    tax_identifiers: taxIdentifiers.map(({ entity, taxId, taxIdType, issuingCountry }) => ({
      entity,
      tax_id: taxId,
      tax_id_type: taxIdType,
      issuing_country: issuingCountry,
    })),
  };
}

function withoutBlanks(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}

function rejected(message: string): CarrierError {
  return new CarrierError('carrier_rejected', message, { bought: 'no' });
}
