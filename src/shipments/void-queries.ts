// SQL of a void on its way: who asks the carrier, and what it said.
import type { CarrierKind, TrackerStatus } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import type { Address } from '../http/schemas.ts';
import type { CountedShipment } from './shipment-count.ts';
import type { Scan } from './tracker.ts';

export interface LabelRow extends CountedShipment {
  orderId: string | null;
  fulfillmentId: string | null;
  returnOrderId: string | null;
  manifestId: string | null;
  carrierAccountId: string;
  voidStatus: 'submitted' | 'voided' | null;
  refundStatus: 'submitted' | 'refunded' | 'rejected' | null;
  voidRequestedAt: Date | null;
  claimedUntil: Date | null;
  kind: CarrierKind;
  trackerStatus: TrackerStatus;
  version: number;
}

/** The row of a shipment, locked until the transaction ends. */
export async function lockShipment(write: Write, id: string): Promise<LabelRow | undefined> {
  const { organizationId } = write.scope;
  const [row] = await write.transaction.query<LabelRow>(sql`
    select s.order_id as "orderId", s.fulfillment_id as "fulfillmentId", s.return_order_id as "returnOrderId",
      s.manifest_id as "manifestId", s.carrier_account_id as "carrierAccountId", a.kind,
      s.void_status as "voidStatus", s.refund_status as "refundStatus",
      s.void_requested_at as "voidRequestedAt", s.claimed_until as "claimedUntil",
      s.purchase_status as "purchaseStatus", s.tracker_status as "trackerStatus",
      s.carrier_code as "carrierCode", s.created_at as "createdAt", s.version
    from shipments s
    join carrier_accounts a on a.organization_id = ${organizationId} and a.id = s.carrier_account_id
    where s.organization_id = ${organizationId} and s.id = ${id} for update of s`);
  return row;
}

export async function readScans(
  database: Executor,
  organizationId: string,
  shipmentId: string,
): Promise<Scan[]> {
  return database.query<Scan>(sql`
    select status, occurred_at as "occurredAt" from tracking_events
    where organization_id = ${organizationId} and shipment_id = ${shipmentId}`);
}

/** Committed before the carrier is asked: after a crash it is asked again. */
export function beginVoid(write: Write, id: string, until: Date): void {
  write.transaction.send(sql`
    update shipments set void_requested_at = ${write.now}, claimed_until = ${until}, next_attempt_at = ${until}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export function storeVoid(
  write: Write,
  id: string,
  {
    voidStatus,
    refundStatus,
    nextAttemptAt,
  }: Pick<LabelRow, 'voidStatus' | 'refundStatus'> & {
    nextAttemptAt: Date | null;
  },
): void {
  write.transaction.send(sql`
    update shipments set void_status = ${voidStatus}, refund_status = ${refundStatus}, claimed_until = null,
      next_attempt_at = ${nextAttemptAt},
      next_track_at = case when ${voidStatus}::text is null then next_track_at end,
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** Nobody is at it any more: it is asked again then, or, with null, it is as if it had never been asked. */
export function leaveVoid(write: Write, id: string, nextAttemptAt: Date | null): void {
  write.transaction.send(sql`
    update shipments set claimed_until = null, next_attempt_at = ${nextAttemptAt},
      void_requested_at = case when ${nextAttemptAt}::timestamptz is null then null else void_requested_at end
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

interface BoughtRow {
  carrierReference: string;
  trackingCodes: string[];
  serviceCode: string;
  purchasedAt: Date;
  shipTo: Address;
  shipFrom: Address;
  estDeliveryDate: Date | null;
}

/** What a carrier is told of a label that it sold. */
export async function readBought(database: Executor, organizationId: string, id: string): Promise<BoughtRow> {
  const [row] = await database.query<BoughtRow>(sql`
    select s.carrier_reference as "carrierReference", s.purchased_at as "purchasedAt",
      s.est_delivery_date as "estDeliveryDate", r.service_code as "serviceCode",
      q.ship_to_address as "shipTo", q.ship_from_address as "shipFrom",
      (select array_agg(p.tracking_code order by p.position) from shipment_packages p
        where p.organization_id = ${organizationId} and p.shipment_id = s.id) as "trackingCodes"
    from shipments s
    join shipping_quotes q on q.organization_id = ${organizationId} and q.id = s.shipping_quote_id
    join shipping_rates r on r.organization_id = ${organizationId} and r.id = s.shipping_rate_id
    where s.organization_id = ${organizationId} and s.id = ${id}`);
  return row!;
}
