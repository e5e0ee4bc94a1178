-- Fulfilments: what left for an order, from which bins.
-- Safe: creates new objects, and adds nullable columns only.

-- What an order was before units of it left: what it is again when all of them come back.
alter table orders add column status_before_fulfillment text
  check (status_before_fulfillment in ('open', 'confirmed'));

create table fulfillments (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  -- null where units left from several warehouses
  warehouse_id uuid,
  tracking_code text,
  carrier_code text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  cancelled_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, order_id) references orders (organization_id, id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
);
create index fulfillments_order_id_idx on fulfillments (organization_id, order_id, created_at, id);

-- Units of a line (bundles are counted whole) by the warehouse whose allocation they used up.
create table fulfillment_line_items (
  organization_id uuid not null,
  id uuid not null,
  fulfillment_id uuid not null,
  order_line_item_id uuid not null,
  -- null for a line that holds no stock
  warehouse_id uuid,
  quantity integer not null check (quantity > 0),
  primary key (organization_id, id),
  foreign key (organization_id, fulfillment_id) references fulfillments (organization_id, id),
  foreign key (organization_id, order_line_item_id) references order_line_items (organization_id, id)
);
create index fulfillment_line_items_fulfillment_idx on fulfillment_line_items (organization_id, fulfillment_id);

-- The units that were taken, bin by bin and lot by lot.
create table fulfillment_picks (
  organization_id uuid not null,
  id uuid not null,
  fulfillment_id uuid not null,
  order_line_item_id uuid not null,
  product_variant_id uuid not null,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  lot_number text,
  expiration_date timestamptz(3),
  quantity integer not null check (quantity > 0),
  primary key (organization_id, id),
  foreign key (organization_id, fulfillment_id) references fulfillments (organization_id, id),
  foreign key (organization_id, order_line_item_id) references order_line_items (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id),
  foreign key (organization_id, warehouse_location_id) references warehouse_locations (organization_id, id)
);
create index fulfillment_picks_fulfillment_idx on fulfillment_picks (organization_id, fulfillment_id);
