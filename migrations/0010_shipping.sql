-- Carrier accounts and their rate cards, quotes, shipments, labels, trackers, manifests.
-- Safe: creates new objects, and adds nullable columns only.

-- A shared account has a row for each child, under the same id; credentials and rate cards are the owner's alone.
create table carrier_accounts (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  owner_organization_id uuid not null references organizations (id),
  kind text not null check (kind in ('rate-card', 'easypost', 'simulated')),
  carrier_code text not null,
  description text not null,
  enabled boolean not null default true,
  shared_with_children boolean not null default false,
  settings jsonb not null default '{}',
  -- encrypted; on the owner's row only
  credentials bytea,
  -- the same on every row
  has_credentials boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint carrier_accounts_credentials_are_owners check (
    credentials is null or (has_credentials and organization_id = owner_organization_id))
);
create index carrier_accounts_created_at_idx on carrier_accounts (organization_id, created_at, id);

-- Prices are dated: the newest card that is in force on the shipping date is the one that counts.
create table rate_cards (
  organization_id uuid not null,
  id uuid not null,
  carrier_account_id uuid not null,
  name text not null,
  effective_from date not null,
  card json not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint rate_cards_effective_from_key unique (organization_id, carrier_account_id, effective_from),
  foreign key (organization_id, carrier_account_id) references carrier_accounts (organization_id, id)
);

-- The last serial number that an account's tracking numbers have used; the owner's row.
create table tracking_serials (
  organization_id uuid not null,
  carrier_account_id uuid not null,
  last_serial bigint not null,
  primary key (organization_id, carrier_account_id),
  foreign key (organization_id, carrier_account_id) references carrier_accounts (organization_id, id)
);

create table shipping_quotes (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  order_id uuid,
  ship_to_address json not null,
  ship_from_address json not null,
  return_address json,
  shipping_date timestamptz(3) not null,
  -- [{id, weight, weightUnit, dimensions, dimensionsUnit, packaging}]
  packages json not null,
  customs_input json,
  insurance_request json,
  -- texts
  messages json not null default '[]',
  expires_at timestamptz(3) not null,
  -- set while a shipment of it is not failed: a quote is bought once
  shipment_id uuid,
  metadata jsonb not null default '{}',
  -- lower case: name, company, city and postal code of where it goes, one a line
  search_text text not null default '',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
create index shipping_quotes_created_at_idx on shipping_quotes (organization_id, created_at, id) include (shipment_id);
create index shipping_quotes_bought_idx on shipping_quotes (organization_id, created_at, id)
  where shipment_id is not null;
create index shipping_quotes_search_idx on shipping_quotes using gin (organization_id, search_text gin_trgm_ops);
create index shipping_quotes_order_idx on shipping_quotes (organization_id, order_id) where order_id is not null;

create table shipping_rates (
  organization_id uuid not null,
  id uuid not null,
  shipping_quote_id uuid not null,
  carrier_account_id uuid not null,
  position integer not null,
  service_code text not null,
  service_name text not null,
  rate_total numeric(15, 4) not null,
  rate_surcharges numeric(15, 4) not null,
  compare_at_rate numeric(15, 4),
  currency text not null,
  est_delivery_days integer,
  est_delivery_date timestamptz(3),
  delivery_date_guaranteed boolean not null,
  message text,
  carrier_reference text,
  primary key (organization_id, id),
  foreign key (organization_id, shipping_quote_id) references shipping_quotes (organization_id, id),
  foreign key (organization_id, carrier_account_id) references carrier_accounts (organization_id, id)
);
create index shipping_rates_quote_idx on shipping_rates (organization_id, shipping_quote_id, position);

create table manifests (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  carrier_account_id uuid not null,
  shipment_count integer not null check (shipment_count > 0),
  -- what the barcode says; the carrier's own where it closed the day itself
  acceptance_code text not null,
  carrier_reference text,
  -- null where Waybill draws it
  document bytea,
  status text not null check (status in ('pending', 'closed', 'failed')),
  failure json,
  claimed_until timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, carrier_account_id) references carrier_accounts (organization_id, id)
);
create index manifests_created_at_idx on manifests (organization_id, created_at, id);
create index manifests_pending_idx on manifests (claimed_until) where status = 'pending';

