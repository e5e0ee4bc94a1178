// How many shipments a list has in all, from the kept totals; and the parts that a list is put together from.
import { trackerStatuses } from '../carriers/carrier.ts';
import { type Sql, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import { inSpan, type Span, spanOfDateRange } from '../http/date-range.ts';
import { listed, type Parts, partsByOrganization } from '../http/parts.ts';
import { type Counted, countedRecords, recount } from '../http/totals.ts';
import { type ListShipmentsQuery, purchaseStatuses } from './schema.ts';

/** Of whom the list is, and between which dates. */
export function datedConditions(
  organizations: Organizations,
  query: ListShipmentsQuery,
  span: Span = spanOfDateRange(query),
): Sql<unknown>[] {
  return [owned('s', organizations), ...inSpan(column('s.created_at'), span)];
}

export function stateConditions({
  carrierCode,
  trackingStatus,
  purchaseStatus,
}: ListShipmentsQuery): Sql<unknown>[] {
  return [
    ...(carrierCode === undefined ? [] : [sql`s.carrier_code = ${carrierCode}`]),
    ...(trackingStatus === undefined ? [] : [sql`s.tracker_status = ${sql.lit(trackingStatus)}`]),
    ...(purchaseStatus === undefined ? [] : [sql`s.purchase_status = ${sql.lit(purchaseStatus)}`]),
  ];
}

/** All of one organisation are in the order of one index; what is searched for has to be found first. */
export function partsOf(organizations: Organizations, query: ListShipmentsQuery): Parts | undefined {
  const { search, sortBy = 'createdAt', carrierCode, trackingStatus, purchaseStatus } = query;
  if (search !== undefined) return undefined;
  const ofAnyState = [carrierCode, trackingStatus, purchaseStatus].every((state) => state === undefined);
  if (sortBy === 'createdAt' && ofAnyState) return partsByOrganization('shipments', 's', organizations);
  return partsOfShipments(organizations, query);
}

/** By carrier and states: each part is in the order of an index by each time. */
function partsOfShipments(organizations: Organizations, query: ListShipmentsQuery): Parts {
  const { carrierCode, trackingStatus, purchaseStatus } = query;
  const ofCarrier = carrierCode === undefined ? sql`` : sql` and a.carrier_code = ${carrierCode}`;
  return {
    // A shipment has the carrier of its account, and an account never changes it.
    from: sql`(select distinct a.organization_id, a.carrier_code from carrier_accounts a
      where ${owned('a', organizations)}${ofCarrier}) part
      cross join unnest(${purchaseStatus === undefined ? purchaseStatuses : [purchaseStatus]}::text[]) purchase (status)
      cross join unnest(${trackingStatus === undefined ? trackerStatuses : [trackingStatus]}::text[]) tracker (status)`,
    of: [
      sql`s.organization_id = part.organization_id`,
      sql`s.carrier_code = part.carrier_code`,
      sql`s.purchase_status = purchase.status`,
      sql`s.tracker_status = tracker.status`,
    ],
    ...listed('shipments', 's', organizations),
  };
}

export function countShipments(
  organizations: Organizations,
  query: ListShipmentsQuery,
): Sql<{ count: number }> {
  const { from, of } = partsOfShipments(organizations, query);
  const all = countedRecords('shipment', organizations, {
    states: [query.purchaseStatus, query.trackingStatus, query.carrierCode],
    includeArchived: false,
    span: spanOfDateRange(query),
    withinDay: (span) => sql`(select coalesce(sum(counted.shipments), 0)::bigint from ${from}
      cross join lateral (select count(*) as shipments from shipments s
        where ${sql.join([...datedConditions(organizations, query, span), ...of], sql` and `)}) counted)`,
  });
  return sql`select ${all} as count`;
}

/** The columns by which lists count a shipment. */
export interface CountedShipment {
  createdAt: Date;
  purchaseStatus: string;
  trackerStatus: string;
  carrierCode: string;
}

function counted({ createdAt, purchaseStatus, trackerStatus, carrierCode }: CountedShipment): Counted {
  return { at: createdAt, states: [purchaseStatus, trackerStatus, carrierCode], archived: false };
}

/** The same of every shipment. */
export function countedShipments(organizationId: string): Sql<unknown> {
  return sql`select s.created_at as at, s.purchase_status || ' ' || s.tracker_status || ' ' || s.carrier_code as states,
    false as archived from shipments s where s.organization_id = ${organizationId}`;
}

/** Counts it as what it has become. Sent last. */
export function recountShipment(
  write: Write,
  before: CountedShipment | undefined,
  after: CountedShipment,
): void {
  recount(write, 'shipment', before === undefined ? undefined : counted(before), counted(after));
}
