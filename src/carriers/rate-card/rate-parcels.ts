// The rates of a card for some parcels, service by service, and why a service has none. Pure; amounts are never floats.
import Big from 'big.js';
import { money } from '../../money.ts';
import type { CarrierRate, RateRequest } from '../carrier.ts';
import { wholeSteps } from '../units.ts';
import { dayOf, deliveryDate } from './delivery-date.ts';
import { lengthOf, lengthPlusGirth, type Measured, measure, weightOf } from './measure.ts';
import type { RateCard, Service } from './schema.ts';
import { type Circumstances, packageSurcharges, rounded, shipmentSurcharges } from './surcharges.ts';
import { placeOf, zoneOf } from './zones.ts';

/** A service that cannot take the parcels. */
export interface Refusal {
  serviceCode: string;
  /** Ends a sentence that begins with the service's name. */
  reason: string;
}

type Asked = Pick<RateRequest, 'shipTo' | 'shipFrom' | 'parcels' | 'shippingDate' | 'insurance'>;

/** In the order of the card. Parcels of one shipment are priced one by one and summed. */
export function rateParcels(card: RateCard, asked: Asked): { rates: CarrierRate[]; refusals: Refusal[] } {
  const from = placeOf(card, asked.shipFrom);
  const to = placeOf(card, asked.shipTo);
  const zone = zoneOf(card, from, to);
  const parcels = asked.parcels.map((parcel) => measure(card, parcel));
  const rates: CarrierRate[] = [];
  const refusals: Refusal[] = [];
  for (const service of card.services) {
    const refuse = (reason: string) => refusals.push({ serviceCode: service.code, reason });
    if (zone === undefined) {
      refuse(`has no zone from ${placeText(from)} to ${placeText(to)}`);
      continue;
    }
    const circumstances: Circumstances = {
      card,
      serviceCode: service.code,
      zone,
      to,
      isResidential: asked.shipTo.isResidential,
      shippingDay: dayOf(asked.shippingDate),
    };
    const rate = rateService(service, circumstances, parcels, asked);
    if (typeof rate === 'string') refuse(rate);
    else rates.push(rate);
  }
  return { rates, refusals };
}

const placeText = ({ country, postalCode }: { country: string; postalCode: string }) =>
  `${country} ${postalCode || 'without a postal code'}`;

/** The rate, or why there is none. */
function rateService(
  service: Service,
  circumstances: Circumstances,
  parcels: readonly Measured[],
  asked: Asked,
): CarrierRate | string {
  const { card, zone } = circumstances;
  const insurance = insurancePrice(card, asked.insurance);
  if (typeof insurance === 'string') return insurance;
  const shared = shipmentSurcharges(circumstances, parcels).plus(insurance);
  let [carriage, list] = [new Big(0), new Big(0)];
  let [surcharges, listSurcharges] = [shared, shared];
  for (const parcel of parcels) {
    const price = excess(service, parcel) ?? weightPrice(service, zone, parcel.billable);
    if (typeof price === 'string') return price;
    const full = rounded(card, price);
    const own = ownPrice(card, service, price);
    carriage = carriage.plus(own);
    list = list.plus(full);
    surcharges = surcharges.plus(packageSurcharges(circumstances, parcel, own));
    listSurcharges = listSurcharges.plus(packageSurcharges(circumstances, parcel, full));
  }
  const days = transitDays(service, zone);
  return {
    serviceCode: service.code,
    serviceName: service.name,
    rateTotal: carriage.plus(surcharges).toFixed(),
    rateSurcharges: surcharges.toFixed(),
    compareAtRate: service.discountPercent > 0 ? list.plus(listSurcharges).toFixed() : null,
    currency: card.currency,
    estDeliveryDays: days ?? null,
    estDeliveryDate: days === undefined ? null : deliveryDate(asked.shippingDate, days, service.deliversOn),
    deliveryDateGuaranteed: days !== undefined && service.deliveryDateGuaranteed,
    message: messageOf(card, parcels),
    carrierReference: null,
  };
}

