// SQL that reads from an order what its customs are told.
import type { WeightUnit } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';

export interface CustomsLine {
  productName: string;
  title: string;
  sku: string;
  /** Units. */
  quantity: number;
  /** Decimal text, of one unit. */
  price: string;
  currency: string;
  weight: string | null;
  weightUnit: WeightUnit;
  tariffCode: string | null;
  countryOfOrigin: string | null;
  eccn: string | null;
}

/** The lines that are shipped, with their open units, or all where none is open; undefined for no order. */
export async function findOrderForCustoms(
  database: Executor,
  organizationId: string,
  orderId: string,
): Promise<CustomsLine[] | undefined> {
  const [[order], lines] = await Promise.all([
    database.query(sql`
      select 1 from orders o where o.organization_id = ${organizationId} and o.id = ${orderId}`),
    database.query<CustomsLine & { open: number }>(sql`
      select p.name as "productName", v.title, v.sku, l.quantity - l.quantity_cancelled as quantity,
        l.quantity - l.quantity_cancelled - l.quantity_fulfilled as open, l.price::text, l.currency,
        v.weight::text, v.weight_unit as "weightUnit", v.tariff_code as "tariffCode",
        v.country_of_origin as "countryOfOrigin", p.eccn
      from order_line_items l
      join product_variants v on v.organization_id = ${organizationId} and v.id = l.product_variant_id
      join products p on p.organization_id = ${organizationId} and p.id = v.product_id
      where l.organization_id = ${organizationId} and l.order_id = ${orderId} and l.requires_shipping
        and l.quantity > l.quantity_cancelled
      order by l.position`),
  ]);
  if (order === undefined) return undefined;
  const open = lines.filter((line) => line.open > 0).map((line) => ({ ...line, quantity: line.open }));
  return open.length > 0 ? open : lines;
}
