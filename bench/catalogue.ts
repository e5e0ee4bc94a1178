// Records that the requests of a run may name, of the organisation that is measured.
import type pg from 'pg';

export interface Catalogue {
  /** Most ordered first. */
  skus: string[];
  customerIds: string[];
  /** What only a data set of the benchmark's own has. */
  own?: {
    orders: number;
    /** Spread over the whole time. */
    orderIds: string[];
    productIds: string[];
    warehouseId: string;
    /** Its bins: each holds the next hundred variants. */
    locationIds: string[];
    /** Of one order in the middle, for searches. */
    orderName: string;
    trackingCode: string;
    /** Ordered as seldom at every size. */
    rareSku: string;
    /** A cursor of `GET /orders` behind `deepRow` and `deepestRow`. */
    cursors: Record<number, string>;
  };
}

export const carrierCode = 'own-vans';

/** A row that every size but the test's has, and one that the large sizes have. */
export const deepRow = 9_000;
export const deepestRow = 100_000;

const idSamples = 1_000;

/** Needs the functions with which the data set was made. */
export async function readCatalogue(client: pg.Client, organizationId: string): Promise<Catalogue> {
  const read = async (text: string): Promise<string[]> => {
    const { rows } = await client.query<{ value: string }>(text, [organizationId]);
    return rows.map(({ value }) => value);
  };
  const some = (table: string, what: string, order: string, most = 20_000) =>
    read(`select ${what} as value from ${table} where organization_id = $1 order by ${order} limit ${most}`);
  const [size] = await read('select count(*)::text as value from orders where organization_id = $1');
  const orders = Number(size);
  const middle = `select n / 10 * 5 from (values (${orders})) o (n)`;
  const [orderName] = await read(`select name as value from orders where organization_id = $1
    and name = 'SO-' || 1000 + (${middle})`);
  const [trackingCode] = await read(`select tracking_code as value from shipments where organization_id = $1
    order by created_at offset ${Math.floor(orders / 20)} limit 1`);
  const [rareSku] = await some('product_variants', 'sku', 'position desc', 1);
  return {
    skus: await some('product_variants', 'sku', 'position'),
    customerIds: await some('customers', 'id', 'created_at'),
    own: {
      orders,
      orderIds: await read(`select pg_temp.made_id(0, 10, n, pg_temp.ordered_at(n, ${orders})) as value
        from generate_series(1, ${orders}, ${Math.ceil(orders / idSamples)}) n where $1::uuid is not null`),
      productIds: await some('products', 'id', 'id', idSamples),
      warehouseId: (await some('warehouses', 'id', 'priority', 1))[0]!,
      locationIds: await some('warehouse_locations', 'id', 'id', idSamples),
      orderName: orderName!,
      trackingCode: trackingCode!,
      rareSku: rareSku!,
      cursors: {},
    },
  };
}

/** Where the deep pages begin, as the service says it. */
export async function readCursors(
  { own }: Catalogue,
  get: (path: string) => Promise<{ nextCursor: string }>,
): Promise<void> {
  for (const row of [deepRow, deepestRow]) {
    const rows = rowWithin(own!.orders, row);
    own!.cursors[row] = (await get(`/orders?limit=20&page=${rows / 20}`)).nextCursor;
  }
}

/** A multiple of a page of 20 that has rows behind it, whatever the size. */
export function rowWithin(orders: number, row: number): number {
  return Math.min(row, Math.floor((orders * 0.9) / 20) * 20);
}
