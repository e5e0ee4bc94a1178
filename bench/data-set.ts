// Fills an empty database with organisations and their records, in SQL and without the service.
import pg from 'pg';
import { hashSecret, makeSecret } from '../src/auth/key.ts';
import { newId } from '../src/database/ids.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { eventsSql } from './data-set-events.ts';
import { purchasingSql } from './data-set-purchasing.ts';
import { carrierAccountSql, shippingSql, shippingTotalsSql } from './data-set-shipping.ts';
import {
  type Counts,
  commitmentsSql,
  customersSql,
  functionsSql,
  ordersSql,
  productsSql,
  stockSql,
} from './data-set-sql.ts';

export interface DataSet {
  /** Of the organisation that holds most. */
  key: string;
  catalogue: Catalogue;
  /** The server's version. */
  postgres: string;
}

/** Part of all orders that each organisation has; the first is the one that is measured. */
const shares = [0.92, 0.04, 0.02, 0.01, 0.01];
const batch = 100_000;

/** Bytes on disk of one order with its lines, indexes and log, by measurement, and of a database without any. */
const bytesPerOrder = 5_500;
const bytesAtLeast = 1_000_000_000;

export function bytesNeeded(orders: number): number {
  return bytesAtLeast + orders * bytesPerOrder;
}

export async function fillDatabase(
  url: string,
  orders: number,
  told: (progress: string) => void,
): Promise<DataSet> {
  const client = new pg.Client({ connectionString: url, application_name: 'waybill-bench-data' });
  await client.connect();
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'`,
    );
    await client.query(functionsSql);
    const organizationIds = shares.map(() => newId());
    const restoreIndexes = orders > batch ? await dropIndexes(client, told) : async () => {};
    for (const [index, share] of shares.entries()) {
      await fillOrganization(client, organizationIds[index]!, index, Math.ceil(orders * share), told);
    }
    await restoreIndexes();
    told('tidying up');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const organizationId = organizationIds[0]!;
    const { rows } = await client.query('show server_version');
    return {
      key: await makeKey(client, organizationId),
      catalogue: await readCatalogue(client, organizationId),
      postgres: rows[0].server_version,
    };
  } finally {
    await client.end();
  }
}

async function makeKey(client: pg.Client, organizationId: string): Promise<string> {
  const secret = makeSecret('live');
  await client.query(
    `insert into api_keys (id, organization_id, key_hash, key_prefix, last_four, name, permissions, user_id,
       user_name, created_at)
     values ($1, $2, $3, 'wb_live_', $4, 'bench', '{all}', $5, 'Bench', now())`,
    [newId(), organizationId, hashSecret(secret), secret.slice(-4), newId()],
  );
  return secret;
}

async function fillOrganization(
  client: pg.Client,
  id: string,
  index: number,
  orders: number,
  told: (progress: string) => void,
): Promise<void> {
  const variants = Math.min(100_000, Math.max(100, Math.ceil(orders / 9)));
  const customers = Math.max(20, Math.ceil(orders / 3));
  const counts: Counts = { id, index, orders, variants, customers };
  await client.query(`set session_replication_role = replica; select setseed(0.${index + 1})`);
  await client.query(`
    insert into organizations (id, slug, name, created_at, updated_at)
    values ('${id}', 'bench-${index}', 'Bench ${index}', now(), now())`);
  await client.query(productsSql(counts));
  await client.query(stockSql(counts));
  await client.query(customersSql(counts));
  await client.query(carrierAccountSql(counts));
  for (let from = 1; from <= orders; from += batch) {
    const to = Math.min(from + batch - 1, orders);
    await client.query(ordersSql(counts, from, to));
    await client.query(shippingSql(counts));
    told(`organisation ${index + 1} of ${shares.length}: ${to} of ${orders} orders`);
  }
  await client.query(commitmentsSql(counts));
  await client.query(shippingTotalsSql(counts));
  await client.query(purchasingSql(counts));
  await client.query(eventsSql(counts));
  await client.query('set session_replication_role = origin');
}

/**
 * Built afterwards and at once, indexes take a fraction of the time. Those over all organisations stay: background work looks
 * by them every second.
 */
async function dropIndexes(
  client: pg.Client,
  told: (progress: string) => void,
): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid = any('{orders, order_line_items, shipping_quotes, shipping_rates, shipments, shipment_packages}'
        ::regclass[])
      and i.indkey[0] = (select attnum from pg_attribute a
        where a.attrelid = i.indrelid and a.attname = 'organization_id')
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    told('building indexes');
    for (const { definition } of rows) await client.query(definition);
  };
}
