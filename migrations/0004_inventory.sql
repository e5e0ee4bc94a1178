-- Stock: the ledger of units, the balance per location record, the level per warehouse and variant.
-- Safe: creates new objects only.

create table inventory_levels (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  on_hand_quantity integer not null default 0,
  pickable_quantity integer not null default 0,
  reserved_quantity integer not null default 0,
  damaged_quantity integer not null default 0,
  quality_control_quantity integer not null default 0,
  committed_quantity integer not null default 0,
  incoming_quantity integer not null default 0,
  safety_stock_quantity integer not null default 0,
  available_quantity integer not null
    generated always as (pickable_quantity - committed_quantity - safety_stock_quantity) stored,
  -- no later than the first expiry among the pickable lots that still count as such
  next_expiration_date timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint inventory_levels_variant_warehouse_key unique (organization_id, product_variant_id, warehouse_id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id),
  constraint inventory_levels_quantities_not_negative check (
    pickable_quantity >= 0 and reserved_quantity >= 0 and damaged_quantity >= 0
    and quality_control_quantity >= 0 and committed_quantity >= 0 and incoming_quantity >= 0
    and safety_stock_quantity >= 0),
  constraint inventory_levels_on_hand_is_the_sum check (
    on_hand_quantity = pickable_quantity + reserved_quantity + damaged_quantity + quality_control_quantity)
);
create index inventory_levels_warehouse_id_idx on inventory_levels (organization_id, warehouse_id);
create index inventory_levels_next_expiration_idx on inventory_levels (next_expiration_date)
  where next_expiration_date is not null;

-- How many levels there are, in slots as those of record_totals.
create table inventory_level_totals (
  organization_id uuid not null,
  warehouse_id uuid not null,
  slot smallint not null,
  levels bigint not null,
  primary key (organization_id, warehouse_id, slot),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
) with (fillfactor = 50);

-- Units of one variant at one location, by lot, expiry and unit of measure.
create table inventory_locations (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  product_variant_id uuid not null,
  lot_number text,
  expiration_date timestamptz(3),
  units_of_measure_id uuid,
  uom_quantity numeric(15, 4),
  quantity integer not null,
  -- set once the expiry has been taken out of the level's pickable units
  expired boolean not null default false,
  -- when it last went from empty to stocked: what FIFO and LIFO order by
  stocked_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint inventory_locations_lot_key unique nulls not distinct (
    organization_id, product_variant_id, warehouse_location_id, lot_number, expiration_date, units_of_measure_id),
  foreign key (organization_id, warehouse_location_id) references warehouse_locations (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id),
  constraint inventory_locations_quantity_not_negative check (quantity >= 0)
);
create index inventory_locations_variant_warehouse_idx
  on inventory_locations (organization_id, product_variant_id, warehouse_id);
create index inventory_locations_warehouse_location_idx
  on inventory_locations (organization_id, warehouse_location_id);

-- The ledger. Append only. quantity is signed: positive into to_, negative out of from_, positive for a move.
create table inventory_movements (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  from_warehouse_location_id uuid,
  to_warehouse_location_id uuid,
  quantity integer not null check (quantity <> 0),
  lot_number text,
  expiration_date timestamptz(3),
  units_of_measure_id uuid,
  reason text not null,
  reference_type text,
  reference_id uuid,
  api_key_id uuid,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id),
  foreign key (organization_id, from_warehouse_location_id) references warehouse_locations (organization_id, id),
  foreign key (organization_id, to_warehouse_location_id) references warehouse_locations (organization_id, id),
  constraint inventory_movements_direction check (
    (from_warehouse_location_id is not null and to_warehouse_location_id is not null and quantity > 0)
    or (from_warehouse_location_id is null and to_warehouse_location_id is not null and quantity > 0)
    or (from_warehouse_location_id is not null and to_warehouse_location_id is null and quantity < 0))
);
create index inventory_movements_created_at_idx on inventory_movements (organization_id, created_at, id);
create index inventory_movements_variant_idx
  on inventory_movements (organization_id, product_variant_id, created_at, id);
create index inventory_movements_reference_idx on inventory_movements (organization_id, reference_id)
  where reference_id is not null;

-- What a level's safety stock was from a moment on.
create table inventory_level_settings (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  safety_stock_quantity integer not null check (safety_stock_quantity >= 0),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, product_variant_id) references product_variants (organization_id, id)
);
create index inventory_level_settings_level_idx
  on inventory_level_settings (organization_id, product_variant_id, warehouse_id, created_at);

-- Variants whose backorders may be fillable: written in the transaction that left some unfilled, worked off by a job.
create table backorder_fills (
  organization_id uuid not null,
  product_variant_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, product_variant_id)
);
