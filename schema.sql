-- What the migrations add up to, for reading. Written by `npm run schema`; test/house/schema.test.ts compares.

create extension btree_gin;
create extension pg_trgm;

create sequence event_positions;

CREATE OR REPLACE FUNCTION public.iso(timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char(($1 AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)
;

create table api_keys (
  id uuid not null,
  organization_id uuid not null,
  key_hash bytea not null,
  key_prefix text not null,
  last_four text not null,
  name text not null,
  permissions text[] not null,
  user_id uuid not null,
  user_name text,
  user_email text,
  rate_limit integer,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint api_keys_rate_limit_check CHECK ((rate_limit > 0))
);
CREATE INDEX api_keys_organization_id_idx ON public.api_keys USING btree (organization_id, created_at, id);

create table backorder_fills (
  organization_id uuid not null,
  product_variant_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint backorder_fills_pkey PRIMARY KEY (organization_id, product_variant_id)
);

create table bom_line_items (
  organization_id uuid not null,
  id uuid not null,
  bundle_variant_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null,
  constraint bom_line_items_pkey PRIMARY KEY (organization_id, id),
  constraint bom_line_items_component_key UNIQUE (organization_id, bundle_variant_id, product_variant_id),
  constraint bom_line_items_organization_id_bundle_variant_id_fkey FOREIGN KEY (organization_id, bundle_variant_id) REFERENCES product_variants(organization_id, id),
  constraint bom_line_items_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint bom_line_items_quantity_check CHECK ((quantity > 0))
);
CREATE INDEX bom_line_items_product_variant_id_idx ON public.bom_line_items USING btree (organization_id, product_variant_id);

create table carrier_accounts (
  organization_id uuid not null,
  id uuid not null,
  owner_organization_id uuid not null,
  kind text not null,
  carrier_code text not null,
  description text not null,
  enabled boolean not null default true,
  shared_with_children boolean not null default false,
  settings jsonb not null default '{}'::jsonb,
  credentials bytea,
  has_credentials boolean not null default false,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint carrier_accounts_pkey PRIMARY KEY (organization_id, id),
  constraint carrier_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint carrier_accounts_owner_organization_id_fkey FOREIGN KEY (owner_organization_id) REFERENCES organizations(id),
  constraint carrier_accounts_credentials_are_owners CHECK (((credentials IS NULL) OR (has_credentials AND (organization_id = owner_organization_id)))),
  constraint carrier_accounts_kind_check CHECK ((kind = ANY (ARRAY['rate-card'::text, 'easypost'::text, 'simulated'::text])))
);
CREATE INDEX carrier_accounts_created_at_idx ON public.carrier_accounts USING btree (organization_id, created_at, id);

create table customers (
  organization_id uuid not null,
  id uuid not null,
  name text,
  email text,
  phone text,
  company text,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null generated always as (lower(((((((COALESCE(name, ''::text) || '
'::text) || COALESCE(email, ''::text)) || '
'::text) || COALESCE(phone, ''::text)) || '
'::text) || COALESCE(company, ''::text)))) stored,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint customers_pkey PRIMARY KEY (organization_id, id),
  constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX customers_company_idx ON public.customers USING btree (organization_id, company, id);
CREATE INDEX customers_created_at_idx ON public.customers USING btree (organization_id, created_at, id);
CREATE INDEX customers_email_idx ON public.customers USING btree (organization_id, email, id);
CREATE INDEX customers_name_idx ON public.customers USING btree (organization_id, name, id);
CREATE INDEX customers_search_idx ON public.customers USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX customers_updated_at_idx ON public.customers USING btree (organization_id, updated_at, id);

create table event_counters (
  organization_id uuid not null,
  last_sequence bigint not null default 0,
  oldest_sequence bigint not null default 1,
  constraint event_counters_pkey PRIMARY KEY (organization_id)
);

create table events (
  organization_id uuid not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  sequence bigint,
  data json not null,
  api_key_id uuid,
  created_at timestamp(3) with time zone not null,
  position bigint not null default nextval('event_positions'::regclass),
  constraint events_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX events_object_id_idx ON public.events USING btree (organization_id, object_id, sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX events_sequence_key ON public.events USING btree (organization_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX events_type_idx ON public.events USING btree (organization_id, type, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX events_unsequenced_idx ON public.events USING btree (organization_id, "position") WHERE (sequence IS NULL);

create table fulfillment_line_items (
  organization_id uuid not null,
  id uuid not null,
  fulfillment_id uuid not null,
  order_line_item_id uuid not null,
  warehouse_id uuid,
  quantity integer not null,
  constraint fulfillment_line_items_pkey PRIMARY KEY (organization_id, id),
  constraint fulfillment_line_items_organization_id_fulfillment_id_fkey FOREIGN KEY (organization_id, fulfillment_id) REFERENCES fulfillments(organization_id, id),
  constraint fulfillment_line_items_organization_id_order_line_item_id_fkey FOREIGN KEY (organization_id, order_line_item_id) REFERENCES order_line_items(organization_id, id),
  constraint fulfillment_line_items_quantity_check CHECK ((quantity > 0))
);
CREATE INDEX fulfillment_line_items_fulfillment_idx ON public.fulfillment_line_items USING btree (organization_id, fulfillment_id);

create table fulfillment_picks (
  organization_id uuid not null,
  id uuid not null,
  fulfillment_id uuid not null,
  order_line_item_id uuid not null,
  product_variant_id uuid not null,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  lot_number text,
  expiration_date timestamp(3) with time zone,
  quantity integer not null,
  constraint fulfillment_picks_pkey PRIMARY KEY (organization_id, id),
  constraint fulfillment_picks_organization_id_fulfillment_id_fkey FOREIGN KEY (organization_id, fulfillment_id) REFERENCES fulfillments(organization_id, id),
  constraint fulfillment_picks_organization_id_order_line_item_id_fkey FOREIGN KEY (organization_id, order_line_item_id) REFERENCES order_line_items(organization_id, id),
  constraint fulfillment_picks_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint fulfillment_picks_organization_id_warehouse_location_id_fkey FOREIGN KEY (organization_id, warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint fulfillment_picks_quantity_check CHECK ((quantity > 0))
);
CREATE INDEX fulfillment_picks_fulfillment_idx ON public.fulfillment_picks USING btree (organization_id, fulfillment_id);

create table fulfillments (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  warehouse_id uuid,
  tracking_code text,
  carrier_code text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  cancelled_at timestamp(3) with time zone,
  constraint fulfillments_pkey PRIMARY KEY (organization_id, id),
  constraint fulfillments_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint fulfillments_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id)
);
CREATE INDEX fulfillments_order_id_idx ON public.fulfillments USING btree (organization_id, order_id, created_at, id);

create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  etag text,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (organization_id, key)
);
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);

create table incoming_changes (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  purchase_order_line_item_id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null,
  created_at timestamp(3) with time zone not null,
  constraint incoming_changes_pkey PRIMARY KEY (organization_id, id),
  constraint incoming_changes_quantity_check CHECK ((quantity <> 0))
);
CREATE INDEX incoming_changes_level_idx ON public.incoming_changes USING btree (organization_id, product_variant_id, warehouse_id, created_at);

create table inventory_level_settings (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  safety_stock_quantity integer not null,
  created_at timestamp(3) with time zone not null,
  constraint inventory_level_settings_pkey PRIMARY KEY (organization_id, id),
  constraint inventory_level_settings_organization_id_product_variant_i_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint inventory_level_settings_safety_stock_quantity_check CHECK ((safety_stock_quantity >= 0))
);
CREATE INDEX inventory_level_settings_level_idx ON public.inventory_level_settings USING btree (organization_id, product_variant_id, warehouse_id, created_at);

create table inventory_level_totals (
  organization_id uuid not null,
  warehouse_id uuid not null,
  slot smallint not null,
  levels bigint not null,
  constraint inventory_level_totals_pkey PRIMARY KEY (organization_id, warehouse_id, slot),
  constraint inventory_level_totals_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id)
);

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
  available_quantity integer not null generated always as (((pickable_quantity - committed_quantity) - safety_stock_quantity)) stored,
  next_expiration_date timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint inventory_levels_pkey PRIMARY KEY (organization_id, id),
  constraint inventory_levels_variant_warehouse_key UNIQUE (organization_id, product_variant_id, warehouse_id),
  constraint inventory_levels_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint inventory_levels_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint inventory_levels_on_hand_is_the_sum CHECK ((on_hand_quantity = (((pickable_quantity + reserved_quantity) + damaged_quantity) + quality_control_quantity))),
  constraint inventory_levels_quantities_not_negative CHECK (((pickable_quantity >= 0) AND (reserved_quantity >= 0) AND (damaged_quantity >= 0) AND (quality_control_quantity >= 0) AND (committed_quantity >= 0) AND (incoming_quantity >= 0) AND (safety_stock_quantity >= 0)))
);
CREATE INDEX inventory_levels_available_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, available_quantity, id);
CREATE INDEX inventory_levels_committed_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, committed_quantity, id);
CREATE INDEX inventory_levels_created_at_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, created_at, id);
CREATE INDEX inventory_levels_damaged_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, damaged_quantity, id) WHERE (damaged_quantity <> 0);
CREATE INDEX inventory_levels_incoming_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, incoming_quantity, id) WHERE (incoming_quantity <> 0);
CREATE INDEX inventory_levels_next_expiration_idx ON public.inventory_levels USING btree (next_expiration_date) WHERE (next_expiration_date IS NOT NULL);
CREATE INDEX inventory_levels_on_hand_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, on_hand_quantity, id);
CREATE INDEX inventory_levels_part_id_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, id);
CREATE INDEX inventory_levels_quality_control_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, quality_control_quantity, id) WHERE (quality_control_quantity <> 0);
CREATE INDEX inventory_levels_reserved_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, reserved_quantity, id) WHERE (reserved_quantity <> 0);
CREATE INDEX inventory_levels_safety_stock_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, safety_stock_quantity, id) WHERE (safety_stock_quantity <> 0);
CREATE INDEX inventory_levels_updated_at_idx ON public.inventory_levels USING btree (organization_id, warehouse_id, updated_at, id);

create table inventory_locations (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  product_variant_id uuid not null,
  lot_number text,
  expiration_date timestamp(3) with time zone,
  units_of_measure_id uuid,
  uom_quantity numeric(15,4),
  quantity integer not null,
  expired boolean not null default false,
  stocked_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint inventory_locations_pkey PRIMARY KEY (organization_id, id),
  constraint inventory_locations_lot_key UNIQUE NULLS NOT DISTINCT (organization_id, product_variant_id, warehouse_location_id, lot_number, expiration_date, units_of_measure_id),
  constraint inventory_locations_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint inventory_locations_organization_id_warehouse_location_id_fkey FOREIGN KEY (organization_id, warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint inventory_locations_quantity_not_negative CHECK ((quantity >= 0))
);
CREATE INDEX inventory_locations_variant_warehouse_idx ON public.inventory_locations USING btree (organization_id, product_variant_id, warehouse_id);
CREATE INDEX inventory_locations_warehouse_location_idx ON public.inventory_locations USING btree (organization_id, warehouse_location_id);

create table inventory_movements (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  from_warehouse_location_id uuid,
  to_warehouse_location_id uuid,
  quantity integer not null,
  lot_number text,
  expiration_date timestamp(3) with time zone,
  units_of_measure_id uuid,
  reason text not null,
  reference_type text,
  reference_id uuid,
  api_key_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint inventory_movements_pkey PRIMARY KEY (organization_id, id),
  constraint inventory_movements_organization_id_from_warehouse_locatio_fkey FOREIGN KEY (organization_id, from_warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint inventory_movements_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint inventory_movements_organization_id_to_warehouse_location__fkey FOREIGN KEY (organization_id, to_warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint inventory_movements_direction CHECK ((((from_warehouse_location_id IS NOT NULL) AND (to_warehouse_location_id IS NOT NULL) AND (quantity > 0)) OR ((from_warehouse_location_id IS NULL) AND (to_warehouse_location_id IS NOT NULL) AND (quantity > 0)) OR ((from_warehouse_location_id IS NOT NULL) AND (to_warehouse_location_id IS NULL) AND (quantity < 0)))),
  constraint inventory_movements_quantity_check CHECK ((quantity <> 0))
);
CREATE INDEX inventory_movements_created_at_idx ON public.inventory_movements USING btree (organization_id, created_at, id);
CREATE INDEX inventory_movements_reference_idx ON public.inventory_movements USING btree (organization_id, reference_id) WHERE (reference_id IS NOT NULL);
CREATE INDEX inventory_movements_variant_idx ON public.inventory_movements USING btree (organization_id, product_variant_id, created_at, id);

create table manifests (
  organization_id uuid not null,
  id uuid not null,
  carrier_account_id uuid not null,
  shipment_count integer not null,
  acceptance_code text not null,
  carrier_reference text,
  document bytea,
  status text not null,
  failure json,
  claimed_until timestamp(3) with time zone,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint manifests_pkey PRIMARY KEY (organization_id, id),
  constraint manifests_organization_id_carrier_account_id_fkey FOREIGN KEY (organization_id, carrier_account_id) REFERENCES carrier_accounts(organization_id, id),
  constraint manifests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint manifests_shipment_count_check CHECK ((shipment_count > 0)),
  constraint manifests_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'closed'::text, 'failed'::text])))
);
CREATE INDEX manifests_created_at_idx ON public.manifests USING btree (organization_id, created_at, id);
CREATE INDEX manifests_pending_idx ON public.manifests USING btree (claimed_until) WHERE (status = 'pending'::text);

