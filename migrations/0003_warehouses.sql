-- Warehouses and the locations in them.
-- A warehouse that is shared with children has one mirrored row, with the same id, per child, so that every
-- key of a tenant's table can begin with its own organisation.
-- Safe: creates new objects only.

create table warehouses (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  owner_organization_id uuid not null references organizations (id),
  name text not null,
  address_id uuid not null,
  address json,
  priority integer not null default 100,
  is_third_party boolean not null default false,
  shared_with_children boolean not null default false,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id)
);
create index warehouses_created_at_idx on warehouses (organization_id, created_at, id);

create table warehouse_locations (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  name text not null,
  type text not null default 'bin' check (
    type in ('bin', 'shelf', 'pallet', 'floor', 'receiving', 'staging', 'returns', 'quality-control', 'damaged')),
  pickable boolean not null,
  sequence integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint warehouse_locations_name_key unique (organization_id, warehouse_id, name),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id)
);
create index warehouse_locations_created_at_idx on warehouse_locations (organization_id, warehouse_id, created_at, id);

-- What a location was from a moment on; lets past levels be rebuilt after its type or pickable changed.
create table warehouse_location_history (
  organization_id uuid not null,
  id uuid not null,
  warehouse_location_id uuid not null,
  type text not null,
  pickable boolean not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, warehouse_location_id) references warehouse_locations (organization_id, id)
);
create index warehouse_location_history_location_idx
  on warehouse_location_history (organization_id, warehouse_location_id, created_at);
