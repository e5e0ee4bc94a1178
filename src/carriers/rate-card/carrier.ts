// The carrier whose prices, zones and tracking numbers are an account's own data: nobody outside is asked for anything.
import type { Database } from '../../database/connect.ts';
import { type Bought, type Carrier, type CarrierAccount, CarrierError, type Purchase } from '../carrier.ts';
import { identify } from '../tracking-number.ts';
import { type FindCard, makeFindCard } from './cards.ts';
import { takeSerials } from './queries.ts';
import { rateParcels } from './rate-parcels.ts';
import type { RateCard } from './schema.ts';
import { forms, serialRange, trackingNumber } from './tracking-numbers.ts';

export function makeRateCardCarrier(database: Database): Carrier {
  const findCard = makeFindCard(database);
  return {
    // Nothing is sold by anybody: a second purchase only leaves a gap in the serial numbers.
    buysOncePerReference: true,
    drawsLabels: true,
    trackEveryMs: null,
    async rate(account, request) {
      return ratesOf(await cardOf(findCard, account, request.shippingDate), request);
    },
    async buy(account, purchase) {
      const card = await cardOf(findCard, account, purchase.shippingDate);
      return boughtAs(card, await takeTrackingCodes(database, account, card, purchase));
    },
    find: async () => undefined,
    void: async () => 'voided',
    track: async () => ({ events: [], estDeliveryDate: null, trackingUrl: null, signedBy: null }),
  };
}

async function cardOf(findCard: FindCard, account: CarrierAccount, date: Date): Promise<RateCard> {
  const card = await findCard(account, date);
  if (card !== undefined) return card;
  const day = date.toISOString().slice(0, 10);
  throw new CarrierError('carrier_credentials', `has no rate card that is in force on ${day}`, {
    bought: 'no',
  });
}

/** @throws CarrierError with the reasons, where no service takes the parcels */
export function ratesOf(card: RateCard, request: Parameters<typeof rateParcels>[1]) {
  const { rates, refusals } = rateParcels(card, request);
  if (rates.length > 0) return rates;
  // Often all services have the same reason.
  const reasons = new Set(refusals.map(({ reason }) => reason));
  const said = [...reasons].map((reason) => {
    const codes = refusals.filter((refusal) => refusal.reason === reason).map((one) => one.serviceCode);
    return `${codes.join(', ')} ${reason}`;
  });
  throw new CarrierError('carrier_rejected', said.join('; '), { bought: 'no' });
}

/** One for each parcel, in order. */
export async function takeTrackingCodes(
  database: Database,
  account: CarrierAccount,
  { trackingNumbers, services }: RateCard,
  { parcels, rate }: Pick<Purchase, 'parcels' | 'rate'>,
): Promise<string[]> {
  const service = services.find(({ code }) => code === rate.serviceCode);
  if (service === undefined) {
    throw new CarrierError('carrier_rejected', `has no service ${rate.serviceCode} any more`, {
      bought: 'no',
    });
  }
  const first = await takeSerials(database, account, parcels.length, serialRange(trackingNumbers));
  if (first === undefined) {
    const message = 'has no tracking numbers left: a new rate card can bring a new range';
    throw new CarrierError('carrier_rejected', message, { bought: 'no' });
  }
  return parcels.map((_, index) => trackingNumber(trackingNumbers, service, first + index));
}

export function boughtAs(card: RateCard, trackingCodes: readonly string[]): Bought {
  const [trackingCode] = trackingCodes as [string];
  return {
    drawing: { carrierName: card.carrierName, sample: card.example },
    trackingCode,
    parcels: trackingCodes.map((code) => ({ trackingCode: code, label: null })),
    carrierReference: trackingCode,
    trackingUrl: trackingUrlOf(card, trackingCode),
    rateTotal: null,
  };
}

/** The card's, or its courier's; none of a number that no courier knows. */
function trackingUrlOf(
  { trackingUrl, trackingNumbers, example }: RateCard,
  trackingCode: string,
): string | null {
  if (trackingUrl !== undefined) return trackingUrl.replace('%s', encodeURIComponent(trackingCode));
  const { courierCode } = forms[trackingNumbers.form];
  const found = identify(trackingCode).find((one) => one.courierCode === courierCode);
  return example ? null : (found?.trackingUrl ?? null);
}
