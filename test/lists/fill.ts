// Fills an organisation with records of every list that knows its total, with few different values, so that many are alike.
import type pg from 'pg';
import { newId } from '../../src/database/ids.ts';
import type { TestOrganization } from '../support/app.ts';
import { makeVans, quoteBody } from '../support/carriers.ts';
import { make, makeProduct, makeWarehouse, unique } from '../support/factories.ts';

export interface Filled {
  warehouseIds: string[];
  supplierIds: string[];
}

const records = 60;
/** Of record `n`; several have the same. */
const times = `'2026-03-01'::timestamptz + n * 11 % 17 * interval '7 hours'`;
const later = `'2026-03-02'::timestamptz + n * 13 % 19 * interval '1 hour'`;
const archivedAt = `case when n % 7 = 0 then '2026-05-01'::timestamptz end`;
const numbered = 'unnest($2::uuid[]) with ordinality as made (id, n)';
const oneOf = (values: readonly string[], n: string) =>
  `(array['${values.join("', '")}'])[1 + ${n} % ${values.length}]`;

export async function fillLists(pool: pg.Pool, { id, request }: TestOrganization): Promise<Filled> {
  const insert = (text: string) => pool.query(text, [id, Array.from({ length: records }, newId)]);
  const warehouseIds: string[] = [];
  const supplierIds: string[] = [];
  for (const name of ['North', 'South', 'North']) {
    warehouseIds.push((await makeWarehouse(request, { name })).id);
    supplierIds.push((await make(request, '/suppliers', { name })).id);
  }
  await insertProducts(insert);
  await insertLevels(insert, request, warehouseIds);
  await insertPurchaseOrders(insert, warehouseIds, supplierIds);
  await insert(`
    insert into return_orders (organization_id, id, name, status, search_text, created_at, updated_at)
    select $1, id, 'RO-' || n, ${oneOf(['requested', 'in-transit', 'received', 'closed'], 'n * 7')}, 'ro-' || n,
      ${times}, ${later} from ${numbered}`);
  await insertShipments(insert, request);
  return { warehouseIds, supplierIds };
}

type Insert = (text: string) => Promise<unknown>;

async function insertProducts(insert: Insert): Promise<void> {
  const some = (name: string, n: number) => `case when n % ${n} > 0 then '${name} ' || n % ${n + 2} end`;
  await insert(`
    insert into products (organization_id, id, name, slug, brand, vendor, manufacturer, search_text, created_at,
      updated_at, archived_at)
    select $1, id, 'Product ' || n % 9, 'product-' || n, ${some('Brand', 3)}, ${some('Vendor', 4)}, ${some('Maker', 2)},
      'product ' || n, ${times}, ${later}, ${archivedAt} from ${numbered}`);
  await insert(`
    insert into product_totals (organization_id, slot, unarchived, archived)
    select $1, 3, count(*) filter (where archived_at is null), count(archived_at) from products
    where organization_id = $1 and cardinality($2::uuid[]) > 0`);
}

async function insertLevels(
  insert: Insert,
  request: TestOrganization['request'],
  warehouseIds: readonly string[],
): Promise<void> {
  const product = await makeProduct(
    request,
    {},
    Array.from({ length: records / 3 }, () => ({ sku: unique('W-') })),
  );
  const variantIds = product.variants.map((variant: { id: string }) => variant.id);
  await insert(`
    insert into inventory_levels (organization_id, id, warehouse_id, product_variant_id, pickable_quantity,
      reserved_quantity, damaged_quantity, quality_control_quantity, on_hand_quantity, committed_quantity,
      incoming_quantity, safety_stock_quantity, created_at, updated_at)
    select $1, id, ${oneOf(warehouseIds, '(n - 1)')}::uuid, ${oneOf(variantIds, '((n - 1) / 3)')}::uuid, n * 7 % 11,
      case when n % 4 = 0 then n % 3 else 0 end, case when n % 5 = 0 then 2 else 0 end, case when n % 6 = 0 then n else 0 end,
      n * 7 % 11 + case when n % 4 = 0 then n % 3 else 0 end + case when n % 5 = 0 then 2 else 0 end
        + case when n % 6 = 0 then n else 0 end,
      n % 8, n % 2, case when n % 10 = 0 then 5 else 0 end, ${times}, ${later}
    from ${numbered}`);
  await insert(`
    insert into inventory_level_totals (organization_id, warehouse_id, slot, levels)
    select $1, warehouse_id, 3, count(*) from inventory_levels
    where organization_id = $1 and cardinality($2::uuid[]) > 0 group by warehouse_id`);
}

