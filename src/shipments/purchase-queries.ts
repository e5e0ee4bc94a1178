// SQL of a purchase on its way: who works on it, what it buys, and what became of it.
import type { CarrierRate, Customs, LabelFormat, Parcel, ZplDpi } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import type { Address } from '../http/schemas.ts';
import type { CountedShipment } from './shipment-count.ts';

/** Undecided: a label may or may not have been bought. */
export interface UndecidedShipment extends CountedShipment {
  orderId: string | null;
  fulfillmentId: string | null;
  returnOrderId: string | null;
  shippingQuoteId: string;
  carrierAccountId: string;
  purchaseAttempts: number;
  attemptedAt: Date | null;
  claimedUntil: Date | null;
  idempotencyKey: string | null;
  idempotencyFingerprint: Buffer | null;
}

/** The row, locked until the transaction ends; undefined once the purchase is decided. */
export async function lockUndecided(write: Write, id: string): Promise<UndecidedShipment | undefined> {
  const [row] = await write.transaction.query<UndecidedShipment>(sql`
    select order_id as "orderId", fulfillment_id as "fulfillmentId", return_order_id as "returnOrderId",
      shipping_quote_id as "shippingQuoteId", carrier_account_id as "carrierAccountId",
      purchase_attempts as "purchaseAttempts", attempted_at as "attemptedAt", claimed_until as "claimedUntil",
      idempotency_key as "idempotencyKey", idempotency_fingerprint as "idempotencyFingerprint",
      purchase_status as "purchaseStatus", tracker_status as "trackerStatus", carrier_code as "carrierCode",
      created_at as "createdAt"
    from shipments
    where organization_id = ${write.scope.organizationId} and id = ${id}
      and purchase_status in ('pending', 'unknown') for update`);
  return row;
}

/** Nobody else works on it until then; a crash leaves it to whoever looks after that. */
export function claimUntil(write: Write, id: string, until: Date): void {
  write.transaction.send(sql`
    update shipments set claimed_until = ${until}, next_attempt_at = ${until}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** Committed before the carrier is called: from then on there may be a label. */
export function countAttempt(write: Write, id: string): void {
  write.transaction.send(sql`
    update shipments set purchase_attempts = purchase_attempts + 1, attempted_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** The rate, and what it is bought for. */
export interface PurchaseRow extends CarrierRate {
  shipTo: Address;
  shipFrom: Address;
  returnAddress: Partial<Address>;
  shippingDate: Date;
  customs: Customs | null;
  insurance: { amount: number; currency: string } | null;
  parcels: Parcel[];
  labelFormat: LabelFormat;
  zplDpi: ZplDpi;
  reference: string | null;
  orderName: string | null;
}

/** What a shipment buys. */
export async function readPurchase(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<PurchaseRow> {
  const [row] = await database.query<PurchaseRow>(sql`
    select q.ship_to_address as "shipTo", q.ship_from_address as "shipFrom",
      s.return_address as "returnAddress", q.shipping_date as "shippingDate", q.customs_input as customs,
      q.insurance_request as insurance, s.label_format as "labelFormat", s.zpl_dpi as "zplDpi", s.reference,
      (select o.name from orders o where o.organization_id = ${organizationId} and o.id = s.order_id) as "orderName",
      (select json_agg(json_build_object('id', p.id, 'weight', trim_scale(p.weight), 'weightUnit', p.weight_unit,
          'dimensions', p.dimensions, 'dimensionsUnit', p.dimensions_unit) order by p.position)
        from shipment_packages p
        where p.organization_id = ${organizationId} and p.shipment_id = s.id) as parcels,
      r.service_code as "serviceCode", r.service_name as "serviceName", r.rate_total as "rateTotal",
      r.rate_surcharges as "rateSurcharges", r.compare_at_rate as "compareAtRate", r.currency,
      r.est_delivery_days as "estDeliveryDays", r.est_delivery_date as "estDeliveryDate",
      r.delivery_date_guaranteed as "deliveryDateGuaranteed", r.message,
      r.carrier_reference as "carrierReference"
    from shipments s
    join shipping_quotes q on q.organization_id = ${organizationId} and q.id = s.shipping_quote_id
    join shipping_rates r on r.organization_id = ${organizationId} and r.id = s.shipping_rate_id
    where s.organization_id = ${organizationId} and s.id = ${id}`);
  return row!;
}

export interface Failure {
  code: string;
  message: string;
  carrierErrorCode: string | null;
  carrierMessage: string | null;
}

/** The outcome stays open: it is looked at again. */
export function storeUnknown(write: Write, id: string, failure: Failure, nextAttemptAt: Date): void {
  write.transaction.send(sql`
    update shipments set purchase_status = 'unknown', failure = ${JSON.stringify(failure)}, claimed_until = null,
      next_attempt_at = ${nextAttemptAt}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** Nothing was bought. */
export function storeFailed(write: Write, id: string, failure: Failure): void {
  write.transaction.send(sql`
    update shipments set purchase_status = 'failed', failure = ${JSON.stringify(failure)}, claimed_until = null,
      next_attempt_at = null, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export interface Outcome {
  trackingCode: string;
  trackingUrl: string | null;
  carrierReference: string;
  chargedTotal: string | null;
  nextTrackAt: Date | null;
  packages: { id: string; trackingCode: string; content: object | null; label: Uint8Array | null }[];
}

export function storePurchased(write: Write, id: string, outcome: Outcome): void {
  const { organizationId } = write.scope;
  const { packages } = outcome;
  const codes = [...new Set([outcome.trackingCode, ...packages.map(({ trackingCode }) => trackingCode)])];
  write.transaction.send(sql`
    update shipments set purchase_status = 'purchased', failure = null, claimed_until = null,
      next_attempt_at = null, carrier_reference = ${outcome.carrierReference},
      tracking_code = ${outcome.trackingCode}, tracking_url = ${outcome.trackingUrl},
      charged_total = ${outcome.chargedTotal}, purchased_at = ${write.now}, tracker_status = 'pre-transit',
      next_track_at = ${outcome.nextTrackAt}, search_text = ${codes.join('\n').toLowerCase()},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${organizationId} and id = ${id}`);
  write.transaction.send(sql`
    update shipment_packages p set tracking_code = b.tracking_code, label_content = b.content, label = b.label,
      labelled_at = ${write.now}
    from unnest(${packages.map((one) => one.id)}::uuid[], ${packages.map((one) => one.trackingCode)}::text[],
      ${packages.map(({ content }) => content && JSON.stringify(content))}::json[],
      ${packages.map(({ label }) => label)}::bytea[]) b (id, tracking_code, content, label)
    where p.organization_id = ${organizationId} and p.id = b.id`);
}