create table name_counters (
  organization_id uuid not null,
  kind text not null,
  prefix text not null,
  last_number bigint not null,
  constraint name_counters_pkey PRIMARY KEY (organization_id, kind, prefix)
);

create table order_allocation_changes (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  order_line_item_id uuid not null,
  warehouse_id uuid not null,
  product_variant_id uuid not null,
  quantity integer not null,
  reason text not null,
  created_at timestamp(3) with time zone not null,
  constraint order_allocation_changes_pkey PRIMARY KEY (organization_id, id),
  constraint order_allocation_changes_quantity_check CHECK ((quantity <> 0))
);
CREATE INDEX order_allocation_changes_level_idx ON public.order_allocation_changes USING btree (organization_id, product_variant_id, warehouse_id, created_at);

create table order_allocations (
  organization_id uuid not null,
  order_line_item_id uuid not null,
  warehouse_id uuid not null,
  order_id uuid not null,
  quantity integer not null,
  constraint order_allocations_pkey PRIMARY KEY (organization_id, order_line_item_id, warehouse_id),
  constraint order_allocations_organization_id_order_line_item_id_fkey FOREIGN KEY (organization_id, order_line_item_id) REFERENCES order_line_items(organization_id, id),
  constraint order_allocations_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint order_allocations_quantity_check CHECK ((quantity >= 0))
);
CREATE INDEX order_allocations_order_id_idx ON public.order_allocations USING btree (organization_id, order_id);

