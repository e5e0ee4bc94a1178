-- Suppliers, what they sell, purchase orders and what has arrived for them.
-- Safe: creates new objects only.

create table suppliers (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  email text,
  phone text,
  currency text not null default 'usd',
  metadata jsonb not null default '{}',
  search_text text not null generated always as (
    lower(name || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id)
);
create index suppliers_created_at_idx on suppliers (organization_id, created_at, id);
create index suppliers_search_idx on suppliers using gin (organization_id, search_text gin_trgm_ops);

-- What a supplier calls a variant, and sells it for.
create table supplier_products (
  organization_id uuid not null,
  id uuid not null,
  supplier_id uuid not null,
  product_variant_id uuid not null,
  supplier_sku text,
  price numeric(15, 4),
  currency text not null default 'usd',
  pack_size integer not null default 1 check (pack_size > 0),
  lead_time_days integer check (lead_time_days >= 0),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint supplier_products_variant_key unique (organization_id, supplier_id, product_variant_id),
  foreign key (organization_id, supplier_id) references suppliers (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index supplier_products_variant_idx on supplier_products (organization_id, product_variant_id);

create table purchase_orders (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  status text not null check (status in (
    'draft', 'open', 'confirmed', 'partially-received', 'received', 'cancelled')),
  supplier_id uuid not null,
  warehouse_id uuid not null,
  subtotal numeric(19, 4) not null,
  total_tax numeric(19, 4) not null,
  grand_total numeric(19, 4) not null,
  currency text not null,
  payment_terms text,
  tracking_number text,
  reference_number text,
  shipping_carrier text,
  expected_date timestamptz(3),
  -- [{id, name}] and [{id, content, type, createdAt, user}]
  tags jsonb not null default '[]',
  notes jsonb not null default '[]',
  metadata jsonb not null default '{}',
  -- lower case: name, numbers, and the lines' skus, titles and product names, one a line
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  cancelled_at timestamptz(3),
  -- ended before everything had arrived: what is missing is no longer incoming
  closed_at timestamptz(3),
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint purchase_orders_name_key unique (organization_id, name),
  foreign key (organization_id, supplier_id) references suppliers (organization_id, id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
);
-- What is included lets rows of some days be counted by the index alone.
create index purchase_orders_created_at_idx
  on purchase_orders (organization_id, created_at, id) include (status, archived_at);
create index purchase_orders_supplier_idx
  on purchase_orders (organization_id, supplier_id, created_at, id) include (status, archived_at);
create index purchase_orders_warehouse_idx
  on purchase_orders (organization_id, warehouse_id, created_at, id) include (status, archived_at);
create index purchase_orders_search_idx
  on purchase_orders using gin (organization_id, search_text gin_trgm_ops);

-- How many purchase orders there are of each kind.
create table purchase_order_totals (
  organization_id uuid not null references organizations (id),
  supplier_id uuid not null,
  warehouse_id uuid not null,
  status text not null,
  archived boolean not null,
  purchase_orders bigint not null,
  primary key (organization_id, supplier_id, warehouse_id, status, archived)
);

create table purchase_order_line_items (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  position integer not null,
  product_variant_id uuid not null,
  supplier_product_id uuid,
  requested_quantity integer not null check (requested_quantity > 0),
  received_quantity integer not null default 0 check (received_quantity >= 0),
  unit_price numeric(15, 4) not null check (unit_price >= 0),
  tax_rate numeric(9, 6) not null default 0 check (tax_rate >= 0),
  subtotal numeric(19, 4) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id),
  foreign key (organization_id, supplier_product_id) references supplier_products (organization_id, id)
);
create index purchase_order_line_items_order_idx
  on purchase_order_line_items (organization_id, purchase_order_id, position);
create index purchase_order_line_items_variant_idx
  on purchase_order_line_items (organization_id, product_variant_id);

-- The dated history of incoming units. Append only.
create table incoming_changes (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  purchase_order_line_item_id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null check (quantity <> 0),
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index incoming_changes_level_idx
  on incoming_changes (organization_id, product_variant_id, warehouse_id, created_at);

create table purchase_order_receipts (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  reference text,
  received_by json,
  received_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_id) references purchase_orders (organization_id, id)
);
create index purchase_order_receipts_order_idx
  on purchase_order_receipts (organization_id, purchase_order_id, received_at, id);

-- quantity counts every unit that arrived, the damaged and the checked ones included; negative: a correction.
create table purchase_order_line_item_receipts (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_receipt_id uuid not null,
  purchase_order_line_item_id uuid not null,
  quantity integer not null check (quantity <> 0),
  damaged_quantity integer not null default 0,
  quality_control_quantity integer not null default 0,
  warehouse_location_id uuid not null,
  -- null where there are no such units
  damaged_location_id uuid,
  quality_control_location_id uuid,
  lot_number text,
  expiration_date timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, purchase_order_receipt_id) references purchase_order_receipts (organization_id, id),
  foreign key (organization_id, purchase_order_line_item_id)
    references purchase_order_line_items (organization_id, id),
  foreign key (organization_id, warehouse_location_id) references warehouse_locations (organization_id, id),
  foreign key (organization_id, damaged_location_id) references warehouse_locations (organization_id, id),
  foreign key (organization_id, quality_control_location_id) references warehouse_locations (organization_id, id)
);
create index purchase_order_line_item_receipts_receipt_idx
  on purchase_order_line_item_receipts (organization_id, purchase_order_receipt_id);
create index purchase_order_line_item_receipts_line_idx
  on purchase_order_line_item_receipts (organization_id, purchase_order_line_item_id);
