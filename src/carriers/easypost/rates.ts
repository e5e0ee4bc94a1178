// The rates of EasyPost's shipments as ours: those of one carrier, and of services that take every parcel. Pure.
import Big from 'big.js';
import * as limits from '../../limits.ts';
import { type CarrierAccount, CarrierError, type CarrierRate } from '../carrier.ts';
import { writeReference } from './references.ts';
import { messagesIn, type Rate, readRates, type Shipment, timeIn } from './responses.ts';
import { serviceCodeOf, serviceNameOf } from './services.ts';
import { isCarrier } from './settings.ts';

/**
 * What a service costs is the sum over the parcels. A service that several accounts at EasyPost sell counts at its
 * cheapest. What the carrier complained of is the message of the rates that there are all the same.
 * @throws CarrierError carrier_rejected with the carrier's words, where it complained and offers nothing
 */
export function ratesOf(account: CarrierAccount, shipments: readonly Shipment[]): CarrierRate[] {
  const message = complaints(account, shipments);
  const [first, ...others] = shipments.map((shipment) => cheapest(account, shipment));
  const rates = [...(first ?? [])].flatMap(([serviceCode, rate]) => {
    const parts = [rate, ...others.map((offers) => offers.get(serviceCode))];
    const complete = parts.every((part) => part !== undefined && part.currency === rate.currency);
    return complete ? [rateOf(serviceCode, parts as Rate[], shipments, message)] : [];
  });
  if (rates.length === 0 && message !== null) {
    throw new CarrierError('carrier_rejected', 'offers no service', {
      bought: 'no',
      carrierMessage: message,
    });
  }
  return rates;
}

function cheapest(account: CarrierAccount, shipment: Shipment): Map<string, Rate> {
  const offers = new Map<string, Rate>();
  for (const rate of readRates(shipment)) {
    if (!isCarrier(account, rate.carrier)) continue;
    const serviceCode = serviceCodeOf(rate.service);
    const known = offers.get(serviceCode);
    if (known === undefined || new Big(rate.rate).lt(known.rate)) offers.set(serviceCode, rate);
  }
  return offers;
}

function rateOf(
  serviceCode: string,
  parts: readonly Rate[],
  shipments: readonly Shipment[],
  message: string | null,
): CarrierRate {
  const [{ service, currency }] = parts as [Rate];
  return {
    serviceCode,
    serviceName: serviceNameOf(service).slice(0, limits.nameLengthMax),
    rateTotal: sum(parts.map(({ rate }) => rate)),
    // EasyPost does not take its rates apart.
    rateSurcharges: '0',
    compareAtRate: listPrice(parts),
    currency: currency.toLowerCase(),
    estDeliveryDays: most(parts.map(({ delivery_days }) => delivery_days ?? null)),
    estDeliveryDate: latest(parts.map(({ delivery_date }) => timeIn(delivery_date) ?? null)),
    deliveryDateGuaranteed: parts.every((part) => part.delivery_date_guaranteed === true),
    message,
    carrierReference: writeReference(parts.map(({ id }, index) => [shipments[index]!.id, id])),
  };
}

/** At the counter, or by the carrier's list. */
function listPrice(parts: readonly Rate[]): string | null {
  const prices = parts.map(({ currency, retail_rate, retail_currency, list_rate, list_currency }) => {
    if (retail_rate != null && (retail_currency ?? currency) === currency) return retail_rate;
    if (list_rate != null && (list_currency ?? currency) === currency) return list_rate;
    return undefined;
  });
  return prices.every((price) => price !== undefined) ? sum(prices) : null;
}

function sum(amounts: readonly (string | number)[]): string {
  return amounts.reduce((total: Big, amount) => total.plus(amount), new Big(0)).toFixed();
}

/** Null where one of them is not known. */
function most(values: readonly (number | null)[]): number | null {
  return values.reduce((last, value) => (last === null || value === null ? null : Math.max(last, value)));
}

function latest(values: readonly (Date | null)[]): Date | null {
  const time = most(values.map((value) => value?.getTime() ?? null));
  return time === null ? null : new Date(time);
}

function complaints(account: CarrierAccount, shipments: readonly Shipment[]): string | null {
  const lines = shipments
    .flatMap(messagesIn)
    .filter(({ carrier }) => carrier == null || isCarrier(account, carrier))
    .map(({ message }) => (typeof message === 'string' ? message : JSON.stringify(message)));
  const words = [...new Set(lines)].join('; ').slice(0, limits.textLengthMax);
  return words === '' ? null : words;
}
