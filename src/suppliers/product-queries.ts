// Every SQL statement about what suppliers sell.
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { supplierProductJson } from './present.ts';
import type { ListSupplierProductsQuery, supplierProductSorts } from './schema.ts';

const sorts: Record<(typeof supplierProductSorts)[number], Sort> = {
  createdAt: { column: column('p.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('p.updated_at'), type: 'timestamptz' },
  supplierSku: { column: column('p.supplier_sku'), type: 'text', nullable: true },
  price: { column: column('p.price'), type: 'numeric', nullable: true },
};

export function listSupplierProducts(
  database: Executor,
  organizationId: string,
  supplierId: string,
  query: ListSupplierProductsQuery,
): Promise<Page> {
  const where = [sql`p.organization_id = ${organizationId}`, sql`p.supplier_id = ${supplierId}`];
  if (query.search !== undefined) {
    const pattern = searchPattern(query.search);
    where.push(sql`(lower(p.supplier_sku) like ${pattern} or p.product_variant_id = any(array(
      select v.id from product_variants v
      where v.organization_id = ${organizationId} and v.search_text like ${pattern})))`);
  }
  return listPage(database, `${organizationId} ${supplierId}`, query, {
    name: 'listSupplierProducts',
    alias: 'p',
    from: sql`supplier_products p`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: supplierProductJson(organizationId),
  });
}

export async function findSupplierProduct(
  database: Executor,
  organizationId: string,
  supplierId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${supplierProductJson(organizationId)}::text as json, p.version from supplier_products p
    where p.organization_id = ${organizationId} and p.supplier_id = ${supplierId} and p.id = ${id}`);
  return found;
}

export interface SupplierProductRow {
  supplierSku: string | null;
  price: string | null;
  currency: string;
  packSize: number;
  leadTimeDays: number | null;
}

export async function lockSupplierProduct(
  write: Write,
  supplierId: string,
  id: string,
): Promise<(SupplierProductRow & { version: number }) | undefined> {
  const [row] = await write.transaction.query<SupplierProductRow & { version: number }>(sql`
    select supplier_sku as "supplierSku", price, currency, pack_size as "packSize",
      lead_time_days as "leadTimeDays", version
    from supplier_products
    where organization_id = ${write.scope.organizationId} and supplier_id = ${supplierId} and id = ${id}
    for update`);
  return row;
}

export function insertSupplierProduct(
  write: Write,
  keys: { id: string; supplierId: string; productVariantId: string },
  row: SupplierProductRow,
): void {
  write.transaction.send(sql`
    insert into supplier_products (organization_id, id, supplier_id, product_variant_id, supplier_sku, price,
      currency, pack_size, lead_time_days, created_at, updated_at)
    values (${write.scope.organizationId}, ${keys.id}, ${keys.supplierId}, ${keys.productVariantId},
      ${row.supplierSku}, ${row.price}, ${row.currency}, ${row.packSize}, ${row.leadTimeDays}, ${write.now},
      ${write.now})`);
}

export function storeSupplierProduct(write: Write, id: string, row: SupplierProductRow): void {
  write.transaction.send(sql`
    update supplier_products set supplier_sku = ${row.supplierSku}, price = ${row.price},
      currency = ${row.currency}, pack_size = ${row.packSize}, lead_time_days = ${row.leadTimeDays},
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}
