// The SQL that makes suppliers and purchase orders for the benchmark's data set.
import { totalsOf } from './data-set-shipping.ts';
import type { Counts } from './data-set-sql.ts';

/** So many that looking one up is worth an index: of a hundred in all, PostgreSQL 15 would read each for every order. */
const suppliers = 200;
/** The latest purchase orders, as a part of all, are still to arrive. */
const openPart = 0.05;

/** One for fifty orders, with three lines; those that have arrived did so as a whole. */
export function purchasingSql({ id, index, orders, variants }: Counts): string {
  const purchases = Math.max(20, Math.ceil(orders / 50));
  const at = 'pg_temp.variant_at()';
  const supplier = (n: string) => `pg_temp.made_id(${index}, 20, ${n}, ${at})`;
  const warehouse = `pg_temp.made_id(${index}, 3, 1, ${at})`;
  const received = `p.status = 'received'`;
  return `
    insert into suppliers (organization_id, id, name, created_at, updated_at)
    select '${id}', ${supplier('n')}, 'Supplier ' || n, ${at}, ${at} from generate_series(1, ${suppliers}) n;
    drop table if exists bench_purchases;
    create temp table bench_purchases as
    select n, at, pg_temp.made_id(${index}, 21, n, at) as id,
      case when n <= ${purchases * (1 - openPart)} then case when n % 20 = 0 then 'cancelled' else 'received' end
        else (array['draft', 'open', 'confirmed'])[1 + n % 3] end as status
    from (select n, pg_temp.ordered_at(n, ${purchases}) as at from generate_series(1, ${purchases}) n) made;
    drop table if exists bench_purchase_lines;
    create temp table bench_purchase_lines as
    select p.n, p.at, p.id as purchase_order_id, p.status, l as position,
      pg_temp.made_id(${index}, 22, p.n * 3 + l, p.at) as id, 1 + floor(random() * ${variants})::int as variant
    from bench_purchases p, generate_series(0, 2) l;
    insert into purchase_orders (organization_id, id, name, status, supplier_id, warehouse_id, subtotal, total_tax,
      grand_total, currency, expected_date, search_text, created_at, updated_at, cancelled_at)
    select '${id}', p.id, 'PO-' || 1000 + p.n, p.status, ${supplier(`1 + p.n % ${suppliers}`)}, ${warehouse}, 300, 0, 300,
      'usd', p.at + interval '14 days', lower('PO-' || 1000 + p.n || E'\\n' || l.skus), p.at, p.at,
      case when p.status = 'cancelled' then p.at end
    from bench_purchases p
    join (select n, string_agg('SKU-' || variant, E'\\n') as skus from bench_purchase_lines group by n) l on l.n = p.n;
    insert into purchase_order_line_items (organization_id, id, purchase_order_id, position, product_variant_id,
      requested_quantity, received_quantity, unit_price, subtotal, created_at, updated_at)
    select '${id}', p.id, p.purchase_order_id, p.position, pg_temp.made_id(${index}, 2, p.variant, ${at}), 10,
      case when ${received} then 10 else 0 end, 10, 100, p.at, p.at
    from bench_purchase_lines p;
    insert into purchase_order_receipts (organization_id, id, purchase_order_id, received_at)
    select '${id}', pg_temp.made_id(${index}, 23, p.n, p.at), p.id, p.at from bench_purchases p where ${received};
    insert into purchase_order_line_item_receipts (organization_id, id, purchase_order_receipt_id,
      purchase_order_line_item_id, quantity, warehouse_location_id, created_at)
    select '${id}', pg_temp.made_id(${index}, 24, p.n * 3 + p.position, p.at), pg_temp.made_id(${index}, 23, p.n, p.at),
      p.id, 10, pg_temp.made_id(${index}, 4, 10000, ${at}), p.at
    from bench_purchase_lines p where ${received};
    insert into incoming_changes (organization_id, id, purchase_order_id, purchase_order_line_item_id, warehouse_id,
      product_variant_id, quantity, created_at)
    select '${id}', pg_temp.made_id(${index}, 25, p.n * 3 + p.position, p.at), p.purchase_order_id, p.id, ${warehouse},
      pg_temp.made_id(${index}, 2, p.variant, ${at}), 10, p.at
    from bench_purchase_lines p where p.status = 'confirmed';
    update inventory_levels v set incoming_quantity = i.quantity
    from (select product_variant_id, sum(quantity) as quantity from incoming_changes
      where organization_id = '${id}' group by 1) i
    where v.organization_id = '${id}' and v.product_variant_id = i.product_variant_id
      and v.warehouse_id = ${warehouse};
    insert into purchase_order_totals (organization_id, supplier_id, warehouse_id, status, archived, purchase_orders)
    select organization_id, supplier_id, warehouse_id, status, false, count(*) from purchase_orders
    where organization_id = '${id}' group by 1, 2, 3, 4;
    ${totalsOf(
      id,
      'purchase-order',
      `select (created_at at time zone 'UTC')::date as day, concat_ws(' ', status, warehouse_id) as states
        from purchase_orders where organization_id = '${id}'`,
    )};
    insert into name_counters (organization_id, kind, prefix, last_number)
    values ('${id}', 'purchase-order', 'PO-', ${1000 + purchases})`;
}
