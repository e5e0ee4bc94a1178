-- The feed's numbers, and webhooks: endpoints and their deliveries.
-- Safe: new objects, and one column of events whose default is taken when an event is written.

-- The order in which events were written. Of two transactions that change one object the second writes its event after the
-- first has committed, so its position is the higher one; nothing else is read from it. On a sharded database it lives
-- on the coordinator, through which every write goes.
create sequence event_positions;
alter table events add column position bigint not null default nextval('event_positions');

drop index events_sequence_key;
create unique index events_sequence_key on events (organization_id, sequence) where sequence is not null;
drop index events_unsequenced_idx;
create index events_unsequenced_idx on events (organization_id, position) where sequence is null;
create index events_type_idx on events (organization_id, type, sequence) where sequence is not null;
create index events_object_id_idx on events (organization_id, object_id, sequence) where sequence is not null;

-- How far an organisation's events are numbered, and from where on they are kept. The row's lock makes the sequencer one.
create table event_counters (
  organization_id uuid primary key,
  last_sequence bigint not null default 0,
  oldest_sequence bigint not null default 1
);

-- How far an organisation's events have been turned into deliveries.
create table webhook_positions (
  organization_id uuid primary key,
  last_sequence bigint not null default 0
);

create table webhook_endpoints (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[],
  include_children boolean not null,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('request', 'gone', 'failing')),
  failing_since timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (organization_id, id),
  constraint webhook_endpoints_disabled_with_reason check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoints_created_at_idx on webhook_endpoints (organization_id, created_at, id);

-- One event on its way to one endpoint. All of it but the attempts follows from events and endpoints.
create table webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  webhook_endpoint_id uuid not null,
  -- A child's, where the endpoint includes children.
  event_organization_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- Tries of the present round; a redelivery begins another.
  tries integer not null default 0,
  -- When it is due; while it is being tried, when it is due again should that process die.
  next_attempt_at timestamptz(3),
  attempts jsonb not null default '[]',
  completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, webhook_endpoint_id) references webhook_endpoints (organization_id, id),
  constraint webhook_deliveries_event_key unique (organization_id, webhook_endpoint_id, event_id),
  constraint webhook_deliveries_due_while_pending check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due_idx on webhook_deliveries (organization_id, webhook_endpoint_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index webhook_deliveries_created_at_idx on webhook_deliveries
  (organization_id, webhook_endpoint_id, created_at, id);
