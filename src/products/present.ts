// Rows -> wire objects of products and variants, as PostgreSQL builds them.
// Columns are plain text here: a statement of sixty separate pieces took 100 µs to assemble, each time.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';

const variantColumns = sql.raw(`
  v.id, v.organization_id as "organizationId", v.product_id as "productId", v.title, v.sku,
  v.sku_aliases as "skuAliases", v.barcode, v.asin, v.ean, v.isbn, v.upc,
  trim_scale(v.price) as price, trim_scale(v.compare_at_price) as "compareAtPrice",
  trim_scale(v.wholesale_price) as "wholesalePrice", trim_scale(v.cost_price) as "costPrice", v.currency,
  v.position, v.taxable, v.discountable, v.requires_shipping as "requiresShipping",
  v.tracks_inventory as "tracksInventory", v.inventory_policy as "inventoryPolicy",
  v.inventory_allocation_strategy as "inventoryAllocationStrategy", v.selected_options as "selectedOptions",
  v.image, trim_scale(v.weight) as weight, v.weight_unit as "weightUnit",
  (select row_to_json(d) from (select trim_scale(v.length) as length, trim_scale(v.width) as width,
    trim_scale(v.height) as height) d) as dimensions, v.dimensions_unit as "dimensionsUnit",
  v.tariff_code as "tariffCode", v.country_of_origin as "countryOfOrigin", v.metadata,
  iso(v.created_at) as "createdAt", iso(v.updated_at) as "updatedAt", iso(v.archived_at) as "archivedAt",
  null as "featuredMediaId"`);

const variantListsWeDoNotFill = sql.raw(`
  '[]'::json as packagings, '[]'::json as "serviceObjects",
  '[]'::json as media, '[]'::json as "unitsOfMeasure", null as "featuredMedia"`);

const productColumns = sql.raw(`
  p.id, p.organization_id as "organizationId", p.is_bundle as "isBundle", p.name, p.slug, p.description,
  p.options, p.brand, p.vendor, p.manufacturer, p.eccn, p.image_url as "imageUrl", null as "imageFile"`);

const productTail = sql.raw(`
  iso(p.created_at) as "createdAt", iso(p.updated_at) as "updatedAt", iso(p.archived_at) as "archivedAt",
  null as "featuredMediaId", '[]'::json as "serviceObjects", '[]'::json as media, null as "featuredMedia",
  p.metadata`);

/** A variant `v`; `product` says how its product is shown. */
export function productVariantJson(
  organizations: Organizations,
  product: (organizations: Organizations) => Sql<unknown>,
): Sql<unknown> {
  const bom = bomLineItems(organizations);
  return sql`(select row_to_json(fields) from (select ${variantColumns}, ${product(organizations)} as product,
    ${inventoryLevels(organizations)} as "inventoryLevels",
    ${inventoryLocations(organizations)} as "inventoryLocations",
    ${supplierProducts(organizations)} as "supplierProducts",
    case when v.is_bundle then ${bom} else '[]' end as "bomLineItems",
    case when v.is_bundle then json_build_object('bomLineItems', ${bom}) end as bom,
    ${variantListsWeDoNotFill}) fields)`;
}

/** A variant `v` answered by itself: with its product, which does not list variants again. */
export function productVariantAloneJson(organizations: Organizations): Sql<unknown> {
  return productVariantJson(
    organizations,
    () => sql`(
    select row_to_json(fields) from (
      select ${productColumns}, '[]'::json as variants, '[]'::json as "productVariants", ${productTail}
      from products p where ${owned('p', organizations, 'v')} and p.id = v.product_id) fields)`,
  );
}

/** A product `p` with its unarchived variants; an archived one with those that were archived with it. */
export function productJson(organizations: Organizations): Sql<unknown> {
  const variant = productVariantJson(organizations, () => sql`null`);
  return sql`(select row_to_json(fields) from (
    select ${productColumns}, own.variants, own.variants as "productVariants", ${productTail}
    from (
      select coalesce(json_agg(${variant} order by v.position, v.id), '[]') as variants
      from product_variants v
      where ${owned('v', organizations, 'p')} and v.product_id = p.id
        and v.archived_at is not distinct from p.archived_at) own) fields)`;
}

function inventoryLevels(organizations: Organizations): Sql<unknown> {
  return sql`case when v.is_bundle then ${bundleLevels(organizations)} else (
    select coalesce(json_agg((select row_to_json(fields) from (select l.id, l.warehouse_id as "warehouseId",
      l.on_hand_quantity as "onHandQuantity", l.available_quantity as "availableQuantity",
      l.committed_quantity as "committedQuantity", l.reserved_quantity as "reservedQuantity",
      l.incoming_quantity as "incomingQuantity", l.damaged_quantity as "damagedQuantity",
      l.quality_control_quantity as "qualityControlQuantity",
      l.safety_stock_quantity as "safetyStockQuantity") fields) order by l.warehouse_id), '[]')
    from inventory_levels l
    where ${owned('l', organizations, 'v')} and l.product_variant_id = v.id) end`;
}

