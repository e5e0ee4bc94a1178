// What scans say about a parcel: which status they add up to, and which of them is new. Pure.
import type { TrackerStatus, TrackingEvent } from '../carriers/carrier.ts';

/** How far a parcel is: of two scans of one moment the further one counts. */
const progress: readonly TrackerStatus[] = [
  'unknown',
  'error',
  'pre-transit',
  'in-transit',
  'failure',
  'out-for-delivery',
  'available-for-pickup',
  'cancelled',
  'return-to-sender',
  'delivered',
];

/** A parcel that is there, or on its way back, stays so whatever else is told. */
const final: ReadonlySet<TrackerStatus> = new Set(['delivered', 'return-to-sender', 'cancelled']);

/** Statuses that say nothing about where a parcel is. */
const empty: ReadonlySet<TrackerStatus> = new Set(['unknown', 'error']);

/** Nobody has seen the parcel yet: its label can still be given back. */
const unseen: ReadonlySet<TrackerStatus> = new Set(['unknown', 'pre-transit', 'error']);

export type Scan = Pick<TrackingEvent, 'status' | 'occurredAt'>;

export function isFinal(status: TrackerStatus): boolean {
  return final.has(status);
}

/** Whether the carrier has had the parcel in its hands. */
export function wasScanned(scans: readonly Scan[]): boolean {
  return scans.some(({ status }) => !unseen.has(status) && status !== 'cancelled');
}

/**
 * The status that all scans add up to, in whatever order they were told: the latest one, unless a final one came before it
 * (a parcel that was delivered and is then sent back is `return-to-sender`).
 */
export function statusOf(scans: readonly Scan[]): TrackerStatus {
  let current: TrackerStatus = 'unknown';
  for (const { status } of [...scans].sort(byTime)) {
    if (empty.has(status) && current !== 'unknown') continue;
    if (final.has(current) && !(current === 'delivered' && status === 'return-to-sender')) continue;
    current = status;
  }
  return current;
}

function byTime(a: Scan, b: Scan): number {
  const apart = a.occurredAt.getTime() - b.occurredAt.getTime();
  return apart === 0 ? progress.indexOf(a.status) - progress.indexOf(b.status) : apart;
}
