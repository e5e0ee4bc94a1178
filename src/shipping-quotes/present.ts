// Row -> wire object of a quote, as PostgreSQL builds it.
import { carrierAccountSummary } from '../carrier-accounts/present.ts';
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, number, time } from '../database/json.ts';
import { type Organizations, owned } from '../database/tenant.ts';

/** Over an alias `q`. */
export function shippingQuoteJson(organizations: Organizations): Sql<unknown> {
  return jsonObject({
    id: column('q.id'),
    organizationId: column('q.organization_id'),
    orderId: column('q.order_id'),
    shipmentId: column('q.shipment_id'),
    shipToAddress: column('q.ship_to_address'),
    shipFromAddress: column('q.ship_from_address'),
    returnAddress: column('q.return_address'),
    shippingDate: time('q.shipping_date'),
    packages: column('q.packages'),
    customsInput: column('q.customs_input'),
    insuranceRequest: column('q.insurance_request'),
    messages: column('q.messages'),
    shippingRates: ratesOf(organizations),
    expiresAt: time('q.expires_at'),
    metadata: column('q.metadata'),
    createdAt: time('q.created_at'),
    updatedAt: time('q.updated_at'),
  });
}

function ratesOf(organizations: Organizations): Sql<unknown> {
  const rate = jsonObject({
    id: column('r.id'),
    serviceCode: column('r.service_code'),
    serviceName: column('r.service_name'),
    rateTotal: number('r.rate_total'),
    rateSurcharges: number('r.rate_surcharges'),
    compareAtRate: number('r.compare_at_rate'),
    currency: column('r.currency'),
    estDeliveryDays: column('r.est_delivery_days'),
    estDeliveryDate: time('r.est_delivery_date'),
    deliveryDateGuaranteed: column('r.delivery_date_guaranteed'),
    message: column('r.message'),
    carrierAccount: carrierAccountSummary('a'),
  });
  return sql`coalesce((
    select json_agg(${rate} order by r.position)
    from shipping_rates r
    join carrier_accounts a on ${owned('a', organizations, 'q')} and a.id = r.carrier_account_id
    where ${owned('r', organizations, 'q')} and r.shipping_quote_id = q.id), '[]')`;
}
