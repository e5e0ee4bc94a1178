// EasyPost's trackers as ours. Pure.
import * as limits from '../../limits.ts';
import { type Tracked, type TrackerStatus, type TrackingEvent, trackerStatuses } from '../carrier.ts';
import { type Tracker, timeIn, trackingPageIn } from './responses.ts';

/** `source` is the account's carrier: it is the carrier that scans. */
export function trackedOf(tracker: Tracker, source: string): Tracked {
  const scans = (tracker.tracking_details ?? []).flatMap((detail) => {
    // A scan without a time has no place in a history.
    const occurredAt = timeIn(detail.datetime);
    if (occurredAt === undefined) return [];
    const message = detail.message || detail.description || null;
    const event: TrackingEvent = {
      status: statusOf(detail.status),
      message: message?.slice(0, limits.textLengthMax) ?? null,
      source,
      occurredAt,
      location: locationOf(detail.tracking_location),
    };
    return [event];
  });
  return {
    events: [...scans, ...statusAlone(tracker, scans, source)],
    estDeliveryDate: timeIn(tracker.est_delivery_date) ?? null,
    trackingUrl: trackingPageIn(tracker),
    signedBy: tracker.signed_by?.slice(0, limits.nameLengthMax) || null,
  };
}

/**
 * The parcels of one shipment as one: it is delivered when all of them are, so until then, and for all but the last
 * of them, a delivery is one more scan on the way.
 */
export function trackedTogether(parcels: readonly Tracked[]): Tracked {
  if (parcels.length === 1) return parcels[0]!;
  const deliveries = parcels.map(({ events }) => times(events.filter(isDelivery)).at(-1));
  const last = deliveries.includes(undefined) ? undefined : Math.max(...deliveries.map(Number));
  const events = parcels
    .flatMap((parcel) => parcel.events)
    .map((event) =>
      isDelivery(event) && event.occurredAt.getTime() !== last
        ? { ...event, status: 'in-transit' as const }
        : event,
    );
  const estimates = parcels.flatMap(({ estDeliveryDate }) => estDeliveryDate ?? []);
  return {
    events,
    estDeliveryDate: estimates.sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
    trackingUrl: parcels[0]?.trackingUrl ?? null,
    signedBy: parcels.find(({ signedBy }) => signedBy !== null)?.signedBy ?? null,
  };
}

const statuses = new Set<string>(trackerStatuses);

/** `out_for_delivery` is `out-for-delivery`; what is new to us is `unknown`. */
function statusOf(status: string | null | undefined): TrackerStatus {
  const ours = status?.replaceAll('_', '-') ?? '';
  return statuses.has(ours) ? (ours as TrackerStatus) : 'unknown';
}

/**
 * Some statuses (`cancelled`, `error`) come without a scan that says so. Their time is not told; it is put right after
 * what is known, where it is the same each time that it is asked.
 */
function statusAlone(tracker: Tracker, scans: TrackingEvent[], source: string): TrackingEvent[] {
  const status = statusOf(tracker.status);
  if (status === 'unknown' || scans.some((scan) => scan.status === status)) return [];
  const after = times(scans).at(-1) ?? timeIn(tracker.created_at)?.getTime();
  if (after === undefined) return [];
  return [{ status, message: null, source, occurredAt: new Date(after + 1), location: null }];
}

function locationOf(place: NonNullable<Tracker['tracking_details']>[number]['tracking_location']) {
  const part = (text: string | null | undefined) => text?.slice(0, limits.addressPartLengthMax) || null;
  const location = {
    city: part(place?.city),
    state: part(place?.state),
    postalCode: part(place?.zip),
    country: part(place?.country),
  };
  return Object.values(location).every((value) => value === null) ? null : location;
}

const isDelivery = ({ status }: TrackingEvent) => status === 'delivered';

function times(events: readonly TrackingEvent[]): number[] {
  return events.map(({ occurredAt }) => occurredAt.getTime()).sort((a, b) => a - b);
}
