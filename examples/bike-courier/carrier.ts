// A carrier of one's own in one file: a bike courier of the town, with a small HTTP API. docs/shipping.md walks through it.
import {
  type Bought,
  type Carrier,
  type CarrierAccount,
  CarrierError,
  type Label,
  type Purchase,
  type RateRequest,
  type TrackerStatus,
} from '../../src/carriers/carrier.ts';
import { convertWeight } from '../../src/carriers/units.ts';

/** The courier's jobs, as its API has them. */
interface Job {
  id: string;
  number: string;
  state: 'booked' | 'picked-up' | 'handed-over' | 'cancelled';
  changes: { state: Job['state']; at: string; who: string }[];
}

const bike = {
  ...{ serviceCode: 'bike', serviceName: 'Bike', rateSurcharges: '0', compareAtRate: null, currency: 'eur' },
  ...{ estDeliveryDays: 0, deliveryDateGuaranteed: false, message: null, carrierReference: null },
};

export function makeBikeCourier({ baseUrl }: { baseUrl: string }): Carrier {
  return {
    // `PUT /jobs/<reference>` makes the job that there is not yet, and answers the one that there is.
    buysOncePerReference: true,
    drawsLabels: true,
    trackEveryMs: 60_000,

    async rate(account, request, signal) {
      const weightKg = request.parcels.reduce(
        (sum, { weight, weightUnit }) => sum + convertWeight(weight, weightUnit, 'kg').toNumber(),
        0,
      );
      if (weightKg > 20) {
        throw new CarrierError('carrier_rejected', 'carries up to 20 kg', { bought: 'no' });
      }
      const { price } = await ask<{ price: string }>(
        `${baseUrl}/price?from=${postalCode(request.shipFrom)}&to=${postalCode(request.shipTo)}`,
        { account, signal, ifLost: 'no' },
      );
      return [{ ...bike, rateTotal: price, estDeliveryDate: request.shippingDate }];
    },

    async buy(account, purchase, signal) {
      const body = { from: purchase.shipFrom, to: purchase.shipTo, pieces: purchase.parcels.length };
      // Sent and not answered, there may be a job all the same.
      const job = await ask<Job>(`${baseUrl}/jobs/${purchase.reference}`, {
        account,
        signal,
        body,
        ifLost: 'unknown',
      });
      return boughtOf(job, purchase);
    },

    async find(account, purchase, signal) {
      const job = await askMaybe<Job>(`${baseUrl}/jobs/${purchase.reference}`, {
        account,
        signal,
        ifLost: 'unknown',
      });
      return job && boughtOf(job, purchase);
    },

    async void(account, { carrierReference }, signal) {
      const body = { state: 'cancelled' };
      const path = `${baseUrl}/jobs/by-id/${carrierReference}`;
      const { state } = await ask<Job>(path, { account, signal, body, ifLost: 'unknown' });
      return state === 'cancelled' ? 'voided' : 'rejected';
    },

    async track(account, { carrierReference }: Label, signal) {
      const { changes } = await ask<Job>(`${baseUrl}/jobs/by-id/${carrierReference}`, {
        account,
        signal,
        ifLost: 'no',
      });
      const events = changes.map(({ state, at }) => ({
        ...{ status: statuses[state], message: null, source: account.carrierCode, location: null },
        occurredAt: new Date(at),
      }));
      const signedBy = changes.find(({ state }) => state === 'handed-over')?.who ?? null;
      return { events, estDeliveryDate: null, trackingUrl: null, signedBy };
    },
  };
}

interface Asked {
  account: CarrierAccount;
  signal: AbortSignal;
  /** Sent with PUT; without one it is a GET. */
  body?: object;
  /** Whether something may have been bought where no answer came. */
  ifLost: 'no' | 'unknown';
}

async function ask<T>(url: string, asked: Asked): Promise<T> {
  const answer = await askMaybe<T>(url, asked);
  if (answer !== undefined) return answer;
  throw new CarrierError('carrier_rejected', 'knows no such job', { bought: 'no' });
}

/** Undefined for a 404. */
async function askMaybe<T>(url: string, { account, signal, body, ifLost }: Asked): Promise<T | undefined> {
  const sent = body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json', 'x-key': account.credentials['apiKey'] ?? '' };
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { ...sent, headers, signal, redirect: 'error' });
    [status, text] = [response.status, await response.text()];
  } catch (cause) {
    const failure = signal.aborted ? 'carrier_timeout' : 'carrier_unavailable';
    throw new CarrierError(failure, 'did not answer', { bought: ifLost, cause });
  }
  if (status === 404) return undefined;
  const said = { carrierErrorCode: String(status), carrierMessage: text.slice(0, 500) };
  if (status === 401)
    throw new CarrierError('carrier_credentials', 'refused the key', { bought: 'no', ...said });
  if (status >= 500) throw new CarrierError('carrier_unavailable', 'failed', { bought: ifLost, ...said });
  if (status >= 400) throw new CarrierError('carrier_rejected', 'refused', { bought: 'no', ...said });
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new CarrierError('carrier_unavailable', 'said what is no JSON', { bought: ifLost, cause });
  }
}

const statuses: Record<Job['state'], TrackerStatus> = {
  booked: 'pre-transit',
  'picked-up': 'out-for-delivery',
  'handed-over': 'delivered',
  cancelled: 'cancelled',
};

/** The pieces of a job share its number: each carries it with a number of its own behind. */
function boughtOf(job: Job, { parcels }: Pick<Purchase, 'parcels'>): Bought {
  if (typeof job.id !== 'string' || typeof job.number !== 'string') {
    throw new CarrierError('carrier_unavailable', 'answered what is no job', { bought: 'unknown' });
  }
  const codes = parcels.map((_, index) => (parcels.length === 1 ? job.number : `${job.number}-${index + 1}`));
  return {
    drawing: { carrierName: 'Bike courier', sample: false },
    trackingCode: codes[0]!,
    parcels: codes.map((trackingCode) => ({ trackingCode, label: null })),
    carrierReference: job.id,
    trackingUrl: null,
    rateTotal: null,
  };
}

function postalCode({ postalCode: code }: RateRequest['shipTo']): string {
  return encodeURIComponent(code ?? '');
}
