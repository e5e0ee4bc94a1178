-- Lists of orders whose cost does not know how many there are, under any status and in any order.
-- Safe: indexes only; no row is rewritten. Writes to orders wait while they are built: docs/operations.md says how long.

-- An order is in one of few parts: by its statuses, whether it is ready, and whether it is archived. Each part is in the
-- order of each of these, and a list is put together from the first rows of its parts.
create index orders_part_id_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), id)
  include (archived_at);
create index orders_part_order_date_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), order_date, id);
create index orders_part_created_at_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), created_at, id);
create index orders_part_updated_at_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), updated_at, id);
create index orders_part_name_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), name, id);
create index orders_part_alias_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), alias, id);
create index orders_part_price_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null), price, id);
create index orders_part_target_delivery_date_idx on orders
  (organization_id, financial_status, fulfillment_status, ready_to_ship, (archived_at is null),
    target_delivery_date, id);

-- The list that is asked for most needs no parts: all that is not archived, by date.
drop index orders_order_date_idx;
create index orders_order_date_idx on orders (organization_id, order_date, id) where archived_at is null;

drop index orders_created_at_idx;
drop index orders_updated_at_idx;
drop index orders_price_idx;
drop index orders_target_delivery_date_idx;
drop index orders_financial_status_idx;
drop index orders_fulfillment_status_idx;
drop index orders_by_financial_status_idx;
drop index orders_by_fulfillment_status_idx;
drop index orders_ready_to_ship_idx;
