// The SQL that makes the records of the benchmark's data set, each kind by one function.

const years = 2;
/** The latest orders have not left yet: a part of all, and of few so many that each of their states fills a page. */
const openOf = (orders: number) => Math.max(orders * 0.02, Math.min(orders * 0.1, 600));

/** One organisation's. */
export interface Counts {
  id: string;
  index: number;
  orders: number;
  variants: number;
  customers: number;
}

/** Ids that say when a record was made, as those of the service do, and that can be computed again from its number. */
export const functionsSql = `
  create function pg_temp.made_id(index int, kind int, n bigint, at timestamptz) returns uuid
    language sql immutable return (
      lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
      || '8' || to_hex(index) || lpad(to_hex(n), 14, '0'))::uuid;
  create function pg_temp.ordered_at(n bigint, orders bigint) returns timestamptz
    language sql stable return date_trunc('day', now()) - interval '${years} years' * (1 - n::float8 / orders);
  create function pg_temp.variant_at() returns timestamptz
    language sql stable return date_trunc('day', now()) - interval '${years + 1} years';`;

/** Of an order's shipment; as good as random, as those of carriers are. */
export const trackingCode = (n: string) => `translate(left(md5(${n}::text), 22), 'abcdef', '012345')`;

export function productsSql({ id, index, variants }: Counts): string {
  return `
    insert into products (organization_id, id, name, slug, brand, search_text, created_at, updated_at)
    select '${id}', pg_temp.made_id(${index}, 1, n, pg_temp.variant_at()), 'Product ' || n, 'product-' || n,
      'Brand ' || n % 40, lower('Product ' || n || E'\\nBrand ' || n % 40 || E'\\nSKU-' || n),
      pg_temp.variant_at(), pg_temp.variant_at()
    from generate_series(1, ${variants}) n;
    insert into product_variants (organization_id, id, product_id, title, sku, barcode, price, cost_price, position,
      weight, length, width, height, search_text, created_at, updated_at)
    select '${id}', pg_temp.made_id(${index}, 2, n, pg_temp.variant_at()),
      pg_temp.made_id(${index}, 1, n, pg_temp.variant_at()), 'Default', 'SKU-' || n, (4000000000000 + n)::text,
      round((5 + random() * 95)::numeric, 2), round((2 + random() * 40)::numeric, 2), n,
      round((1 + random() * 60)::numeric, 1), 10, 8, 4,
      lower('SKU-' || n || E'\\nDefault\\n' || (4000000000000 + n) || E'\\nProduct ' || n),
      pg_temp.variant_at(), pg_temp.variant_at()
    from generate_series(1, ${variants}) n;
    insert into product_totals (organization_id, slot, unarchived, archived) values ('${id}', 0, ${variants}, 0)`;
}

