// Every SQL statement about bills of materials.
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';

export interface Component {
  id: string;
  product_id: string;
  archived_at: Date | null;
  of_bundle: boolean;
}

/** Variants that are to be components, their products locked against becoming bundles or being archived. */
export function lockComponents(write: Write, ids: string[]): Promise<Component[]> {
  const { organizationId } = write.scope;
  return write.transaction.query<Component>(sql`
    select v.id, v.product_id, v.archived_at, p.is_bundle as of_bundle
    from product_variants v
    join products p on p.organization_id = ${organizationId} and p.id = v.product_id
    where v.organization_id = ${organizationId} and v.id = any(${ids}::uuid[])
    order by p.id for share of p`);
}

/** The bundles, archived ones too, that have one of these variants as a component. */
export async function findBundlesWith(write: Write, variantIds: string[]): Promise<string[]> {
  const rows = await write.transaction.query<{ id: string }>(sql`
    select distinct bundle_variant_id as id from bom_line_items
    where organization_id = ${write.scope.organizationId} and product_variant_id = any(${variantIds}::uuid[])`);
  return rows.map(({ id }) => id);
}

export interface Bom {
  variantId: string;
  items: readonly { productVariantId: string; quantity: number }[];
}

export function insertBoms(write: Write, boms: readonly Bom[]): void {
  const { organizationId } = write.scope;
  const rows = boms.flatMap(({ variantId, items }) => items.map((item) => ({ variantId, ...item })));
  if (rows.length === 0) return;
  write.transaction.send(sql`
    insert into bom_line_items (organization_id, id, bundle_variant_id, product_variant_id, quantity)
    select ${organizationId}::uuid, r.* from unnest(${rows.map(() => newId())}::uuid[],
      ${rows.map(({ variantId }) => variantId)}::uuid[],
      ${rows.map(({ productVariantId }) => productVariantId)}::uuid[],
      ${rows.map(({ quantity }) => quantity)}::integer[]) as r (id, bundle, component, quantity)`);
}

export function deleteBoms(write: Write, variantIds: string[]): void {
  write.transaction.send(sql`
    delete from bom_line_items
    where organization_id = ${write.scope.organizationId} and bundle_variant_id = any(${variantIds}::uuid[])`);
}

export function setBundle(write: Write, variantIds: string[], isBundle: boolean): void {
  write.transaction.send(sql`
    update product_variants set is_bundle = ${isBundle}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = any(${variantIds}::uuid[])`);
}
