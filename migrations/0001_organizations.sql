-- Organisations, their API keys, stored idempotent answers, events and name counters.
-- Safe: creates new objects only.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The one form in which a time leaves the service: ISO 8601, UTC, milliseconds.
create function iso(timestamptz) returns text
  language sql stable parallel safe
  return to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Reference table: read before the organisation of a request is known.
create table organizations (
  id uuid primary key,
  parent_id uuid references organizations (id),
  slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' and length(slug) <= 63),
  name text not null,
  allocation text not null default 'split' check (allocation in ('split', 'whole')),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint organizations_slug_key unique nulls not distinct (parent_id, slug)
);

-- Reference table: a key is found by its hash, before its organisation is known.
create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  key_hash bytea not null unique,
  key_prefix text not null,
  last_four text not null,
  name text not null,
  permissions text[] not null,
  user_id uuid not null,
  user_name text,
  user_email text,
  rate_limit integer check (rate_limit > 0),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index api_keys_organization_id_idx on api_keys (organization_id, created_at, id);

-- The answer of a write that was made under an Idempotency-Key; committed with the write itself.
create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  etag text,
  created_at timestamptz(3) not null,
  primary key (organization_id, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- Outbox and change feed. sequence stays null until the event is committed and numbered.
create table events (
  organization_id uuid not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  sequence bigint,
  data json not null,
  api_key_id uuid,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index events_sequence_key on events (organization_id, sequence);
create index events_unsequenced_idx on events (organization_id, id) where sequence is null;

-- The last number given out for a name prefix (SO-1001). Gaps are allowed.
create table name_counters (
  organization_id uuid not null,
  kind text not null,
  prefix text not null,
  last_number bigint not null,
  primary key (organization_id, kind, prefix)
);

-- How many records of a kind there are, by day and by the states that lists filter by (separated by spaces):
-- the exact totals of lists, summed over few rows. The day -infinity counts all days. Each connection adds in
-- a slot of its own, so that writers do not wait for each other.
create table record_totals (
  organization_id uuid not null references organizations (id),
  kind text not null,
  day date not null,
  states text not null,
  archived boolean not null,
  slot smallint not null,
  records bigint not null,
  primary key (organization_id, kind, day, states, archived, slot)
) with (fillfactor = 50);