/** Two warehouses, a bin per hundred variants, and enough of each variant in both for any number of orders. */
export function stockSql({ id, index, variants }: Counts): string {
  const made = (kind: number, n: string) => `pg_temp.made_id(${index}, ${kind}, ${n}, pg_temp.variant_at())`;
  const at = 'pg_temp.variant_at(), pg_temp.variant_at()';
  const bins = Math.ceil(variants / 100);
  const each = `from generate_series(1, 2) w, generate_series(1, ${variants}) n`;
  const bin = made(4, `w * 10000 + n / 100`);
  const own = `w * ${variants + 1} + n`;
  return `
    insert into warehouses (organization_id, id, owner_organization_id, name, address_id, priority, created_at,
      updated_at)
    select '${id}', ${made(3, 'w')}, '${id}', 'Warehouse ' || w, ${made(3, 'w')}, w * 10, ${at}
    from generate_series(1, 2) w;
    insert into warehouse_locations (organization_id, id, warehouse_id, name, pickable, created_at, updated_at)
    select '${id}', ${made(4, 'w * 10000 + b')}, ${made(3, 'w')}, 'A-' || b, true, ${at}
    from generate_series(1, 2) w, generate_series(0, ${bins}) b;
    insert into warehouse_location_history (organization_id, id, warehouse_location_id, type, pickable, created_at)
    select '${id}', ${made(5, 'w * 10000 + b')}, ${made(4, 'w * 10000 + b')}, 'bin', true, pg_temp.variant_at()
    from generate_series(1, 2) w, generate_series(0, ${bins}) b;
    insert into inventory_levels (organization_id, id, warehouse_id, product_variant_id, on_hand_quantity,
      pickable_quantity, created_at, updated_at)
    select '${id}', ${made(6, own)}, ${made(3, 'w')}, ${made(2, 'n')}, 100000000, 100000000, ${at} ${each};
    insert into inventory_level_totals (organization_id, warehouse_id, slot, levels)
    select '${id}', ${made(3, 'w')}, 0, ${variants} from generate_series(1, 2) w;
    insert into inventory_locations (organization_id, id, warehouse_id, warehouse_location_id, product_variant_id,
      quantity, stocked_at, created_at, updated_at)
    select '${id}', ${made(7, own)}, ${made(3, 'w')}, ${bin}, ${made(2, 'n')}, 100000000, pg_temp.variant_at(), ${at}
    ${each};
    insert into inventory_movements (organization_id, id, warehouse_id, product_variant_id,
      to_warehouse_location_id, quantity, reason, created_at)
    select '${id}', ${made(8, own)}, ${made(3, 'w')}, ${made(2, 'n')}, ${bin}, 100000000, 'adjustment',
      pg_temp.variant_at() ${each}`;
}

export function customersSql({ id, index, customers }: Counts): string {
  return `
    insert into customers (organization_id, id, name, email, phone, created_at, updated_at)
    select '${id}', pg_temp.made_id(${index}, 9, n, pg_temp.variant_at()), 'Customer ' || n,
      'customer' || n || '@example.com', '+1 555 ' || lpad(n::text, 7, '0'), pg_temp.variant_at(),
      pg_temp.variant_at()
    from generate_series(1, ${customers}) n`;
}

/** Orders number `from` to `to`; those that have left came as history and took no stock. */
export function ordersSql(counts: Counts, from: number, to: number): string {
  const { id, index, orders, variants, customers } = counts;
  return `
    drop table if exists bench_orders;
    create temp table bench_orders as
    select n, at, pg_temp.made_id(${index}, 10, n, at) as id, open, not open and n % 5 = 0 as shipped,
      random() as luck,
      1 + floor(random() ^ 2 * ${customers})::int as customer
    from (
      select n, pg_temp.ordered_at(n, ${orders}) as at, n > ${orders - openOf(orders)} as open
      from generate_series(${from}, ${to}) n) made;
    drop table if exists bench_lines;
    create temp table bench_lines as
    select o.n, o.at, o.id as order_id, o.open and o.luck < 0.9 as allocated, not o.open as fulfilled,
      l as position, 1 + floor(random() ^ 2 * ${variants})::int as variant, 1 + floor(random() * 3)::int as quantity
    from bench_orders o, generate_series(0, 2) l;
    insert into orders (organization_id, id, name, alias, price, currency, financial_status, fulfillment_status,
      status_before_hold, order_date, ship_to_address, customer_id, tags, tasks, search_text, ready_to_ship,
      created_at, updated_at)
    select '${id}', o.id, 'SO-' || 1000 + o.n, 'shop-' || o.n, round((20 + o.luck * 180)::numeric, 2), 'usd',
      case when o.luck < 0.92 then 'paid' when o.open then 'pending' else 'refunded' end,
      case when not o.open then 'fulfilled' when o.luck < 0.7 then 'open' when o.luck < 0.9 then 'confirmed'
        when o.luck < 0.95 then 'on-hold' else 'scheduled' end,
      case when o.open and o.luck >= 0.9 and o.luck < 0.95 then 'open' end,
      o.at, '${address}', pg_temp.made_id(${index}, 9, o.customer, pg_temp.variant_at()),
      '[{"id":"0d3f6c52-9c1e-5b0a-8a44-0d1f6e1f7a11","name":"web"}]',
      case when o.open then '${tasks}'::jsonb else '[]' end,
      lower('SO-' || 1000 + o.n || E'\\nshop-' || o.n || E'\\n' || l.skus
        || case when o.shipped then E'\\n' || ${trackingCode('o.n')} else '' end), o.open and o.luck < 0.9, o.at, o.at
    from bench_orders o
    join (select n, string_agg('SKU-' || variant, E'\\n') as skus from bench_lines group by n) l on l.n = o.n;
    insert into order_line_items (organization_id, id, order_id, position, product_variant_id, price, currency,
      quantity, quantity_allocated, quantity_fulfilled, is_bundle, tracks_inventory, requires_shipping, order_date)
    select '${id}', pg_temp.made_id(${index}, 11, l.n * 3 + l.position, l.at), l.order_id, l.position,
      pg_temp.made_id(${index}, 2, l.variant, pg_temp.variant_at()), 19.9, 'usd', l.quantity,
      case when l.allocated then l.quantity else 0 end, case when l.fulfilled then l.quantity else 0 end,
      false, true, true, l.at
    from bench_lines l`;
}

