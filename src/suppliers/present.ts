// Row -> wire object of suppliers and of what they sell, as PostgreSQL builds it.
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, number, time } from '../database/json.ts';

export const supplierJson = jsonObject({
  id: column('s.id'),
  organizationId: column('s.organization_id'),
  name: column('s.name'),
  email: column('s.email'),
  phone: column('s.phone'),
  currency: column('s.currency'),
  metadata: column('s.metadata'),
  createdAt: time('s.created_at'),
  updatedAt: time('s.updated_at'),
  archivedAt: time('s.archived_at'),
});

export function supplierProductJson(organizationId: string): Sql<unknown> {
  return jsonObject({
    id: column('p.id'),
    organizationId: column('p.organization_id'),
    supplierId: column('p.supplier_id'),
    productVariantId: column('p.product_variant_id'),
    supplierSku: column('p.supplier_sku'),
    price: number('p.price'),
    currency: column('p.currency'),
    packSize: column('p.pack_size'),
    leadTimeDays: column('p.lead_time_days'),
    productVariant: sql`(
      select json_build_object('id', v.id, 'title', v.title, 'sku', v.sku) from product_variants v
      where v.organization_id = ${organizationId} and v.id = p.product_variant_id)`,
    createdAt: time('p.created_at'),
    updatedAt: time('p.updated_at'),
  });
}
