// SQL of the labels that returns ask for.
import type { WeightUnit } from '../carriers/carrier.ts';
import { type Database, type Executor, sql } from '../database/connect.ts';
import type { Address } from '../http/schemas.ts';
import * as limits from '../limits.ts';

export interface WantedLabel {
  organizationId: string;
  id: string;
}

/** Returns whose label is to be bought; nobody else buys it for a while. */
export async function claimWantedLabels(database: Database, now: Date): Promise<WantedLabel[]> {
  const due = await database.query<WantedLabel>(sql`
    select organization_id as "organizationId", id from return_orders
    where label_wanted_at <= ${now} order by label_wanted_at limit ${limits.purchasesAtOnce}`);
  const next = new Date(now.getTime() + limits.returnLabelRetryMs);
  const claims = due.map(async (one) => {
    const rows = await database.query(sql`
      update return_orders set label_wanted_at = ${next}
      where organization_id = ${one.organizationId} and id = ${one.id} and label_wanted_at <= ${now} returning 1`);
    return rows.length > 0 ? [one] : [];
  });
  return (await Promise.all(claims)).flat();
}

export interface ReturnedLine {
  name: string;
  sku: string;
  quantity: number;
  price: string;
  currency: string;
  weight: string | null;
  weightUnit: WeightUnit;
  tariffCode: string | null;
  countryOfOrigin: string | null;
  eccn: string | null;
}

export interface ReturnToLabel {
  status: string;
  label: { carrierCode: string; serviceCode: string; labelFormat: 'pdf' | 'zpl' } | null;
  /** Where the goods are. */
  customerAddress: Address | null;
  /** Where they go: the warehouse of the order, or the first by priority. */
  warehouseAddress: Address | null;
  lines: ReturnedLine[];
}

export async function readReturnToLabel(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<ReturnToLabel | undefined> {
  const [row] = await database.query<ReturnToLabel>(sql`
    select r.status, r.label, o.ship_to_address as "customerAddress", (
        select w.address from warehouses w
        where w.organization_id = ${organizationId} and w.archived_at is null
        order by w.id = o.warehouse_id desc nulls last, (
          select count(*) from fulfillments f
          where f.organization_id = ${organizationId} and f.order_id = o.id and f.warehouse_id = w.id
            and f.cancelled_at is null) desc, w.priority, w.created_at, w.id
        limit 1) as "warehouseAddress",
      coalesce((
        select json_agg(json_build_object('name', p.name, 'sku', v.sku, 'quantity', l.quantity,
          'price', coalesce(ol.price, v.price, 0)::text, 'currency', coalesce(ol.currency, v.currency),
          'weight', v.weight::text, 'weightUnit', v.weight_unit, 'tariffCode', v.tariff_code,
          'countryOfOrigin', v.country_of_origin, 'eccn', p.eccn) order by l.position)
        from return_order_line_items l
        join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
        join products p on p.organization_id = ${organizationId} and p.id = v.product_id
        left join order_line_items ol on ol.organization_id = ${organizationId} and ol.id = l.order_line_item_id
        where l.organization_id = ${organizationId} and l.return_order_id = r.id), '[]') as lines
    from return_orders r
    left join orders o on o.organization_id = ${organizationId} and o.id = r.order_id
    where r.organization_id = ${organizationId} and r.id = ${id}`);
  return row;
}

/** No label is wanted any more; `failure` says why there is none. */
export async function settleReturnLabel(
  database: Executor,
  organizationId: string,
  id: string,
  failure: string | null,
  now: Date,
): Promise<void> {
  await database.query(sql`
    update return_orders set label_wanted_at = null, label_failure = ${failure}, version = version + 1,
      updated_at = ${now}
    where organization_id = ${organizationId} and id = ${id}`);
}