/** What the open orders hold, all of it in the first warehouse; and the number that the next order's name follows. */
export function commitmentsSql({ id, index, orders }: Counts): string {
  const warehouse = `pg_temp.made_id(${index}, 3, 1, pg_temp.variant_at())`;
  const held = `from order_line_items l where l.organization_id = '${id}' and l.quantity_allocated > 0`;
  return `
    insert into order_allocations (organization_id, order_line_item_id, warehouse_id, order_id, quantity)
    select '${id}', l.id, ${warehouse}, l.order_id, l.quantity_allocated ${held};
    insert into order_allocation_changes (organization_id, id, order_id, order_line_item_id, warehouse_id,
      product_variant_id, quantity, reason, created_at)
    select '${id}', l.id, l.order_id, l.id, ${warehouse}, l.product_variant_id, l.quantity_allocated, 'allocated',
      l.order_date ${held};
    update inventory_levels v set committed_quantity = h.quantity
    from (select l.product_variant_id, sum(l.quantity_allocated) as quantity ${held} group by 1) h
    where v.organization_id = '${id}' and v.product_variant_id = h.product_variant_id
      and v.warehouse_id = ${warehouse};
    insert into record_totals (organization_id, kind, day, states, archived, slot, records)
    select '${id}', 'order', coalesce(day, '-infinity'), states, false, 0, count(*)
    from (select (order_date at time zone 'UTC')::date as day, financial_status || ' ' || fulfillment_status as states
      from orders where organization_id = '${id}') o
    group by grouping sets ((day, states), (states));
    insert into name_counters (organization_id, kind, prefix, last_number)
    values ('${id}', 'order', 'SO-', ${1000 + orders})`;
}

export const address = JSON.stringify({
  name: 'Ada Byron',
  company: null,
  street1: '12 Analytical Row',
  street2: null,
  city: 'Springfield',
  state: 'OR',
  postalCode: '97477',
  country: 'US',
  phone: '+1 555 0100',
  email: 'ada@example.com',
  facilityCode: null,
  isResidential: true,
  isVerified: null,
  taxIdentifier: null,
});

const taskAt = '2026-01-02T03:04:05.678Z';
const tasks = JSON.stringify(
  ['pick', 'ship'].map((type, n) => ({
    id: `0198a1b2-c3d4-7e5f-8a6b-00000000000${n}`,
    type,
    completedAt: null,
    createdAt: taskAt,
    updatedAt: taskAt,
  })),
);