create table shipments (
  organization_id uuid not null references organizations (id),
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
  -- of the request that made it: a repeat with the same body is the same shipment
  fingerprint bytea not null,
  return_address json not null,
  metadata jsonb not null default '{}',
  label_format text not null check (label_format in ('pdf', 'zpl')),
  zpl_dpi smallint not null check (zpl_dpi in (203, 300)),
  purchase_status text not null check (purchase_status in ('pending', 'purchased', 'failed', 'unknown')),
  -- calls to buy that may have reached the carrier
  purchase_attempts integer not null default 0,
  attempted_at timestamptz(3),
  -- nobody else works on it until then
  claimed_until timestamptz(3),
  -- when the reconciler looks at it next, while the outcome of a purchase or a void is open
  next_attempt_at timestamptz(3),
  -- {code, message, carrierErrorCode, carrierMessage}: why the last attempt did not succeed
  failure json,
  idempotency_key text,
  idempotency_fingerprint bytea,
  carrier_reference text,
  tracking_code text,
  charged_total numeric(15, 4),
  purchased_at timestamptz(3),
  void_status text check (void_status in ('submitted', 'voided')),
  refund_status text check (refund_status in ('submitted', 'refunded', 'rejected')),
  void_requested_at timestamptz(3),
  tracker_status text not null default 'unknown' check (tracker_status in ('unknown', 'pre-transit', 'in-transit',
    'out-for-delivery', 'delivered', 'available-for-pickup', 'return-to-sender', 'failure', 'cancelled', 'error')),
  tracker_status_detail text,
  tracking_url text,
  signed_by text,
  est_delivery_date timestamptz(3),
  -- when a carrier that can be asked is asked again
  next_track_at timestamptz(3),
  -- lower case: every tracking code, one a line
  search_text text not null default '',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, order_id) references orders (organization_id, id),
  foreign key (organization_id, warehouse_id) references warehouses (organization_id, id),
  foreign key (organization_id, fulfillment_id) references fulfillments (organization_id, id),
  foreign key (organization_id, return_order_id) references return_orders (organization_id, id),
  foreign key (organization_id, manifest_id) references manifests (organization_id, id),
  foreign key (organization_id, shipping_quote_id) references shipping_quotes (organization_id, id),
  foreign key (organization_id, shipping_rate_id) references shipping_rates (organization_id, id),
  foreign key (organization_id, carrier_account_id) references carrier_accounts (organization_id, id),
  constraint shipments_open_while_undecided check (
    purchase_status not in ('pending', 'unknown') or next_attempt_at is not null),
  constraint shipments_tracked_when_purchased check (purchase_status <> 'purchased' or tracking_code is not null)
);
create unique index shipments_reference_key on shipments (organization_id, reference)
  where purchase_status <> 'failed' and void_status is distinct from 'voided';
create index shipments_created_at_idx on shipments (organization_id, created_at, id)
  include (carrier_code, tracker_status);
create index shipments_carrier_idx on shipments (organization_id, carrier_code, created_at, id);
create index shipments_tracker_idx on shipments (organization_id, tracker_status, created_at, id);
create index shipments_order_idx on shipments (organization_id, order_id, created_at, id) where order_id is not null;
create index shipments_return_order_idx on shipments (organization_id, return_order_id)
  where return_order_id is not null;
create index shipments_to_close_idx on shipments (organization_id, carrier_account_id, purchased_at, id)
  where purchase_status = 'purchased' and manifest_id is null and void_status is null;
create index shipments_manifest_idx on shipments (organization_id, manifest_id, id) where manifest_id is not null;
create index shipments_tracking_code_idx on shipments (organization_id, tracking_code) where tracking_code is not null;
create index shipments_search_idx on shipments using gin (organization_id, search_text gin_trgm_ops);
create index shipments_undecided_idx on shipments (next_attempt_at) where next_attempt_at is not null;
create index shipments_to_track_idx on shipments (next_track_at) where next_track_at is not null;

create table shipment_packages (
  organization_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  position integer not null,
  weight numeric not null,
  weight_unit text not null,
  dimensions json,
  dimensions_unit text not null,
  -- [{lineItemId, quantity, picks}]
  line_items json not null default '[]',
  tracking_code text,
  -- what Waybill draws the label from
  label_content json,
  -- the carrier's own label
  label bytea,
  labelled_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, shipment_id) references shipments (organization_id, id)
);
create index shipment_packages_shipment_idx on shipment_packages (organization_id, shipment_id, position);

create table tracking_events (
  organization_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  status text not null,
  message text,
  source text,
  occurred_at timestamptz(3) not null,
  -- {city, state, postalCode, country}
  location json,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, shipment_id) references shipments (organization_id, id)
);
-- A scan that is told twice is one scan.
create unique index tracking_events_once_key on tracking_events
  (organization_id, shipment_id, occurred_at, status, coalesce(message, ''));

-- The memory of the simulated carriers: theirs, not ours, so that what they sold survives whatever happens to us.
create table simulated_labels (
  organization_id uuid not null,
  carrier_account_id uuid not null,
  id uuid not null,
  reference uuid not null,
  -- one for each parcel
  tracking_codes text[] not null,
  charged numeric(15, 4) not null,
  bought_at timestamptz(3) not null,
  voided_at timestamptz(3),
  primary key (organization_id, id)
);
create index simulated_labels_reference_idx on simulated_labels (organization_id, reference);

-- A return's label is bought after the return was opened; what it asked for, and why it could not be had.
alter table return_orders add column label_wanted_at timestamptz(3);
alter table return_orders add column label_failure text;
create index return_orders_label_wanted_idx on return_orders (label_wanted_at) where label_wanted_at is not null;
