-- Products, their variants and the bills of material of bundles.
-- Safe: creates new objects only.

create table products (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  is_bundle boolean not null default false,
  name text not null,
  slug text not null,
  description text,
  options jsonb not null default '[]',
  brand text,
  vendor text,
  manufacturer text,
  eccn text,
  image_url text,
  metadata jsonb not null default '{}',
  -- lower case: name, brand and every variant's sku and barcode, one a line
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint products_slug_key unique (organization_id, slug)
);
create index products_created_at_idx on products (organization_id, created_at, id);
create index products_updated_at_idx on products (organization_id, updated_at, id);
create index products_name_idx on products (organization_id, name, id);
create index products_search_idx on products using gin (organization_id, search_text gin_trgm_ops);

-- How many products there are: the sum over a few rows, so that writers seldom wait for each other.
create table product_totals (
  organization_id uuid not null references organizations (id),
  slot smallint not null,
  unarchived bigint not null,
  archived bigint not null,
  primary key (organization_id, slot)
);

create table product_variants (
  organization_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  title text not null,
  sku text not null,
  sku_aliases text[] not null default '{}',
  barcode text,
  asin text,
  ean text,
  isbn text,
  upc text,
  price numeric(15, 4) not null default 0,
  compare_at_price numeric(15, 4),
  wholesale_price numeric(15, 4),
  cost_price numeric(15, 4),
  currency text not null default 'usd',
  position integer not null default 1,
  taxable boolean not null default true,
  discountable boolean not null default true,
  requires_shipping boolean not null default true,
  tracks_inventory boolean not null default true,
  -- sold as its components: has bom_line_items
  is_bundle boolean not null default false,
  inventory_policy text not null default 'deny' check (inventory_policy in ('deny', 'continue')),
  inventory_allocation_strategy text not null default 'FIFO'
    check (inventory_allocation_strategy in ('FIFO', 'FEFO', 'LIFO')),
  selected_options jsonb not null default '[]',
  image text,
  weight numeric(15, 4),
  weight_unit text not null default 'oz' check (weight_unit in ('oz', 'lb', 'g', 'kg')),
  length numeric(15, 4),
  width numeric(15, 4),
  height numeric(15, 4),
  dimensions_unit text not null default 'in' check (dimensions_unit in ('in', 'cm')),
  tariff_code text,
  country_of_origin text,
  metadata jsonb not null default '{}',
  -- lower case: sku, title, barcode and the product's name, one a line
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, product_id) references products (organization_id, id)
);
create index product_variants_product_id_idx on product_variants (organization_id, product_id, position, id);
create unique index product_variants_sku_key on product_variants (organization_id, sku) where archived_at is null;
-- Unique among the unarchived, and finds the archived too.
create unique index product_variants_barcode_key on product_variants
  (organization_id, barcode, (case when archived_at is not null then id end)) nulls not distinct where barcode is not null;
create unique index product_variants_asin_key on product_variants
  (organization_id, asin, (case when archived_at is not null then id end)) nulls not distinct where asin is not null;
create unique index product_variants_ean_key on product_variants
  (organization_id, ean, (case when archived_at is not null then id end)) nulls not distinct where ean is not null;
create unique index product_variants_isbn_key on product_variants
  (organization_id, isbn, (case when archived_at is not null then id end)) nulls not distinct where isbn is not null;
create unique index product_variants_upc_key on product_variants
  (organization_id, upc, (case when archived_at is not null then id end)) nulls not distinct where upc is not null;
create index product_variants_title_idx on product_variants (organization_id, title, archived_at nulls first);
create index product_variants_sku_idx on product_variants (organization_id, sku, id);
create index product_variants_sku_aliases_idx on product_variants using gin (organization_id, sku_aliases);
create index product_variants_search_idx on product_variants using gin (organization_id, search_text gin_trgm_ops);

-- What one unit of a bundle's variant is made of.
create table bom_line_items (
  organization_id uuid not null,
  id uuid not null,
  bundle_variant_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null check (quantity > 0),
  primary key (organization_id, id),
  constraint bom_line_items_component_key unique (organization_id, bundle_variant_id, product_variant_id),
  foreign key (organization_id, bundle_variant_id) references product_variants (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index bom_line_items_product_variant_id_idx on bom_line_items (organization_id, product_variant_id);