create table order_line_components (
  organization_id uuid not null,
  order_line_item_id uuid not null,
  product_variant_id uuid not null,
  quantity_per_unit integer not null,
  tracks_inventory boolean not null,
  constraint order_line_components_pkey PRIMARY KEY (organization_id, order_line_item_id, product_variant_id),
  constraint order_line_components_organization_id_order_line_item_id_fkey FOREIGN KEY (organization_id, order_line_item_id) REFERENCES order_line_items(organization_id, id),
  constraint order_line_components_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint order_line_components_quantity_per_unit_check CHECK ((quantity_per_unit > 0))
);
CREATE INDEX order_line_components_variant_idx ON public.order_line_components USING btree (organization_id, product_variant_id);

create table order_line_items (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  product_variant_id uuid not null,
  price numeric(15,4) not null,
  compare_at_price numeric(15,4),
  currency text not null,
  quantity integer not null,
  quantity_allocated integer not null default 0,
  quantity_backordered integer not null default 0,
  quantity_fulfilled integer not null default 0,
  quantity_cancelled integer not null default 0,
  is_bundle boolean not null,
  tracks_inventory boolean not null,
  requires_shipping boolean not null,
  order_date timestamp(3) with time zone not null,
  constraint order_line_items_pkey PRIMARY KEY (organization_id, id),
  constraint order_line_items_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint order_line_items_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint order_line_items_quantities_fit CHECK (((((quantity_allocated + quantity_backordered) + quantity_fulfilled) + quantity_cancelled) <= quantity)),
  constraint order_line_items_quantity_allocated_check CHECK ((quantity_allocated >= 0)),
  constraint order_line_items_quantity_backordered_check CHECK ((quantity_backordered >= 0)),
  constraint order_line_items_quantity_cancelled_check CHECK ((quantity_cancelled >= 0)),
  constraint order_line_items_quantity_check CHECK ((quantity > 0)),
  constraint order_line_items_quantity_fulfilled_check CHECK ((quantity_fulfilled >= 0))
);
CREATE INDEX order_line_items_backordered_idx ON public.order_line_items USING btree (organization_id, product_variant_id, order_date, order_id) WHERE (quantity_backordered > 0);
CREATE INDEX order_line_items_open_bundles_idx ON public.order_line_items USING btree (organization_id) WHERE (is_bundle AND ((quantity_backordered > 0) OR (quantity_allocated > 0)));
CREATE INDEX order_line_items_open_idx ON public.order_line_items USING btree (organization_id, product_variant_id) WHERE (quantity_allocated > 0);
CREATE INDEX order_line_items_order_id_idx ON public.order_line_items USING btree (organization_id, order_id, "position");

create table orders (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  alias text,
  unique_alias boolean not null default false,
  price numeric(15,4) not null,
  compare_at_price numeric(15,4),
  currency text not null,
  financial_status text not null,
  fulfillment_status text not null,
  status_before_hold text,
  hold_reason text,
  hold_note text,
  order_date timestamp(3) with time zone not null,
  target_delivery_date timestamp(3) with time zone,
  ship_to_address json,
  ship_method json,
  insurance_request json,
  customer_id uuid,
  warehouse_id uuid,
  tags jsonb not null default '[]'::jsonb,
  notes jsonb not null default '[]'::jsonb,
  tasks jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null,
  ready_to_ship boolean not null default false,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  cancel_reason text,
  status_before_fulfillment text,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint orders_name_key UNIQUE (organization_id, name),
  constraint orders_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  constraint orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint orders_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint orders_financial_status_check CHECK ((financial_status = ANY (ARRAY['authorized'::text, 'expired'::text, 'paid'::text, 'partially-paid'::text, 'partially-refunded'::text, 'pending'::text, 'refunded'::text, 'voided'::text]))),
  constraint orders_fulfillment_status_check CHECK ((fulfillment_status = ANY (ARRAY['scheduled'::text, 'open'::text, 'confirmed'::text, 'on-hold'::text, 'partially-fulfilled'::text, 'fulfilled'::text]))),
  constraint orders_status_before_fulfillment_check CHECK ((status_before_fulfillment = ANY (ARRAY['open'::text, 'confirmed'::text])))
);
CREATE INDEX orders_alias_idx ON public.orders USING btree (organization_id, alias, id);
CREATE INDEX orders_customer_id_idx ON public.orders USING btree (organization_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX orders_order_date_idx ON public.orders USING btree (organization_id, order_date, id) WHERE (archived_at IS NULL);
CREATE INDEX orders_part_alias_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), alias, id);
CREATE INDEX orders_part_created_at_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), created_at, id);
CREATE INDEX orders_part_id_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), id) INCLUDE (archived_at);
CREATE INDEX orders_part_name_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), name, id);
CREATE INDEX orders_part_order_date_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), order_date, id);
CREATE INDEX orders_part_price_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), price, id);
CREATE INDEX orders_part_target_delivery_date_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), target_delivery_date, id);
CREATE INDEX orders_part_updated_at_idx ON public.orders USING btree (organization_id, financial_status, fulfillment_status, ready_to_ship, ((archived_at IS NULL)), updated_at, id);
CREATE INDEX orders_pinned_idx ON public.orders USING btree (organization_id, warehouse_id) WHERE ((warehouse_id IS NOT NULL) AND (fulfillment_status <> 'fulfilled'::text) AND (cancelled_at IS NULL));
CREATE INDEX orders_search_idx ON public.orders USING gin (organization_id, search_text gin_trgm_ops);
CREATE UNIQUE INDEX orders_unique_alias_key ON public.orders USING btree (organization_id, alias) WHERE unique_alias;

