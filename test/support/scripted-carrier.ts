// A carrier whose every answer a test writes: it remembers what it sold, as a carrier does, whatever becomes of us.
import {
  type Bought,
  type Carrier,
  CarrierError,
  type CarrierRate,
  type Purchase,
  type Tracked,
  type VoidOutcome,
} from '../../src/carriers/carrier.ts';

/** What one call does instead of the usual: before the carrier acts, or after. */
export interface Fault {
  before?: () => Promise<void> | void;
  after?: () => Promise<void> | void;
}

export interface ScriptedCarrier {
  carrier: Carrier;
  /** Every label sold, in order; two with one reference are one too many. */
  sold: { reference: string; trackingCode: string }[];
  voided: string[];
  calls: Record<'rate' | 'buy' | 'find' | 'void' | 'track', number>;
  /** Faults of the next calls, used up one by one; none is an ordinary answer. */
  buyFaults: Fault[];
  findFaults: Fault[];
  voidFaults: Fault[];
  voidAnswers: VoidOutcome[];
  tracked: Tracked;
}

export const never = () => new Promise<void>(() => {});

export const fail =
  (failure: CarrierError['failure'], bought: 'no' | 'unknown', message = 'It said no') =>
  () => {
    throw new CarrierError(failure, message, { bought, carrierErrorCode: 'E1', carrierMessage: message });
  };

const rate: CarrierRate = {
  serviceCode: 'ground',
  serviceName: 'Ground',
  rateTotal: '7.25',
  rateSurcharges: '0.25',
  compareAtRate: null,
  currency: 'usd',
  estDeliveryDays: 3,
  estDeliveryDate: null,
  deliveryDateGuaranteed: false,
  message: null,
  carrierReference: null,
};

export function scriptedCarrier(
  options: Partial<Pick<Carrier, 'buysOncePerReference' | 'trackEveryMs'>> = {},
): ScriptedCarrier {
  const sold: ScriptedCarrier['sold'] = [];
  const calls = { rate: 0, buy: 0, find: 0, void: 0, track: 0 };
  const bought = ({ parcels }: Purchase, trackingCode: string): Bought => ({
    trackingCode,
    parcels: parcels.map((_, index) => ({
      trackingCode: index === 0 ? trackingCode : `${trackingCode}-${index}`,
      label: null,
    })),
    drawing: { carrierName: 'Scripted', sample: true },
    carrierReference: `ref-${trackingCode}`,
    trackingUrl: null,
    rateTotal: null,
  });
  const act = async <T>(faults: Fault[], work: () => T): Promise<T> => {
    const fault = faults.shift();
    await fault?.before?.();
    const result = work();
    await fault?.after?.();
    return result;
  };
  const scripted: ScriptedCarrier = {
    sold,
    calls,
    voided: [],
    buyFaults: [],
    findFaults: [],
    voidFaults: [],
    voidAnswers: [],
    tracked: { events: [], estDeliveryDate: null, trackingUrl: null, signedBy: null },
    carrier: {
      buysOncePerReference: false,
      drawsLabels: true,
      trackEveryMs: null,
      ...options,
      async rate() {
        calls.rate += 1;
        return [rate];
      },
      buy(_account, purchase) {
        calls.buy += 1;
        return act(scripted.buyFaults, () => {
          const trackingCode = `SCRIPT${1_000_000 + sold.length}`;
          sold.push({ reference: purchase.reference, trackingCode });
          return bought(purchase, trackingCode);
        });
      },
      find(_account, purchase) {
        calls.find += 1;
        return act(scripted.findFaults, () => {
          const found = sold.find(({ reference }) => reference === purchase.reference);
          return found && bought(purchase, found.trackingCode);
        });
      },
      void(_account, { reference }) {
        calls.void += 1;
        return act(scripted.voidFaults, () => {
          const answer = scripted.voidAnswers.shift() ?? 'voided';
          if (answer !== 'rejected') scripted.voided.push(reference);
          return answer;
        });
      },
      async track() {
        calls.track += 1;
        return scripted.tracked;
      },
    },
  };
  return scripted;
}
