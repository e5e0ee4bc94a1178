// How a check of the verification is put together: kept and recomputed figures side by side, by key.
import { type Executor, type Sql, sql } from '../database/connect.ts';

/** A kept figure that is not what it was recomputed as. */
export interface Difference {
  organizationId: string;
  kind: string;
  basis: string;
  productVariantId: string;
  warehouseId: string | null;
  warehouseLocationId: string | null;
  lotNumber: string | null;
  orderLineItemId: string | null;
  purchaseOrderLineItemId: string | null;
  expected: number;
  actual: number;
}

interface Differences {
  count: number;
  /** The first of them. */
  differences: Difference[];
}

export type Check = (database: Executor, organizationId: string, limit: number) => Promise<Differences>;

/**
 * Runs a check: `figures` selects key columns, `expected` and `actual`, where both may come from several rows
 * of a key that are added up (so that what only one side knows is compared with nothing).
 */
export async function differencesOf(
  database: Executor,
  organizationId: string,
  figures: Sql<unknown>,
  limit: number,
): Promise<Differences> {
  const rows = await database.query<Difference & { count: number }>(sql`
    select ${organizationId} as "organizationId", f.kind, f.basis, f.product_variant_id as "productVariantId",
      f.warehouse_id as "warehouseId", f.warehouse_location_id as "warehouseLocationId",
      f.lot_number as "lotNumber", f.order_line_item_id as "orderLineItemId",
      f.purchase_order_line_item_id as "purchaseOrderLineItemId",
      sum(f.expected)::bigint as expected, sum(f.actual)::bigint as actual, count(*) over () as count
    from (${figures}) f
    group by f.kind, f.basis, f.product_variant_id, f.warehouse_id, f.warehouse_location_id, f.lot_number,
      f.expiration_date, f.units_of_measure_id, f.order_line_item_id, f.purchase_order_line_item_id
    having sum(f.expected) <> sum(f.actual)
    order by f.product_variant_id, f.warehouse_id, f.kind, f.warehouse_location_id, f.order_line_item_id,
      f.purchase_order_line_item_id
    limit ${limit}`);
  const differences = rows.map(({ count: _count, ...difference }) => ({ ...difference }));
  return { count: rows[0]?.count ?? 0, differences };
}

interface Figure {
  kind: Sql<unknown>;
  basis: Sql<unknown>;
  variant: string;
  warehouse: string;
  expected: Sql<unknown>;
  actual: Sql<unknown>;
  location?: string;
  lot?: string;
  line?: string;
  purchaseLine?: string;
}

const optional = (name: string | undefined, type: string) =>
  name === undefined ? sql`null::${sql.raw(type)}` : sql.ref(name);

/** The columns that every branch of a check selects; `lot` is the alias of a row with a lot's three columns. */
export function figure(columns: Figure): Sql<unknown> {
  const { kind, basis, variant, warehouse, expected, actual, location, lot, line, purchaseLine } = columns;
  const ofLot = (name: string) => (lot === undefined ? undefined : `${lot}.${name}`);
  return sql`${kind} as kind, ${basis} as basis, ${sql.ref(variant)} as product_variant_id,
    ${sql.ref(warehouse)} as warehouse_id, ${optional(location, 'uuid')} as warehouse_location_id,
    ${optional(ofLot('lot_number'), 'text')} as lot_number,
    ${optional(ofLot('expiration_date'), 'timestamptz')} as expiration_date,
    ${optional(ofLot('units_of_measure_id'), 'uuid')} as units_of_measure_id,
    ${optional(line, 'uuid')} as order_line_item_id,
    ${optional(purchaseLine, 'uuid')} as purchase_order_line_item_id,
    (${expected})::bigint as expected, (${actual})::bigint as actual`;
}