create table organizations (
  id uuid not null,
  parent_id uuid,
  slug text not null,
  name text not null,
  allocation text not null default 'split'::text,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_slug_key UNIQUE NULLS NOT DISTINCT (parent_id, slug),
  constraint organizations_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES organizations(id),
  constraint organizations_allocation_check CHECK ((allocation = ANY (ARRAY['split'::text, 'whole'::text]))),
  constraint organizations_slug_check CHECK (((slug ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$'::text) AND (length(slug) <= 63)))
);

create table product_totals (
  organization_id uuid not null,
  slot smallint not null,
  unarchived bigint not null,
  archived bigint not null,
  constraint product_totals_pkey PRIMARY KEY (organization_id, slot),
  constraint product_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table product_variants (
  organization_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  title text not null,
  sku text not null,
  sku_aliases text[] not null default '{}'::text[],
  barcode text,
  asin text,
  ean text,
  isbn text,
  upc text,
  price numeric(15,4) not null default 0,
  compare_at_price numeric(15,4),
  wholesale_price numeric(15,4),
  cost_price numeric(15,4),
  currency text not null default 'usd'::text,
  position integer not null default 1,
  taxable boolean not null default true,
  discountable boolean not null default true,
  requires_shipping boolean not null default true,
  tracks_inventory boolean not null default true,
  is_bundle boolean not null default false,
  inventory_policy text not null default 'deny'::text,
  inventory_allocation_strategy text not null default 'FIFO'::text,
  selected_options jsonb not null default '[]'::jsonb,
  image text,
  weight numeric(15,4),
  weight_unit text not null default 'oz'::text,
  length numeric(15,4),
  width numeric(15,4),
  height numeric(15,4),
  dimensions_unit text not null default 'in'::text,
  tariff_code text,
  country_of_origin text,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint product_variants_pkey PRIMARY KEY (organization_id, id),
  constraint product_variants_organization_id_product_id_fkey FOREIGN KEY (organization_id, product_id) REFERENCES products(organization_id, id),
  constraint product_variants_dimensions_unit_check CHECK ((dimensions_unit = ANY (ARRAY['in'::text, 'cm'::text]))),
  constraint product_variants_inventory_allocation_strategy_check CHECK ((inventory_allocation_strategy = ANY (ARRAY['FIFO'::text, 'FEFO'::text, 'LIFO'::text]))),
  constraint product_variants_inventory_policy_check CHECK ((inventory_policy = ANY (ARRAY['deny'::text, 'continue'::text]))),
  constraint product_variants_weight_unit_check CHECK ((weight_unit = ANY (ARRAY['oz'::text, 'lb'::text, 'g'::text, 'kg'::text])))
);
CREATE UNIQUE INDEX product_variants_asin_key ON public.product_variants USING btree (organization_id, asin, (
CASE
    WHEN (archived_at IS NOT NULL) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (asin IS NOT NULL);
CREATE UNIQUE INDEX product_variants_barcode_key ON public.product_variants USING btree (organization_id, barcode, (
CASE
    WHEN (archived_at IS NOT NULL) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (barcode IS NOT NULL);
CREATE UNIQUE INDEX product_variants_ean_key ON public.product_variants USING btree (organization_id, ean, (
CASE
    WHEN (archived_at IS NOT NULL) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (ean IS NOT NULL);
CREATE UNIQUE INDEX product_variants_isbn_key ON public.product_variants USING btree (organization_id, isbn, (
CASE
    WHEN (archived_at IS NOT NULL) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (isbn IS NOT NULL);
CREATE INDEX product_variants_product_id_idx ON public.product_variants USING btree (organization_id, product_id, "position", id);
CREATE INDEX product_variants_search_idx ON public.product_variants USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX product_variants_sku_aliases_idx ON public.product_variants USING gin (organization_id, sku_aliases);
CREATE INDEX product_variants_sku_idx ON public.product_variants USING btree (organization_id, sku, id);
CREATE UNIQUE INDEX product_variants_sku_key ON public.product_variants USING btree (organization_id, sku) WHERE (archived_at IS NULL);
CREATE INDEX product_variants_title_idx ON public.product_variants USING btree (organization_id, title, archived_at NULLS FIRST);
CREATE UNIQUE INDEX product_variants_upc_key ON public.product_variants USING btree (organization_id, upc, (
CASE
    WHEN (archived_at IS NOT NULL) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT WHERE (upc IS NOT NULL);

create table products (
  organization_id uuid not null,
  id uuid not null,
  is_bundle boolean not null default false,
  name text not null,
  slug text not null,
  description text,
  options jsonb not null default '[]'::jsonb,
  brand text,
  vendor text,
  manufacturer text,
  eccn text,
  image_url text,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint products_pkey PRIMARY KEY (organization_id, id),
  constraint products_slug_key UNIQUE (organization_id, slug),
  constraint products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX products_brand_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), brand, id);
CREATE INDEX products_created_at_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), created_at, id);
CREATE INDEX products_manufacturer_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), manufacturer, id);
CREATE INDEX products_name_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), name, id);
CREATE INDEX products_search_idx ON public.products USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX products_slug_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), slug, id);
CREATE INDEX products_updated_at_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), updated_at, id);
CREATE INDEX products_vendor_idx ON public.products USING btree (organization_id, ((archived_at IS NULL)), vendor, id);

create table purchase_order_line_item_receipts (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_receipt_id uuid not null,
  purchase_order_line_item_id uuid not null,
  quantity integer not null,
  damaged_quantity integer not null default 0,
  quality_control_quantity integer not null default 0,
  warehouse_location_id uuid not null,
  damaged_location_id uuid,
  quality_control_location_id uuid,
  lot_number text,
  expiration_date timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint purchase_order_line_item_receipts_pkey PRIMARY KEY (organization_id, id),
  constraint purchase_order_line_item_rec_organization_id_purchase_ord_fkey1 FOREIGN KEY (organization_id, purchase_order_line_item_id) REFERENCES purchase_order_line_items(organization_id, id),
  constraint purchase_order_line_item_rece_organization_id_damaged_loca_fkey FOREIGN KEY (organization_id, damaged_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint purchase_order_line_item_rece_organization_id_purchase_ord_fkey FOREIGN KEY (organization_id, purchase_order_receipt_id) REFERENCES purchase_order_receipts(organization_id, id),
  constraint purchase_order_line_item_rece_organization_id_quality_cont_fkey FOREIGN KEY (organization_id, quality_control_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint purchase_order_line_item_rece_organization_id_warehouse_lo_fkey FOREIGN KEY (organization_id, warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint purchase_order_line_item_receipts_quantity_check CHECK ((quantity <> 0))
);
CREATE INDEX purchase_order_line_item_receipts_line_idx ON public.purchase_order_line_item_receipts USING btree (organization_id, purchase_order_line_item_id);
CREATE INDEX purchase_order_line_item_receipts_receipt_idx ON public.purchase_order_line_item_receipts USING btree (organization_id, purchase_order_receipt_id);

create table purchase_order_line_items (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  position integer not null,
  product_variant_id uuid not null,
  supplier_product_id uuid,
  requested_quantity integer not null,
  received_quantity integer not null default 0,
  unit_price numeric(15,4) not null,
  tax_rate numeric(9,6) not null default 0,
  subtotal numeric(19,4) not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint purchase_order_line_items_pkey PRIMARY KEY (organization_id, id),
  constraint purchase_order_line_items_organization_id_product_variant__fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint purchase_order_line_items_organization_id_purchase_order_i_fkey FOREIGN KEY (organization_id, purchase_order_id) REFERENCES purchase_orders(organization_id, id),
  constraint purchase_order_line_items_organization_id_supplier_product_fkey FOREIGN KEY (organization_id, supplier_product_id) REFERENCES supplier_products(organization_id, id),
  constraint purchase_order_line_items_received_quantity_check CHECK ((received_quantity >= 0)),
  constraint purchase_order_line_items_requested_quantity_check CHECK ((requested_quantity > 0)),
  constraint purchase_order_line_items_tax_rate_check CHECK ((tax_rate >= (0)::numeric)),
  constraint purchase_order_line_items_unit_price_check CHECK ((unit_price >= (0)::numeric))
);
CREATE INDEX purchase_order_line_items_order_idx ON public.purchase_order_line_items USING btree (organization_id, purchase_order_id, "position");
CREATE INDEX purchase_order_line_items_variant_idx ON public.purchase_order_line_items USING btree (organization_id, product_variant_id);

create table purchase_order_receipts (
  organization_id uuid not null,
  id uuid not null,
  purchase_order_id uuid not null,
  reference text,
  received_by json,
  received_at timestamp(3) with time zone not null,
  constraint purchase_order_receipts_pkey PRIMARY KEY (organization_id, id),
  constraint purchase_order_receipts_organization_id_purchase_order_id_fkey FOREIGN KEY (organization_id, purchase_order_id) REFERENCES purchase_orders(organization_id, id)
);
CREATE INDEX purchase_order_receipts_order_idx ON public.purchase_order_receipts USING btree (organization_id, purchase_order_id, received_at, id);

create table purchase_order_totals (
  organization_id uuid not null,
  supplier_id uuid not null,
  warehouse_id uuid not null,
  status text not null,
  archived boolean not null,
  purchase_orders bigint not null,
  constraint purchase_order_totals_pkey PRIMARY KEY (organization_id, supplier_id, warehouse_id, status, archived),
  constraint purchase_order_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table purchase_orders (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  supplier_id uuid not null,
  warehouse_id uuid not null,
  subtotal numeric(19,4) not null,
  total_tax numeric(19,4) not null,
  grand_total numeric(19,4) not null,
  currency text not null,
  payment_terms text,
  tracking_number text,
  reference_number text,
  shipping_carrier text,
  expected_date timestamp(3) with time zone,
  tags jsonb not null default '[]'::jsonb,
  notes jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  cancelled_at timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  constraint purchase_orders_pkey PRIMARY KEY (organization_id, id),
  constraint purchase_orders_name_key UNIQUE (organization_id, name),
  constraint purchase_orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint purchase_orders_organization_id_supplier_id_fkey FOREIGN KEY (organization_id, supplier_id) REFERENCES suppliers(organization_id, id),
  constraint purchase_orders_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint purchase_orders_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'confirmed'::text, 'partially-received'::text, 'received'::text, 'cancelled'::text])))
);
CREATE INDEX purchase_orders_created_at_idx ON public.purchase_orders USING btree (organization_id, created_at, id) WHERE (archived_at IS NULL);
CREATE INDEX purchase_orders_part_created_at_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), created_at, id);
CREATE INDEX purchase_orders_part_expected_date_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), expected_date, id);
CREATE INDEX purchase_orders_part_grand_total_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), grand_total, id);
CREATE INDEX purchase_orders_part_id_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), id);
CREATE INDEX purchase_orders_part_name_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), name, id);
CREATE INDEX purchase_orders_part_updated_at_idx ON public.purchase_orders USING btree (organization_id, warehouse_id, status, ((archived_at IS NULL)), updated_at, id);
CREATE INDEX purchase_orders_search_idx ON public.purchase_orders USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX purchase_orders_supplier_created_at_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), created_at, id);
CREATE INDEX purchase_orders_supplier_expected_date_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), expected_date, id);
CREATE INDEX purchase_orders_supplier_grand_total_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), grand_total, id);
CREATE INDEX purchase_orders_supplier_id_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), id);
CREATE INDEX purchase_orders_supplier_name_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), name, id);
CREATE INDEX purchase_orders_supplier_updated_at_idx ON public.purchase_orders USING btree (organization_id, supplier_id, warehouse_id, status, ((archived_at IS NULL)), updated_at, id);

