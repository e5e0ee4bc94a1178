-- What came back of a return order, receipt by receipt: how many units, in which condition, to which location.
-- Safe: creates new objects only.

create table return_order_receipts (
  organization_id uuid not null,
  id uuid not null,
  return_order_line_item_id uuid not null,
  quantity integer not null check (quantity > 0),
  disposition text not null check (disposition in ('restock', 'damaged', 'quality-control', 'discard')),
  -- null where discarded units were put nowhere
  warehouse_location_id uuid,
  api_key_id uuid,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  constraint return_order_receipts_location check (warehouse_location_id is not null or disposition = 'discard'),
  foreign key (organization_id, return_order_line_item_id)
    references return_order_line_items (organization_id, id),
  foreign key (organization_id, warehouse_location_id) references warehouse_locations (organization_id, id)
);
create index return_order_receipts_line_item_idx
  on return_order_receipts (organization_id, return_order_line_item_id, created_at);
