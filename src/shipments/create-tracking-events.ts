// Stores what is told of a parcel on its way, in whatever order and however often it is told.
import type { Tracked, TrackerStatus, TrackingEvent } from '../carriers/carrier.ts';
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { ApiError, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Links } from '../http/document-links.ts';
import type { Found } from '../http/envelope.ts';
import { findShipment } from './queries.ts';
import type { CreateTrackingEventsBody } from './schema.ts';
import { recountShipment } from './shipment-count.ts';
import { isFinal, type Scan, statusOf, wasScanned } from './tracker.ts';
import { lockShipment, readScans } from './void-queries.ts';

/** Events as somebody posts them. @throws 404; 409 for a shipment without a label */
export async function createTrackingEvents(
  write: Write,
  links: Links,
  id: string,
  body: CreateTrackingEventsBody,
): Promise<Found> {
  const events = body.trackingDetails.map(({ status, message, occurredAt, trackingLocation: place }) => ({
    ...{ status, message: message ?? null, source: null, occurredAt: new Date(occurredAt) },
    location:
      place == null
        ? null
        : {
            ...{ city: place.city ?? null, state: place.state ?? null },
            ...{ postalCode: place.postalCode ?? null, country: place.country?.toUpperCase() ?? null },
          },
  }));
  const told = { events, estDeliveryDate: null, trackingUrl: null, signedBy: body.signedBy ?? null };
  await recordTracking(write, links, id, told, null);
  return (await findShipment(write.transaction, links, write.scope.organizationId, id))!;
}

/** `trackEveryMs`: when the carrier is asked next; null where nobody is. @throws 404, 409 */
export async function recordTracking(
  write: Write,
  links: Links,
  id: string,
  told: Tracked,
  trackEveryMs: number | null,
): Promise<void> {
  const { organizationId } = write.scope;
  const row = await lockShipment(write, id);
  if (row === undefined) throw notFound('shipment');
  if (row.purchaseStatus !== 'purchased') {
    throw new ApiError('conflict', {
      message: `The purchase is ${row.purchaseStatus}: there is no parcel yet`,
    });
  }
  const previous = (await findShipment(write.transaction, links, organizationId, id))!;
  const added = await insertScans(write, id, told.events);
  const scans = await readScans(write.transaction, organizationId, id);
  const next = statusAfter(row.trackerStatus, scans);
  const nextTrackAt =
    trackEveryMs === null || isFinal(next) ? null : new Date(write.now.getTime() + trackEveryMs);
  const changed = await updateTracker(write, id, { ...told, status: next, nextTrackAt, told: added > 0 });
  if (row.returnOrderId !== null && wasScanned(scans)) markReturnUnderWay(write, row.returnOrderId);
  recountShipment(write, row, { ...row, trackerStatus: next });
  if (!changed) return;
  const found = (await findShipment(write.transaction, links, organizationId, id))!;
  const change = { object: found.json, previous: previous.json };
  appendEvent(write, { type: 'tracker.updated', objectId: id, ...change });
}

/** What is bought is at least announced. */
function statusAfter(current: TrackerStatus, scans: readonly Scan[]): TrackerStatus {
  const status = statusOf(scans);
  return status === 'unknown' ? current : status;
}

/** Returns how many of them were new. */
async function insertScans(
  write: Write,
  shipmentId: string,
  events: readonly TrackingEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = await write.transaction.query(sql`
    insert into tracking_events (organization_id, shipment_id, created_at, id, status, message, source,
      occurred_at, location)
    select ${write.scope.organizationId}, ${shipmentId}, ${write.now}, e.*
    from unnest(${events.map(() => newId())}::uuid[], ${events.map(({ status }) => status)}::text[],
      ${events.map(({ message }) => message)}::text[], ${events.map(({ source }) => source)}::text[],
      ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${events.map(({ location }) => location && JSON.stringify(location))}::json[]) e
    on conflict (organization_id, shipment_id, occurred_at, status, (coalesce(message, ''))) do nothing
    returning 1`);
  return rows.length;
}

interface TrackerChange extends Omit<Tracked, 'events'> {
  status: TrackerStatus;
  nextTrackAt: Date | null;
  /** Something new was told. */
  told: boolean;
}

/** Returns whether anything that is shown is other than it was. */
async function updateTracker(write: Write, id: string, change: TrackerChange): Promise<boolean> {
  const { organizationId } = write.scope;
  const { status, estDeliveryDate, trackingUrl, signedBy, nextTrackAt, told } = change;
  const rows = await write.transaction.query(sql`
    update shipments s set tracker_status = ${status},
      tracker_status_detail = coalesce((
        select t.message from tracking_events t
        where t.organization_id = ${organizationId} and t.shipment_id = ${id} and t.status = ${status}
        order by t.occurred_at desc, t.id desc limit 1), s.tracker_status_detail),
      est_delivery_date = coalesce(${estDeliveryDate}, s.est_delivery_date),
      tracking_url = coalesce(${trackingUrl}, s.tracking_url), signed_by = coalesce(${signedBy}, s.signed_by),
      version = s.version + 1, updated_at = ${write.now}
    where s.organization_id = ${organizationId} and s.id = ${id} and (${told}
      or s.tracker_status <> ${status}
      or s.est_delivery_date is distinct from coalesce(${estDeliveryDate}, s.est_delivery_date)
      or s.tracking_url is distinct from coalesce(${trackingUrl}, s.tracking_url)
      or s.signed_by is distinct from coalesce(${signedBy}, s.signed_by))
    returning 1`);
  write.transaction.send(sql`
    update shipments set next_track_at = ${nextTrackAt}
    where organization_id = ${organizationId} and id = ${id}`);
  return rows.length > 0;
}

function markReturnUnderWay(write: Write, returnOrderId: string): void {
  write.transaction.send(sql`
    update return_orders set status = 'in-transit', version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${returnOrderId} and status = 'requested'`);
}
