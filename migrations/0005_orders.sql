-- Customers, sales orders, what stock they hold, and return orders.
-- Safe: creates new objects only.

create table customers (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text,
  email text,
  phone text,
  company text,
  metadata jsonb not null default '{}',
  search_text text not null generated always as (
    lower(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, '') || E'\n'
      || coalesce(company, ''))) stored,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id)
);
create index customers_created_at_idx on customers (organization_id, created_at, id);
create index customers_email_idx on customers (organization_id, email, id);
create index customers_name_idx on customers (organization_id, name, id);
create index customers_search_idx on customers using gin (organization_id, search_text gin_trgm_ops);

create table orders (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  alias text,
  -- the alias was asked to be the only one of its kind
  unique_alias boolean not null default false,
  price numeric(15, 4) not null,
  compare_at_price numeric(15, 4),
  currency text not null,
  financial_status text not null check (financial_status in (
    'authorized', 'expired', 'paid', 'partially-paid', 'partially-refunded', 'pending', 'refunded', 'voided')),
  fulfillment_status text not null check (fulfillment_status in (
    'scheduled', 'open', 'confirmed', 'on-hold', 'partially-fulfilled', 'fulfilled')),
  status_before_hold text,
  hold_reason text,
  hold_note text,
  order_date timestamptz(3) not null,
  target_delivery_date timestamptz(3),
  ship_to_address json,
  ship_method json,
  insurance_request json,
  customer_id uuid,
  -- pins allocation to one warehouse
  warehouse_id uuid,
  -- [{id, name}], [{id, content, createdAt, user}] and [{id, type, completedAt, createdAt, updatedAt}]
  tags jsonb not null default '[]',
  notes jsonb not null default '[]',
  tasks jsonb not null default '[]',
  metadata jsonb not null default '{}',
  -- lower case: name, alias, the lines' skus and the shipments' tracking codes, one a line
  search_text text not null,
  -- open or confirmed, nothing backordered, every line allocated
  ready_to_ship boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancel_reason text,
  primary key (organization_id, id),
  constraint orders_name_key unique (organization_id, name),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
);
create index orders_order_date_idx on orders (organization_id, order_date, id);
create index orders_created_at_idx on orders (organization_id, created_at, id);
create index orders_updated_at_idx on orders (organization_id, updated_at, id);
create index orders_target_delivery_date_idx on orders (organization_id, target_delivery_date, id);
create index orders_price_idx on orders (organization_id, price, id);
create index orders_financial_status_idx on orders (organization_id, financial_status, order_date, id);
create index orders_fulfillment_status_idx on orders (organization_id, fulfillment_status, order_date, id);
-- For lists in the order of a status alone.
create index orders_by_financial_status_idx on orders (organization_id, financial_status, id);
create index orders_by_fulfillment_status_idx on orders (organization_id, fulfillment_status, id);
create index orders_alias_idx on orders (organization_id, alias, id);
create unique index orders_unique_alias_key on orders (organization_id, alias) where unique_alias;
create index orders_customer_id_idx on orders (organization_id, customer_id) where customer_id is not null;
create index orders_ready_to_ship_idx on orders (organization_id, order_date, id) where ready_to_ship;
create index orders_pinned_idx on orders (organization_id, warehouse_id)
  where warehouse_id is not null and fulfillment_status <> 'fulfilled' and cancelled_at is null;
create index orders_search_idx on orders using gin (organization_id, search_text gin_trgm_ops);

create table order_line_items (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  product_variant_id uuid not null,
  price numeric(15, 4) not null,
  compare_at_price numeric(15, 4),
  currency text not null,
  quantity integer not null check (quantity > 0),
  quantity_allocated integer not null default 0 check (quantity_allocated >= 0),
  quantity_backordered integer not null default 0 check (quantity_backordered >= 0),
  quantity_fulfilled integer not null default 0 check (quantity_fulfilled >= 0),
  quantity_cancelled integer not null default 0 check (quantity_cancelled >= 0),
  -- as they were when the line was made
  is_bundle boolean not null,
  tracks_inventory boolean not null,
  requires_shipping boolean not null,
  -- the order's, kept here so that backorders are found in its order
  order_date timestamptz(3) not null,
  primary key (organization_id, id),
  constraint order_line_items_quantities_fit check (
    quantity_allocated + quantity_backordered + quantity_fulfilled + quantity_cancelled <= quantity),
  foreign key (organization_id, order_id) references orders (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index order_line_items_order_id_idx on order_line_items (organization_id, order_id, position);
create index order_line_items_backordered_idx
  on order_line_items (organization_id, product_variant_id, order_date, order_id) where quantity_backordered > 0;

create index order_line_items_open_idx
  on order_line_items (organization_id, product_variant_id) where quantity_allocated > 0;
create index order_line_items_open_bundles_idx on order_line_items (organization_id)
  where is_bundle and (quantity_backordered > 0 or quantity_allocated > 0);

-- What one unit of a bundle's line took when the line was made.
create table order_line_components (
  organization_id uuid not null,
  order_line_item_id uuid not null,
  product_variant_id uuid not null,
  quantity_per_unit integer not null check (quantity_per_unit > 0),
  tracks_inventory boolean not null,
  primary key (organization_id, order_line_item_id, product_variant_id),
  foreign key (organization_id, order_line_item_id) references order_line_items (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index order_line_components_variant_idx on order_line_components (organization_id, product_variant_id);

-- Units of a line (bundles are counted whole) that a warehouse's stock is committed to.
create table order_allocations (
  organization_id uuid not null,
  order_line_item_id uuid not null,
  warehouse_id uuid not null,
  order_id uuid not null,
  quantity integer not null check (quantity >= 0),
  primary key (organization_id, order_line_item_id, warehouse_id),
  foreign key (organization_id, order_line_item_id) references order_line_items (organization_id, id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
);
create index order_allocations_order_id_idx on order_allocations (organization_id, order_id);

-- The dated history of committed units, per variant that holds stock (a bundle's components). Append only.
create table order_allocation_changes (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  order_line_item_id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null check (quantity <> 0),
  reason text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index order_allocation_changes_level_idx
  on order_allocation_changes (organization_id, product_variant_id, warehouse_id, created_at);

create table return_orders (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  order_id uuid,
  status text not null check (status in ('requested', 'in-transit', 'received', 'closed', 'cancelled')),
  reason text,
  label json,
  metadata jsonb not null default '{}',
  -- lower case: name, the order's name and the lines' skus, one a line
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint return_orders_name_key unique (organization_id, name),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
create index return_orders_order_id_idx on return_orders (organization_id, order_id) where order_id is not null;
create index return_orders_created_at_idx on return_orders (organization_id, created_at, id);
create index return_orders_search_idx on return_orders using gin (organization_id, search_text gin_trgm_ops);

create table return_order_line_items (
  organization_id uuid not null,
  id uuid not null,
  return_order_id uuid not null,
  position integer not null,
  order_line_item_id uuid,
  product_variant_id uuid not null,
  quantity integer not null check (quantity > 0),
  quantity_received integer not null default 0,
  primary key (organization_id, id),
  constraint return_order_line_items_received_fits check (quantity_received between 0 and quantity),
  foreign key (organization_id, return_order_id) references return_orders (organization_id, id),
  foreign key (organization_id, order_line_item_id) references order_line_items (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index return_order_line_items_return_order_idx
  on return_order_line_items (organization_id, return_order_id, position);