/** Where a component has no level, none of the bundle is available. Their ids are those of its level list. */
function bundleLevels(organizations: Organizations): Sql<unknown> {
  const tracked = sql`
    from bom_line_items b
    join product_variants c on ${owned('c', organizations, 'v')} and c.id = b.product_variant_id`;
  const ofBundle = sql`${owned('b', organizations, 'v')} and b.bundle_variant_id = v.id and c.tracks_inventory`;
  return sql`(
    select coalesce(json_agg((select row_to_json(fields) from (select md5(v.id::text || w.warehouse_id::text)::uuid as id,
      w.warehouse_id as "warehouseId", 0 as "onHandQuantity", w.available as "availableQuantity",
      0 as "committedQuantity", 0 as "reservedQuantity", 0 as "incomingQuantity", 0 as "damagedQuantity",
      0 as "qualityControlQuantity", 0 as "safetyStockQuantity") fields) order by w.warehouse_id), '[]')
    from (
      select l.warehouse_id, least(min(floor(l.available_quantity::numeric / b.quantity))::integer,
        case when count(*) < (select count(*) ${tracked} where ${ofBundle}) then 0 end) as available
      ${tracked}
      join inventory_levels l on ${owned('l', organizations, 'v')} and l.product_variant_id = c.id
      where ${ofBundle}
      group by l.warehouse_id) w)`;
}

function inventoryLocations(organizations: Organizations): Sql<unknown> {
  return sql`(
    select coalesce(json_agg((select row_to_json(fields) from (select il.id, il.warehouse_id as "warehouseId",
      il.warehouse_location_id as "warehouseLocationId", il.quantity, il.lot_number as "lotNumber",
      iso(il.expiration_date) as "expirationDate") fields) order by il.warehouse_id, il.id), '[]')
    from inventory_locations il
    where ${owned('il', organizations, 'v')} and il.product_variant_id = v.id and il.quantity > 0)`;
}

function supplierProducts(organizations: Organizations): Sql<unknown> {
  return sql`(
    select coalesce(json_agg((select row_to_json(fields) from (select x.id, x.supplier_id as "supplierId",
      x.supplier_sku as "supplierSku", trim_scale(x.price) as price, x.currency, x.pack_size as "packSize",
      x.lead_time_days as "leadTimeDays") fields) order by x.id), '[]')
    from supplier_products x
    where ${owned('x', organizations, 'v')} and x.product_variant_id = v.id)`;
}

function bomLineItems(organizations: Organizations): Sql<unknown> {
  return sql`(
    select coalesce(json_agg(json_build_object('id', b.id, 'productVariantId', b.product_variant_id,
      'quantity', b.quantity, 'productVariant', json_build_object('id', c.id, 'title', c.title, 'sku', c.sku))
      order by b.id), '[]')
    from bom_line_items b
    join product_variants c on ${owned('c', organizations, 'v')} and c.id = b.product_variant_id
    where ${owned('b', organizations, 'v')} and b.bundle_variant_id = v.id)`;
}

/** `{"name": ...}` of the product of a variant `v`. */
function productName(organizations: Organizations): Sql<unknown> {
  return sql`(select json_build_object('name', p.name) from products p
    where ${owned('p', organizations, 'v')} and p.id = v.product_id)`;
}

/** The variant `v` of an order line, as a single order shows it. */
export function lineVariantJson(organizations: Organizations): Sql<unknown> {
  return sql`(select row_to_json(fields) from (select v.id, v.title, v.sku,
    ${productName(organizations)} as product, v.product_id as "productId", v.sku_aliases as "skuAliases",
    v.barcode, trim_scale(v.price) as price, trim_scale(v.compare_at_price) as "compareAtPrice", v.currency,
    trim_scale(v.weight) as weight, v.weight_unit as "weightUnit",
    (select row_to_json(d) from (select trim_scale(v.length) as length, trim_scale(v.width) as width,
      trim_scale(v.height) as height) d) as dimensions, v.dimensions_unit as "dimensionsUnit",
    v.tracks_inventory as "tracksInventory") fields)`;
}

/** The variant `v` of an order line, as a list of orders shows it. */
export function lineVariantSummaryJson(organizations: Organizations): Sql<unknown> {
  return sql`(select row_to_json(fields) from (select v.id, v.title, v.sku,
    ${productName(organizations)} as product) fields)`;
}