create table rate_cards (
  organization_id uuid not null,
  id uuid not null,
  carrier_account_id uuid not null,
  name text not null,
  effective_from date not null,
  card json not null,
  created_at timestamp(3) with time zone not null,
  constraint rate_cards_pkey PRIMARY KEY (organization_id, id),
  constraint rate_cards_effective_from_key UNIQUE (organization_id, carrier_account_id, effective_from),
  constraint rate_cards_organization_id_carrier_account_id_fkey FOREIGN KEY (organization_id, carrier_account_id) REFERENCES carrier_accounts(organization_id, id)
);

create table record_totals (
  organization_id uuid not null,
  kind text not null,
  day date not null,
  states text not null,
  archived boolean not null,
  slot smallint not null,
  records bigint not null,
  constraint record_totals_pkey PRIMARY KEY (organization_id, kind, day, states, archived, slot),
  constraint record_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table return_order_line_items (
  organization_id uuid not null,
  id uuid not null,
  return_order_id uuid not null,
  position integer not null,
  order_line_item_id uuid,
  product_variant_id uuid not null,
  quantity integer not null,
  quantity_received integer not null default 0,
  constraint return_order_line_items_pkey PRIMARY KEY (organization_id, id),
  constraint return_order_line_items_organization_id_order_line_item_id_fkey FOREIGN KEY (organization_id, order_line_item_id) REFERENCES order_line_items(organization_id, id),
  constraint return_order_line_items_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint return_order_line_items_organization_id_return_order_id_fkey FOREIGN KEY (organization_id, return_order_id) REFERENCES return_orders(organization_id, id),
  constraint return_order_line_items_quantity_check CHECK ((quantity > 0)),
  constraint return_order_line_items_received_fits CHECK (((quantity_received >= 0) AND (quantity_received <= quantity)))
);
CREATE INDEX return_order_line_items_return_order_idx ON public.return_order_line_items USING btree (organization_id, return_order_id, "position");

create table return_order_receipts (
  organization_id uuid not null,
  id uuid not null,
  return_order_line_item_id uuid not null,
  quantity integer not null,
  disposition text not null,
  warehouse_location_id uuid,
  api_key_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint return_order_receipts_pkey PRIMARY KEY (organization_id, id),
  constraint return_order_receipts_organization_id_return_order_line_it_fkey FOREIGN KEY (organization_id, return_order_line_item_id) REFERENCES return_order_line_items(organization_id, id),
  constraint return_order_receipts_organization_id_warehouse_location_i_fkey FOREIGN KEY (organization_id, warehouse_location_id) REFERENCES warehouse_locations(organization_id, id),
  constraint return_order_receipts_disposition_check CHECK ((disposition = ANY (ARRAY['restock'::text, 'damaged'::text, 'quality-control'::text, 'discard'::text]))),
  constraint return_order_receipts_location CHECK (((warehouse_location_id IS NOT NULL) OR (disposition = 'discard'::text))),
  constraint return_order_receipts_quantity_check CHECK ((quantity > 0))
);
CREATE INDEX return_order_receipts_line_item_idx ON public.return_order_receipts USING btree (organization_id, return_order_line_item_id, created_at);

create table return_orders (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  order_id uuid,
  status text not null,
  reason text,
  label json,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  label_wanted_at timestamp(3) with time zone,
  label_failure text,
  constraint return_orders_pkey PRIMARY KEY (organization_id, id),
  constraint return_orders_name_key UNIQUE (organization_id, name),
  constraint return_orders_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint return_orders_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'in-transit'::text, 'received'::text, 'closed'::text, 'cancelled'::text])))
);
CREATE INDEX return_orders_created_at_idx ON public.return_orders USING btree (organization_id, created_at, id);
CREATE INDEX return_orders_label_wanted_idx ON public.return_orders USING btree (label_wanted_at) WHERE (label_wanted_at IS NOT NULL);
CREATE INDEX return_orders_order_id_idx ON public.return_orders USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX return_orders_part_created_at_idx ON public.return_orders USING btree (organization_id, status, created_at, id);
CREATE INDEX return_orders_part_id_idx ON public.return_orders USING btree (organization_id, status, id);
CREATE INDEX return_orders_part_name_idx ON public.return_orders USING btree (organization_id, status, name, id);
CREATE INDEX return_orders_part_updated_at_idx ON public.return_orders USING btree (organization_id, status, updated_at, id);
CREATE INDEX return_orders_search_idx ON public.return_orders USING gin (organization_id, search_text gin_trgm_ops);

