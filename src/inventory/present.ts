// Rows -> wire objects of stock levels, location records and ledger rows, as PostgreSQL builds them.
// Columns are plain text here, as in products/present.ts: these lists are read often, and text costs nothing to assemble.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { productVariantJson } from '../products/present.ts';

/** The figures of a level: columns of its row, or of a row computed for it. */
export const levelFigures = {
  availableQuantity: 'available_quantity',
  onHandQuantity: 'on_hand_quantity',
  committedQuantity: 'committed_quantity',
  reservedQuantity: 'reserved_quantity',
  incomingQuantity: 'incoming_quantity',
  damagedQuantity: 'damaged_quantity',
  qualityControlQuantity: 'quality_control_quantity',
  safetyStockQuantity: 'safety_stock_quantity',
} as const;

const figuresOf = (alias: 'l' | 'f') =>
  sql.raw(
    Object.entries(levelFigures)
      .map(([field, name]) => `${alias}.${name} as "${field}"`)
      .join(', '),
  );
/** Of the level's own row, or of `f`, a row computed for it. */
const figures = { l: figuresOf('l'), f: figuresOf('f') };
const updatedAt = { l: sql.raw('iso(l.updated_at)'), f: sql.raw('iso(f.updated_at)') };

/** A level `l`, with its figures from `source` and its variant as one of the two below shows it. */
export function levelJson(
  organizations: Organizations,
  productVariant: Sql<unknown>,
  source: 'l' | 'f' = 'l',
): Sql<unknown> {
  return sql`(select row_to_json(fields) from (
    select l.id, l.organization_id as "organizationId", ${figures[source]}, null as organization,
      (select ${productVariant} from product_variants v
        where ${owned('v', organizations, 'l')} and v.id = l.product_variant_id) as "productVariant",
      (select row_to_json(fields) from (
        select w.id, w.name, (select row_to_json(parts) from (
          select w.address ->> 'street1' as street1, w.address ->> 'city' as city,
            w.address ->> 'state' as state, w.address ->> 'country' as country) parts) as address
        from warehouses w where ${owned('w', organizations, 'l')} and w.id = l.warehouse_id) fields) as warehouse,
      '[]'::json as "serviceObjects", iso(l.created_at) as "createdAt", ${updatedAt[source]} as "updatedAt"
  ) fields)`;
}

const productInShort = (organizations: Organizations) => sql`(
  select row_to_json(fields) from (select p.id, p.name, p.slug
    from products p where ${owned('p', organizations, 'v')} and p.id = v.product_id) fields)`;

export function fullVariant(organizations: Organizations): Sql<unknown> {
  return productVariantJson(organizations, productInShort);
}

export function variantInShort(organizations: Organizations): Sql<unknown> {
  return sql`(select row_to_json(fields) from (
    select v.id, v.organization_id as "organizationId", v.product_id as "productId", v.title, v.sku,
      v.sku_aliases as "skuAliases", ${productInShort(organizations)} as product) fields)`;
}

const locationColumns = sql.raw(`
  il.id, il.organization_id as "organizationId", il.warehouse_location_id as "warehouseLocationId",
  il.product_variant_id as "productVariantId", il.quantity, il.units_of_measure_id as "unitsOfMeasureId",
  trim_scale(il.uom_quantity) as "uomQuantity", iso(il.expiration_date) as "expirationDate",
  il.lot_number as "lotNumber", iso(il.created_at) as "createdAt", iso(il.updated_at) as "updatedAt",
  iso(il.archived_at) as "archivedAt"`);

/** A location record `il`, as a change of stock answers it. */
export const locationRecordJson = sql`(select row_to_json(fields) from (select ${locationColumns}) fields)`;

/** A location record `il` with its variant `v` and its warehouse location `wl`. */
export const inventoryLocationJson = sql`(select row_to_json(fields) from (
  select ${locationColumns}, null as organization,
    (select row_to_json(f) from (select v.id, v.title, v.sku) f) as "productVariant",
    (select row_to_json(f) from (select wl.id, wl.name, wl.type, wl.pickable) f) as "warehouseLocation",
    null as "unitsOfMeasure") fields)`;

/** A row `m` of the ledger. */
export function movementJson(organizations: Organizations): Sql<unknown> {
  return sql`(select row_to_json(fields) from (
    select m.id, m.organization_id as "organizationId", m.warehouse_id as "warehouseId",
      m.product_variant_id as "productVariantId",
      (select row_to_json(fields) from (select v.id, v.title, v.sku from product_variants v
        where ${owned('v', organizations, 'm')} and v.id = m.product_variant_id) fields) as "productVariant",
      m.from_warehouse_location_id as "fromWarehouseLocationId",
      m.to_warehouse_location_id as "toWarehouseLocationId", m.quantity, m.lot_number as "lotNumber",
      iso(m.expiration_date) as "expirationDate", m.units_of_measure_id as "unitsOfMeasureId", m.reason,
      m.reference_type as "referenceType", m.reference_id as "referenceId", m.api_key_id as "apiKeyId",
      iso(m.created_at) as "createdAt") fields)`;
}
