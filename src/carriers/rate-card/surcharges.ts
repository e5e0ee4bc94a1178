// Which surcharges of a card a parcel and a shipment have to bear, and what they come to.
import Big from 'big.js';
import { money } from '../../money.ts';
import { lengthOf, lengthPlusGirth, type Measured, weightOf } from './measure.ts';
import type { RateCard, Surcharge } from './schema.ts';
import { beginsWithOneOf, isAtHome, type Place } from './zones.ts';

/** What a surcharge depends on besides the parcel. */
export interface Circumstances {
  card: RateCard;
  serviceCode: string;
  zone: string;
  to: Place;
  isResidential: boolean | null;
  /** `2026-11-21` */
  shippingDay: string;
}

/** As the card rounds amounts. */
export function rounded({ rounding }: Pick<RateCard, 'rounding'>, amount: Big): Big {
  const modes = { 'half-even': Big.roundHalfEven, 'half-up': Big.roundHalfUp, up: Big.roundUp };
  return amount.div(rounding.to).round(0, modes[rounding.mode]).times(rounding.to);
}

/** Of one parcel. `price` is what its carriage costs. */
export function packageSurcharges(circumstances: Circumstances, parcel: Measured, price: Big): Big {
  return circumstances.card.surcharges
    .filter((surcharge) => surcharge.per === 'package')
    .filter((surcharge) => applies(surcharge, circumstances) && isOfSize(surcharge, parcel))
    .reduce((total, surcharge) => {
      const base = surcharge.of === 'subtotal' ? price.plus(total) : price;
      return total.plus(rounded(circumstances.card, amountOf(surcharge, base)));
    }, new Big(0));
}

/** Once, whatever the number of parcels: where one of them is of the size, if the surcharge asks for one. */
export function shipmentSurcharges(circumstances: Circumstances, parcels: readonly Measured[]): Big {
  return circumstances.card.surcharges
    .filter((surcharge) => surcharge.per === 'shipment' && applies(surcharge, circumstances))
    .filter((surcharge) => parcels.some((parcel) => isOfSize(surcharge, parcel)))
    .reduce(
      (total, surcharge) => total.plus(rounded(circumstances.card, amountOf(surcharge, new Big(0)))),
      new Big(0),
    );
}

function amountOf({ amount, percent = 0 }: Surcharge, base: Big): Big {
  return amount === undefined ? base.times(percent).div(100) : new Big(money(amount));
}

function applies(surcharge: Surcharge, at: Circumstances): boolean {
  const { residential, services, zones, toPostalCodes, toCountries, from, until } = surcharge;
  return (
    (residential === undefined || at.isResidential === residential) &&
    (services === undefined || services.includes(at.serviceCode)) &&
    (zones === undefined || zones.includes(at.zone)) &&
    (toPostalCodes === undefined || (isAtHome(at.card, at.to) && beginsWithOneOf(at.to, toPostalCodes))) &&
    (toCountries === undefined || toCountries.some((country) => country.toUpperCase() === at.to.country)) &&
    (from === undefined || at.shippingDay >= from) &&
    (until === undefined || at.shippingDay <= until)
  );
}

/** Where a surcharge names several sizes, one of them is enough; a size that is not known is not beyond it. */
function isOfSize(surcharge: Surcharge, { weight, sides }: Measured): boolean {
  const { longestSideOver, secondSideOver, lengthPlusGirthOver, weightOver } = surcharge;
  const sizes: [limit: string | undefined, beyond: (limit: string) => boolean][] = [
    [weightOver, (limit) => weight.gt(weightOf(limit))],
    [longestSideOver, (limit) => sides?.[0].gt(lengthOf(limit)) ?? false],
    [secondSideOver, (limit) => sides?.[1].gt(lengthOf(limit)) ?? false],
    [lengthPlusGirthOver, (limit) => sides !== undefined && lengthPlusGirth(sides).gt(lengthOf(limit))],
  ];
  const asked = sizes.filter(([limit]) => limit !== undefined);
  return asked.length === 0 || asked.some(([limit, beyond]) => beyond(limit!));
}