create table schema_migrations (
  name text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table shipment_packages (
  organization_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  position integer not null,
  weight numeric not null,
  weight_unit text not null,
  dimensions json,
  dimensions_unit text not null,
  line_items json not null default '[]'::json,
  tracking_code text,
  label_content json,
  label bytea,
  labelled_at timestamp(3) with time zone,
  constraint shipment_packages_pkey PRIMARY KEY (organization_id, id),
  constraint shipment_packages_organization_id_shipment_id_fkey FOREIGN KEY (organization_id, shipment_id) REFERENCES shipments(organization_id, id)
);
CREATE INDEX shipment_packages_shipment_idx ON public.shipment_packages USING btree (organization_id, shipment_id, "position");

create table shipments (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid,
  warehouse_id uuid,
  fulfillment_id uuid,
  return_order_id uuid,
  manifest_id uuid,
  shipping_quote_id uuid not null,
  shipping_rate_id uuid not null,
  carrier_account_id uuid not null,
  carrier_code text not null,
  reference text,
  fingerprint bytea not null,
  return_address json not null,
  metadata jsonb not null default '{}'::jsonb,
  label_format text not null,
  zpl_dpi smallint not null,
  purchase_status text not null,
  purchase_attempts integer not null default 0,
  attempted_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone,
  failure json,
  idempotency_key text,
  idempotency_fingerprint bytea,
  carrier_reference text,
  tracking_code text,
  charged_total numeric(15,4),
  purchased_at timestamp(3) with time zone,
  void_status text,
  refund_status text,
  void_requested_at timestamp(3) with time zone,
  tracker_status text not null default 'unknown'::text,
  tracker_status_detail text,
  tracking_url text,
  signed_by text,
  est_delivery_date timestamp(3) with time zone,
  next_track_at timestamp(3) with time zone,
  search_text text not null default ''::text,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint shipments_pkey PRIMARY KEY (organization_id, id),
  constraint shipments_organization_id_carrier_account_id_fkey FOREIGN KEY (organization_id, carrier_account_id) REFERENCES carrier_accounts(organization_id, id),
  constraint shipments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint shipments_organization_id_fulfillment_id_fkey FOREIGN KEY (organization_id, fulfillment_id) REFERENCES fulfillments(organization_id, id),
  constraint shipments_organization_id_manifest_id_fkey FOREIGN KEY (organization_id, manifest_id) REFERENCES manifests(organization_id, id),
  constraint shipments_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint shipments_organization_id_return_order_id_fkey FOREIGN KEY (organization_id, return_order_id) REFERENCES return_orders(organization_id, id),
  constraint shipments_organization_id_shipping_quote_id_fkey FOREIGN KEY (organization_id, shipping_quote_id) REFERENCES shipping_quotes(organization_id, id),
  constraint shipments_organization_id_shipping_rate_id_fkey FOREIGN KEY (organization_id, shipping_rate_id) REFERENCES shipping_rates(organization_id, id),
  constraint shipments_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint shipments_label_format_check CHECK ((label_format = ANY (ARRAY['pdf'::text, 'zpl'::text]))),
  constraint shipments_open_while_undecided CHECK (((purchase_status <> ALL (ARRAY['pending'::text, 'unknown'::text])) OR (next_attempt_at IS NOT NULL))),
  constraint shipments_purchase_status_check CHECK ((purchase_status = ANY (ARRAY['pending'::text, 'purchased'::text, 'failed'::text, 'unknown'::text]))),
  constraint shipments_refund_status_check CHECK ((refund_status = ANY (ARRAY['submitted'::text, 'refunded'::text, 'rejected'::text]))),
  constraint shipments_tracked_when_purchased CHECK (((purchase_status <> 'purchased'::text) OR (tracking_code IS NOT NULL))),
  constraint shipments_tracker_status_check CHECK ((tracker_status = ANY (ARRAY['unknown'::text, 'pre-transit'::text, 'in-transit'::text, 'out-for-delivery'::text, 'delivered'::text, 'available-for-pickup'::text, 'return-to-sender'::text, 'failure'::text, 'cancelled'::text, 'error'::text]))),
  constraint shipments_void_status_check CHECK ((void_status = ANY (ARRAY['submitted'::text, 'voided'::text]))),
  constraint shipments_zpl_dpi_check CHECK ((zpl_dpi = ANY (ARRAY[203, 300])))
);
CREATE INDEX shipments_created_at_idx ON public.shipments USING btree (organization_id, created_at, id) INCLUDE (carrier_code, tracker_status);
CREATE INDEX shipments_manifest_idx ON public.shipments USING btree (organization_id, manifest_id, id) WHERE (manifest_id IS NOT NULL);
CREATE INDEX shipments_order_idx ON public.shipments USING btree (organization_id, order_id, created_at, id) WHERE (order_id IS NOT NULL);
CREATE INDEX shipments_part_created_at_idx ON public.shipments USING btree (organization_id, carrier_code, purchase_status, tracker_status, created_at, id);
CREATE INDEX shipments_part_updated_at_idx ON public.shipments USING btree (organization_id, carrier_code, purchase_status, tracker_status, updated_at, id);
CREATE UNIQUE INDEX shipments_reference_key ON public.shipments USING btree (organization_id, reference) WHERE ((purchase_status <> 'failed'::text) AND (void_status IS DISTINCT FROM 'voided'::text));
CREATE INDEX shipments_return_order_idx ON public.shipments USING btree (organization_id, return_order_id) WHERE (return_order_id IS NOT NULL);
CREATE INDEX shipments_search_idx ON public.shipments USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX shipments_to_close_idx ON public.shipments USING btree (organization_id, carrier_account_id, purchased_at, id) WHERE ((purchase_status = 'purchased'::text) AND (manifest_id IS NULL) AND (void_status IS NULL));
CREATE INDEX shipments_to_track_idx ON public.shipments USING btree (next_track_at) WHERE (next_track_at IS NOT NULL);
CREATE INDEX shipments_tracking_code_idx ON public.shipments USING btree (organization_id, tracking_code) WHERE (tracking_code IS NOT NULL);
CREATE INDEX shipments_undecided_idx ON public.shipments USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

create table shipping_quotes (
  organization_id uuid not null,
  id uuid not null,
  order_id uuid,
  ship_to_address json not null,
  ship_from_address json not null,
  return_address json,
  shipping_date timestamp(3) with time zone not null,
  packages json not null,
  customs_input json,
  insurance_request json,
  messages json not null default '[]'::json,
  expires_at timestamp(3) with time zone not null,
  shipment_id uuid,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null default ''::text,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint shipping_quotes_pkey PRIMARY KEY (organization_id, id),
  constraint shipping_quotes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint shipping_quotes_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
CREATE INDEX shipping_quotes_created_at_idx ON public.shipping_quotes USING btree (organization_id, created_at, id) INCLUDE (shipment_id);
CREATE INDEX shipping_quotes_order_idx ON public.shipping_quotes USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX shipping_quotes_part_created_at_idx ON public.shipping_quotes USING btree (organization_id, ((shipment_id IS NOT NULL)), created_at, id);
CREATE INDEX shipping_quotes_part_shipping_date_idx ON public.shipping_quotes USING btree (organization_id, ((shipment_id IS NOT NULL)), shipping_date, id);
CREATE INDEX shipping_quotes_part_updated_at_idx ON public.shipping_quotes USING btree (organization_id, ((shipment_id IS NOT NULL)), updated_at, id);
CREATE INDEX shipping_quotes_search_idx ON public.shipping_quotes USING gin (organization_id, search_text gin_trgm_ops);

create table shipping_rates (
  organization_id uuid not null,
  id uuid not null,
  shipping_quote_id uuid not null,
  carrier_account_id uuid not null,
  position integer not null,
  service_code text not null,
  service_name text not null,
  rate_total numeric(15,4) not null,
  rate_surcharges numeric(15,4) not null,
  compare_at_rate numeric(15,4),
  currency text not null,
  est_delivery_days integer,
  est_delivery_date timestamp(3) with time zone,
  delivery_date_guaranteed boolean not null,
  message text,
  carrier_reference text,
  constraint shipping_rates_pkey PRIMARY KEY (organization_id, id),
  constraint shipping_rates_organization_id_carrier_account_id_fkey FOREIGN KEY (organization_id, carrier_account_id) REFERENCES carrier_accounts(organization_id, id),
  constraint shipping_rates_organization_id_shipping_quote_id_fkey FOREIGN KEY (organization_id, shipping_quote_id) REFERENCES shipping_quotes(organization_id, id)
);
CREATE INDEX shipping_rates_quote_idx ON public.shipping_rates USING btree (organization_id, shipping_quote_id, "position");

create table simulated_labels (
  organization_id uuid not null,
  carrier_account_id uuid not null,
  id uuid not null,
  reference uuid not null,
  tracking_codes text[] not null,
  charged numeric(15,4) not null,
  bought_at timestamp(3) with time zone not null,
  voided_at timestamp(3) with time zone,
  constraint simulated_labels_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX simulated_labels_reference_idx ON public.simulated_labels USING btree (organization_id, reference);

create table supplier_products (
  organization_id uuid not null,
  id uuid not null,
  supplier_id uuid not null,
  product_variant_id uuid not null,
  supplier_sku text,
  price numeric(15,4),
  currency text not null default 'usd'::text,
  pack_size integer not null default 1,
  lead_time_days integer,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint supplier_products_pkey PRIMARY KEY (organization_id, id),
  constraint supplier_products_variant_key UNIQUE (organization_id, supplier_id, product_variant_id),
  constraint supplier_products_organization_id_product_variant_id_fkey FOREIGN KEY (organization_id, product_variant_id) REFERENCES product_variants(organization_id, id),
  constraint supplier_products_organization_id_supplier_id_fkey FOREIGN KEY (organization_id, supplier_id) REFERENCES suppliers(organization_id, id),
  constraint supplier_products_lead_time_days_check CHECK ((lead_time_days >= 0)),
  constraint supplier_products_pack_size_check CHECK ((pack_size > 0))
);
CREATE INDEX supplier_products_created_at_idx ON public.supplier_products USING btree (organization_id, supplier_id, created_at, id);
CREATE INDEX supplier_products_price_idx ON public.supplier_products USING btree (organization_id, supplier_id, price, id);
CREATE INDEX supplier_products_supplier_sku_idx ON public.supplier_products USING btree (organization_id, supplier_id, supplier_sku, id);
CREATE INDEX supplier_products_updated_at_idx ON public.supplier_products USING btree (organization_id, supplier_id, updated_at, id);
CREATE INDEX supplier_products_variant_idx ON public.supplier_products USING btree (organization_id, product_variant_id);

create table suppliers (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  email text,
  phone text,
  currency text not null default 'usd'::text,
  metadata jsonb not null default '{}'::jsonb,
  search_text text not null generated always as (lower(((((name || '
'::text) || COALESCE(email, ''::text)) || '
'::text) || COALESCE(phone, ''::text)))) stored,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint suppliers_pkey PRIMARY KEY (organization_id, id),
  constraint suppliers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX suppliers_created_at_idx ON public.suppliers USING btree (organization_id, created_at, id);
CREATE INDEX suppliers_search_idx ON public.suppliers USING gin (organization_id, search_text gin_trgm_ops);

create table tracking_events (
  organization_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  status text not null,
  message text,
  source text,
  occurred_at timestamp(3) with time zone not null,
  location json,
  created_at timestamp(3) with time zone not null,
  constraint tracking_events_pkey PRIMARY KEY (organization_id, id),
  constraint tracking_events_organization_id_shipment_id_fkey FOREIGN KEY (organization_id, shipment_id) REFERENCES shipments(organization_id, id)
);
CREATE UNIQUE INDEX tracking_events_once_key ON public.tracking_events USING btree (organization_id, shipment_id, occurred_at, status, COALESCE(message, ''::text));

create table tracking_serials (
  organization_id uuid not null,
  carrier_account_id uuid not null,
  last_serial bigint not null,
  constraint tracking_serials_pkey PRIMARY KEY (organization_id, carrier_account_id),
  constraint tracking_serials_organization_id_carrier_account_id_fkey FOREIGN KEY (organization_id, carrier_account_id) REFERENCES carrier_accounts(organization_id, id)
);

create table warehouse_location_history (
  organization_id uuid not null,
  id uuid not null,
  warehouse_location_id uuid not null,
  type text not null,
  pickable boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint warehouse_location_history_pkey PRIMARY KEY (organization_id, id),
  constraint warehouse_location_history_organization_id_warehouse_locat_fkey FOREIGN KEY (organization_id, warehouse_location_id) REFERENCES warehouse_locations(organization_id, id)
);
CREATE INDEX warehouse_location_history_location_idx ON public.warehouse_location_history USING btree (organization_id, warehouse_location_id, created_at);

create table warehouse_locations (
  organization_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  name text not null,
  type text not null default 'bin'::text,
  pickable boolean not null,
  sequence integer not null default 0,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint warehouse_locations_pkey PRIMARY KEY (organization_id, id),
  constraint warehouse_locations_name_key UNIQUE (organization_id, warehouse_id, name),
  constraint warehouse_locations_organization_id_warehouse_id_fkey FOREIGN KEY (organization_id, warehouse_id) REFERENCES warehouses(organization_id, id),
  constraint warehouse_locations_type_check CHECK ((type = ANY (ARRAY['bin'::text, 'shelf'::text, 'pallet'::text, 'floor'::text, 'receiving'::text, 'staging'::text, 'returns'::text, 'quality-control'::text, 'damaged'::text])))
);
CREATE INDEX warehouse_locations_created_at_idx ON public.warehouse_locations USING btree (organization_id, warehouse_id, created_at, id);

create table warehouses (
  organization_id uuid not null,
  id uuid not null,
  owner_organization_id uuid not null,
  name text not null,
  address_id uuid not null,
  address json,
  priority integer not null default 100,
  is_third_party boolean not null default false,
  shared_with_children boolean not null default false,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint warehouses_pkey PRIMARY KEY (organization_id, id),
  constraint warehouses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint warehouses_owner_organization_id_fkey FOREIGN KEY (owner_organization_id) REFERENCES organizations(id)
);
CREATE INDEX warehouses_created_at_idx ON public.warehouses USING btree (organization_id, created_at, id);

create table webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  webhook_endpoint_id uuid not null,
  event_organization_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null default 'pending'::text,
  tries integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  attempts jsonb not null default '[]'::jsonb,
  completed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_deliveries_event_key UNIQUE (organization_id, webhook_endpoint_id, event_id),
  constraint webhook_deliveries_organization_id_webhook_endpoint_id_fkey FOREIGN KEY (organization_id, webhook_endpoint_id) REFERENCES webhook_endpoints(organization_id, id),
  constraint webhook_deliveries_due_while_pending CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX webhook_deliveries_created_at_idx ON public.webhook_deliveries USING btree (organization_id, webhook_endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_due_idx ON public.webhook_deliveries USING btree (organization_id, webhook_endpoint_id, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);

create table webhook_endpoints (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[],
  include_children boolean not null,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamp(3) with time zone,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['request'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_disabled_with_reason CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL)))
);
CREATE INDEX webhook_endpoints_created_at_idx ON public.webhook_endpoints USING btree (organization_id, created_at, id);

create table webhook_positions (
  organization_id uuid not null,
  last_sequence bigint not null default 0,
  constraint webhook_positions_pkey PRIMARY KEY (organization_id)
);