async function insertPurchaseOrders(
  insert: Insert,
  warehouseIds: readonly string[],
  supplierIds: readonly string[],
): Promise<void> {
  await insert(`
    insert into purchase_orders (organization_id, id, name, status, supplier_id, warehouse_id, subtotal, total_tax,
      grand_total, currency, expected_date, search_text, created_at, updated_at, archived_at)
    select $1, id, 'PO-' || n, ${oneOf(['draft', 'open', 'received', 'cancelled'], 'n * 7')},
      ${oneOf(supplierIds, 'n * 5')}::uuid, ${oneOf(warehouseIds, 'n * n')}::uuid, 1, 0, n * 7 % 5, 'usd',
      case when n % 3 > 0 then ${later} end, 'po-' || n, ${times}, ${later}, ${archivedAt}
    from ${numbered}`);
  await insert(`
    insert into purchase_order_totals (organization_id, supplier_id, warehouse_id, status, archived, purchase_orders)
    select $1, supplier_id, warehouse_id, status, archived_at is not null, count(*) from purchase_orders
    where organization_id = $1 and cardinality($2::uuid[]) > 0 group by 2, 3, 4, 5`);
  await insert(
    totals('purchase-order', `status || ' ' || warehouse_id`, 'purchase_orders', 'archived_at is not null'),
  );
}

/** What lists keep of records by day and states. */
const totals = (kind: string, states: string, table: string, archived = 'false') => `
  insert into record_totals (organization_id, kind, day, states, archived, slot, records)
  select $1, '${kind}', coalesce(day, '-infinity'), states, archived, 3, count(*)
  from (select (created_at at time zone 'UTC')::date as day, ${states} as states, ${archived} as archived from ${table}
    where organization_id = $1 and cardinality($2::uuid[]) > 0) r
  group by grouping sets ((day, states, archived), (states, archived))`;

async function insertShipments(insert: Insert, request: TestOrganization['request']): Promise<void> {
  const accounts = [await makeVans(request), await makeVans(request, { carrierCode: 'bikes' })];
  const quote = await make(request, '/shipping-quotes', quoteBody());
  const [rate] = quote.shippingRates;
  const accountIds = accounts.map((account) => account.id);
  await insert(`
    insert into shipping_quotes (organization_id, id, ship_to_address, ship_from_address, shipping_date, packages,
      expires_at, shipment_id, search_text, created_at, updated_at)
    select $1, made.id, q.ship_to_address, q.ship_from_address, '2026-04-01'::timestamptz + n % 5 * interval '1 day',
      q.packages, ${later}, case when n % 3 = 0 then made.id end, 'quote ' || n, ${times}, ${later}
    from shipping_quotes q, ${numbered} where q.organization_id = $1 and q.id = '${quote.id}'`);
  await insert(`
    insert into shipments (organization_id, id, shipping_quote_id, shipping_rate_id, carrier_account_id, carrier_code,
      fingerprint, return_address, label_format, zpl_dpi, purchase_status, tracking_code, tracker_status, search_text,
      created_at, updated_at)
    select $1, id, '${quote.id}', '${rate.id}', ${oneOf(accountIds, 'n')}::uuid, ${oneOf(['vans', 'bikes'], 'n')}, '\\x00',
      '{"name":null,"company":null,"street1":null,"street2":null,"city":null,"state":null,"postalCode":null,"country":null,"phone":null,"email":null}',
      'pdf', 203, ${oneOf(['purchased', 'failed', 'purchased'], 'n * 7')}, 'T-' || n,
      ${oneOf(['in-transit', 'delivered', 'unknown', 'failure'], 'n * n')}, 't-' || n, ${times}, ${later}
    from ${numbered}`);
  await insert(
    totals('shipment', `purchase_status || ' ' || tracker_status || ' ' || carrier_code`, 'shipments'),
  );
  await insert(
    totals(
      'shipping-quote',
      `case when shipment_id is null then 'open' else 'bought' end`,
      // The one that the service made is counted.
      `(select * from shipping_quotes where id <> '${quote.id}') q`,
    ),
  );
}
