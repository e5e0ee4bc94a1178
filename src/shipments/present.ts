// Row -> wire object of a shipment, as PostgreSQL builds it: the full form, and what orders and returns show of theirs.
import { carrierAccountSummary } from '../carrier-accounts/present.ts';
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, nothing, number, time } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Links } from '../http/document-links.ts';
import { shippingQuoteJson } from '../shipping-quotes/present.ts';

/** Over an alias `s`. */
export function shipmentJson(organizations: Organizations, links: Links): Sql<unknown> {
  return jsonObject({
    id: column('s.id'),
    organizationId: column('s.organization_id'),
    trackingCode: column('s.tracking_code'),
    purchaseStatus: column('s.purchase_status'),
    failure: column('s.failure'),
    voidStatus: column('s.void_status'),
    refundStatus: column('s.refund_status'),
    reference: column('s.reference'),
    returnAddress: column('s.return_address'),
    carrierAccount: accountOfShipment(organizations),
    shippingQuote: sql`(
      select ${shippingQuoteJson(organizations)} from shipping_quotes q
      where ${owned('q', organizations, 's')} and q.id = s.shipping_quote_id)`,
    shippingRate: rateOfShipment(organizations),
    tracker: jsonObject({ ...trackerFields, trackingDetails: trackingDetails(organizations) }),
    order: sql`(
      select json_build_object('id', o.id, 'name', o.name) from orders o
      where ${owned('o', organizations, 's')} and o.id = s.order_id)`,
    warehouseId: column('s.warehouse_id'),
    fulfillmentId: column('s.fulfillment_id'),
    returnOrderId: column('s.return_order_id'),
    manifestId: column('s.manifest_id'),
    labelFormat: column('s.label_format'),
    packages: packages(organizations, links),
    metadata: column('s.metadata'),
    purchasedAt: time('s.purchased_at'),
    createdAt: time('s.created_at'),
    updatedAt: time('s.updated_at'),
  });
}

/** The labels that were bought for an order `o`, those voided since included; its returns' are theirs. */
export function shipmentsOfOrder(organizations: Organizations): Sql<unknown> {
  return sql`coalesce((
    select json_agg(${shipmentSummaryJson(organizations)} order by s.created_at, s.id) from shipments s
    where ${owned('s', organizations, 'o')} and s.order_id = o.id and s.purchase_status = 'purchased'
      and s.return_order_id is null), '[]')`;
}

/** The label that was bought for a return `r`. */
export function shipmentOfReturn(organizations: Organizations): Sql<unknown> {
  return sql`(
    select ${shipmentSummaryJson(organizations)} from shipments s
    where ${owned('s', organizations, 'r')} and s.return_order_id = r.id and s.purchase_status = 'purchased'
    order by s.created_at desc limit 1)`;
}

/** Over an alias `s`. */
function shipmentSummaryJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    id: column('s.id'),
    trackingCode: column('s.tracking_code'),
    carrierAccount: accountOfShipment(organizations),
    shippingRate: rateOfShipment(organizations),
    tracker: jsonObject(trackerFields),
    voidStatus: column('s.void_status'),
    createdAt: time('s.created_at'),
    updatedAt: time('s.updated_at'),
  });
}

const trackerFields = {
  status: column('s.tracker_status'),
  statusDetail: column('s.tracker_status_detail'),
  carrierCode: column('s.carrier_code'),
  estDeliveryDate: time('s.est_delivery_date'),
  trackingUrl: column('s.tracking_url'),
  signedBy: column('s.signed_by'),
};

function accountOfShipment(organizations: Organizations): Sql<unknown> {
  return sql`(
    select ${carrierAccountSummary('a')} from carrier_accounts a
    where ${owned('a', organizations, 's')} and a.id = s.carrier_account_id)`;
}

function rateOfShipment(organizations: Organizations): Sql<unknown> {
  const rate = jsonObject({
    serviceCode: column('r.service_code'),
    rateTotal: sql`trim_scale(coalesce(s.charged_total, r.rate_total))`,
    currency: column('r.currency'),
    estDeliveryDays: column('r.est_delivery_days'),
    estDeliveryDate: time('r.est_delivery_date'),
  });
  return sql`(
    select ${rate} from shipping_rates r where ${owned('r', organizations, 's')} and r.id = s.shipping_rate_id)`;
}

function trackingDetails(organizations: Organizations): Sql<unknown> {
  const detail = jsonObject({
    status: column('t.status'),
    message: column('t.message'),
    source: column('t.source'),
    occurredAt: time('t.occurred_at'),
    trackingLocation: column('t.location'),
  });
  return sql`coalesce((
    select json_agg(${detail} order by t.occurred_at, t.id) from tracking_events t
    where ${owned('t', organizations, 's')} and t.shipment_id = s.id), '[]')`;
}

/** A label can be had while the purchase stands. */
function packages(organizations: Organizations, links: Links): Sql<unknown> {
  const address = (extension: Sql<unknown>) =>
    links.address('labels', {
      organizationId: sql`p.organization_id::text`,
      id: sql`p.id::text`,
      extension,
    });
  const label = jsonObject({
    format: column('s.label_format'),
    dpi: sql`case when s.label_format = 'zpl' then s.zpl_dpi end`,
    url: address(sql`s.label_format`),
    pdfUrl: sql`case when s.label_format = 'pdf' then ${address(sql`'pdf'`)} end`,
    // A PDF has the declaration behind its label.
    customsUrl: sql`case when s.label_format = 'zpl' and json_typeof(p.label_content -> 'customs') = 'object'
      then ${address(sql`'pdf'`)} end`,
    createdAt: time('p.labelled_at'),
  });
  const parcel = jsonObject({
    id: column('p.id'),
    trackingCode: column('p.tracking_code'),
    weight: number('p.weight'),
    weightUnit: column('p.weight_unit'),
    dimensions: column('p.dimensions'),
    dimensionsUnit: column('p.dimensions_unit'),
    lineItems: column('p.line_items'),
    shippingLabel: sql`case when s.purchase_status = 'purchased' and s.void_status is null then ${label}
      else ${nothing}::json end`,
  });
  return sql`coalesce((
    select json_agg(${parcel} order by p.position) from shipment_packages p
    where ${owned('p', organizations, 's')} and p.shipment_id = s.id), '[]')`;
}
