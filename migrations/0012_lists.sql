-- The other lists, each in the order of an index under its filters: see 0011.
-- Safe: indexes only; no row is rewritten.

-- Levels: by warehouse, of which there are few. Figures that are 0 on nearly all levels are kept of the others alone: an
-- order writes none of them.
drop index inventory_levels_warehouse_id_idx;
create index inventory_levels_part_id_idx on inventory_levels (organization_id, warehouse_id, id);
create index inventory_levels_available_idx on inventory_levels (organization_id, warehouse_id, available_quantity, id);
create index inventory_levels_on_hand_idx on inventory_levels (organization_id, warehouse_id, on_hand_quantity, id);
create index inventory_levels_committed_idx on inventory_levels (organization_id, warehouse_id, committed_quantity, id);
create index inventory_levels_created_at_idx on inventory_levels (organization_id, warehouse_id, created_at, id);
create index inventory_levels_updated_at_idx on inventory_levels (organization_id, warehouse_id, updated_at, id);
create index inventory_levels_reserved_idx on inventory_levels (organization_id, warehouse_id, reserved_quantity, id)
  where reserved_quantity <> 0;
create index inventory_levels_incoming_idx on inventory_levels (organization_id, warehouse_id, incoming_quantity, id)
  where incoming_quantity <> 0;
create index inventory_levels_damaged_idx on inventory_levels (organization_id, warehouse_id, damaged_quantity, id)
  where damaged_quantity <> 0;
create index inventory_levels_quality_control_idx on inventory_levels
  (organization_id, warehouse_id, quality_control_quantity, id) where quality_control_quantity <> 0;
create index inventory_levels_safety_stock_idx on inventory_levels
  (organization_id, warehouse_id, safety_stock_quantity, id) where safety_stock_quantity <> 0;

-- Shipments: by carrier, purchase and tracking.
drop index shipments_carrier_idx;
drop index shipments_tracker_idx;
create index shipments_part_created_at_idx on shipments
  (organization_id, carrier_code, purchase_status, tracker_status, created_at, id);
create index shipments_part_updated_at_idx on shipments
  (organization_id, carrier_code, purchase_status, tracker_status, updated_at, id);

-- Quotes: bought or not.
drop index shipping_quotes_bought_idx;
create index shipping_quotes_part_created_at_idx on shipping_quotes
  (organization_id, (shipment_id is not null), created_at, id);
create index shipping_quotes_part_updated_at_idx on shipping_quotes
  (organization_id, (shipment_id is not null), updated_at, id);
create index shipping_quotes_part_shipping_date_idx on shipping_quotes
  (organization_id, (shipment_id is not null), shipping_date, id);

-- Purchase orders: by warehouse and status; of one supplier, of whom there are many, likewise.
drop index purchase_orders_created_at_idx;
drop index purchase_orders_supplier_idx;
drop index purchase_orders_warehouse_idx;
create index purchase_orders_created_at_idx on purchase_orders (organization_id, created_at, id)
  where archived_at is null;
create index purchase_orders_part_id_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), id);
create index purchase_orders_part_created_at_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), created_at, id);
create index purchase_orders_part_updated_at_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), updated_at, id);
create index purchase_orders_part_name_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), name, id);
create index purchase_orders_part_expected_date_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), expected_date, id);
create index purchase_orders_part_grand_total_idx on purchase_orders
  (organization_id, warehouse_id, status, (archived_at is null), grand_total, id);
create index purchase_orders_supplier_id_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), id);
create index purchase_orders_supplier_created_at_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), created_at, id);
create index purchase_orders_supplier_updated_at_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), updated_at, id);
create index purchase_orders_supplier_name_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), name, id);
create index purchase_orders_supplier_expected_date_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), expected_date, id);
create index purchase_orders_supplier_grand_total_idx on purchase_orders
  (organization_id, supplier_id, warehouse_id, status, (archived_at is null), grand_total, id);

-- Products: archived or not.
drop index products_created_at_idx;
drop index products_name_idx;
drop index products_updated_at_idx;
create index products_created_at_idx on products (organization_id, (archived_at is null), created_at, id);
create index products_updated_at_idx on products (organization_id, (archived_at is null), updated_at, id);
create index products_name_idx on products (organization_id, (archived_at is null), name, id);
create index products_slug_idx on products (organization_id, (archived_at is null), slug, id);
create index products_brand_idx on products (organization_id, (archived_at is null), brand, id);
create index products_vendor_idx on products (organization_id, (archived_at is null), vendor, id);
create index products_manufacturer_idx on products (organization_id, (archived_at is null), manufacturer, id);

-- Return orders: by status.
create index return_orders_part_id_idx on return_orders (organization_id, status, id);
create index return_orders_part_created_at_idx on return_orders (organization_id, status, created_at, id);
create index return_orders_part_updated_at_idx on return_orders (organization_id, status, updated_at, id);
create index return_orders_part_name_idx on return_orders (organization_id, status, name, id);

-- Customers, and what a supplier sells.
create index customers_company_idx on customers (organization_id, company, id);
create index customers_updated_at_idx on customers (organization_id, updated_at, id);
create index supplier_products_created_at_idx on supplier_products (organization_id, supplier_id, created_at, id);
create index supplier_products_updated_at_idx on supplier_products (organization_id, supplier_id, updated_at, id);
create index supplier_products_supplier_sku_idx on supplier_products (organization_id, supplier_id, supplier_sku, id);
create index supplier_products_price_idx on supplier_products (organization_id, supplier_id, price, id);