/** What is paid for a parcel: the list price less the discount, and no less than the minimum. */
function ownPrice(card: RateCard, { discountPercent, minimumPerPackage }: Service, price: Big): Big {
  const discounted = price.times(new Big(100).minus(discountPercent)).div(100);
  const minimum = new Big(money(minimumPerPackage));
  return rounded(card, discounted.lt(minimum) ? minimum : discounted);
}

/** The weights of a service's breaks in grams, made once a card. */
const breakWeights = new WeakMap<Service['breaks'], Big[]>();

function weightsOf(breaks: Service['breaks']): Big[] {
  let weights = breakWeights.get(breaks);
  if (weights === undefined) {
    weights = breaks.map(({ weightUpTo }) => weightOf(weightUpTo));
    breakWeights.set(breaks, weights);
  }
  return weights;
}

/** By the first break that holds the weight; beyond the last one by the steps above it. */
function weightPrice(service: Service, zone: string, billable: Big): Big | string {
  const { breaks, additionalWeight: additional } = service;
  const weights = weightsOf(breaks);
  const found = breaks[weights.findIndex((weight) => billable.lte(weight))];
  const priceIn = (prices: Record<string, number>) =>
    Object.hasOwn(prices, zone) ? new Big(money(prices[zone]!)) : undefined;
  if (found !== undefined) return priceIn(found.prices) ?? `does not go to zone ${zone}`;
  const last = breaks.at(-1)!;
  if (additional === undefined) return `takes no more than ${last.weightUpTo}`;
  const [base, each] = [priceIn(last.prices), priceIn(additional.prices)];
  if (base === undefined || each === undefined) return `does not go to zone ${zone} at this weight`;
  const beyond = billable.minus(weights.at(-1)!);
  return base.plus(each.times(wholeSteps(beyond, weightOf(additional.per))));
}

/** What of the parcel is more than the service takes. */
function excess(service: Service, { weight, sides }: Measured): string | undefined {
  const { maximumWeight, maximumLongestSide, maximumLengthPlusGirth } = service;
  if (maximumWeight !== undefined && weight.gt(weightOf(maximumWeight))) {
    return `takes no more than ${maximumWeight}`;
  }
  if (sides === undefined) return undefined;
  if (maximumLongestSide !== undefined && sides[0].gt(lengthOf(maximumLongestSide))) {
    return `takes no side longer than ${maximumLongestSide}`;
  }
  if (maximumLengthPlusGirth !== undefined && lengthPlusGirth(sides).gt(lengthOf(maximumLengthPlusGirth))) {
    return `takes no more than ${maximumLengthPlusGirth} of length and girth`;
  }
  return undefined;
}

function insurancePrice(card: RateCard, asked: RateRequest['insurance']): Big | string {
  if (asked === null || asked.amount === 0) return new Big(0);
  const rule = card.insurance;
  if (rule === undefined) return 'does not insure';
  if (asked.currency !== card.currency) return `insures in ${card.currency} only`;
  if (new Big(asked.amount).gt(rule.maximum)) return `insures no more than ${rule.maximum}`;
  const insured = new Big(asked.amount).minus(rule.included);
  if (insured.lte(0)) return new Big(0);
  return rounded(card, wholeSteps(insured, new Big(rule.per)).times(money(rule.price)));
}

function transitDays({ transitDays: days = {} }: Service, zone: string): number | undefined {
  return Object.hasOwn(days, zone) ? days[zone] : days['*'];
}

/** What a person who wonders about the price should know. */
function messageOf(card: RateCard, parcels: readonly Measured[]): string | null {
  if (card.dimensional === undefined) return null;
  if (parcels.some(({ sides }) => sides === undefined))
    return 'Priced by weight alone: dimensions are missing';
  return parcels.some(({ bySize }) => bySize) ? 'Priced by dimensional weight' : null;
}
