// The SQL that makes carrier accounts, quotes and shipments for the benchmark's data set.
import { checkRateCard } from '../src/carriers/rate-card/check-card.ts';
import { rateCard } from '../test/support/carriers.ts';
import { carrierCode } from './catalogue.ts';
import { address, type Counts, trackingCode } from './data-set-sql.ts';

const parcel = { weight: 12, weightUnit: 'oz', dimensionsUnit: 'in' };
const dimensions = { length: 8, width: 6, height: 4 };
const packages = JSON.stringify([
  { id: '0198a1b2-c3d4-7e5f-8a6b-0000000000aa', ...parcel, dimensions, packaging: null },
]);
const account = (index: number) => `pg_temp.made_id(${index}, 12, 1, pg_temp.variant_at())`;

export function carrierAccountSql({ id, index }: Counts): string {
  const at = 'pg_temp.variant_at()';
  const checked = checkRateCard(rateCard());
  if (!('card' in checked)) throw new Error(`the rate card is wrong: ${JSON.stringify(checked)}`);
  return `
    insert into carrier_accounts (organization_id, id, owner_organization_id, kind, carrier_code, description,
      created_at, updated_at)
    values ('${id}', ${account(index)}, '${id}', 'rate-card', '${carrierCode}', 'Own vans', ${at}, ${at});
    insert into rate_cards (organization_id, id, carrier_account_id, name, effective_from, card, created_at)
    values ('${id}', pg_temp.made_id(${index}, 13, 1, ${at}), ${account(index)}, 'Vans', '2020-01-01',
      '${JSON.stringify(checked.card)}', ${at})`;
}

/** Every fifth order that has left did so with a shipment; a quote that nobody bought is made for every tenth. */
export function shippingSql({ id, index }: Counts): string {
  const made = (kind: number) => `pg_temp.made_id(${index}, ${kind}, q.n, q.at)`;
  return `
    drop table if exists bench_quotes;
    create temp table bench_quotes as
    select n, at, id as order_id, shipped from bench_orders where not open and (shipped or n % 10 = 1);
    insert into shipping_quotes (organization_id, id, order_id, ship_to_address, ship_from_address, shipping_date,
      packages, expires_at, shipment_id, search_text, created_at, updated_at)
    select '${id}', ${made(14)}, q.order_id, '${address}', '${address}', q.at, '${packages}', q.at + interval '1 day',
      case when q.shipped then ${made(16)} end, E'ada byron\\nspringfield\\n97477', q.at, q.at
    from bench_quotes q;
    insert into shipping_rates (organization_id, id, shipping_quote_id, carrier_account_id, position, service_code,
      service_name, rate_total, rate_surcharges, currency, est_delivery_days, delivery_date_guaranteed)
    select '${id}', ${made(15)}, ${made(14)}, ${account(index)}, 0, 'economy', 'Economy', 5, 0, 'usd', 4, false
    from bench_quotes q;
    insert into shipments (organization_id, id, order_id, shipping_quote_id, shipping_rate_id, carrier_account_id,
      carrier_code, fingerprint, return_address, label_format, zpl_dpi, purchase_status, purchase_attempts,
      tracking_code, charged_total, purchased_at, tracker_status, search_text, created_at, updated_at)
    select '${id}', ${made(16)}, q.order_id, ${made(14)}, ${made(15)}, ${account(index)}, '${carrierCode}', '\\x00',
      '${address}', 'pdf', 203, 'purchased', 1, ${trackingCode('q.n')}, 5, q.at,
      case when q.n % 3 = 0 then 'in-transit' else 'delivered' end, ${trackingCode('q.n')}, q.at, q.at
    from bench_quotes q where q.shipped;
    insert into shipment_packages (organization_id, id, shipment_id, position, weight, weight_unit, dimensions,
      dimensions_unit, tracking_code, labelled_at)
    select '${id}', ${made(17)}, ${made(16)}, 0, 12, 'oz', '${JSON.stringify(dimensions)}', 'in',
      ${trackingCode('q.n')}, q.at
    from bench_quotes q where q.shipped`;
}

export const totalsOf = (id: string, kind: string, records: string) => `
    insert into record_totals (organization_id, kind, day, states, archived, slot, records)
    select '${id}', '${kind}', coalesce(day, '-infinity'), states, false, 0, count(*)
    from (${records}) r group by grouping sets ((day, states), (states))`;

const day = `(created_at at time zone 'UTC')::date as day`;

export function shippingTotalsSql({ id }: Counts): string {
  return [
    totalsOf(
      id,
      'shipping-quote',
      `select ${day}, case when shipment_id is null then 'open' else 'bought' end as states
        from shipping_quotes where organization_id = '${id}'`,
    ),
    totalsOf(
      id,
      'shipment',
      `select ${day}, purchase_status || ' ' || tracker_status || ' ' || carrier_code as states
        from shipments where organization_id = '${id}'`,
    ),
  ].join(';');
}
