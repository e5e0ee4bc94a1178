// Counts the records of every list that keeps its count, and says where the two differ.
import { levelCountFigures } from '../allocation/level-totals.ts';
import { type Executor, type Sql, sql } from '../database/connect.ts';
import { type CountedKind, totalFigures } from '../http/totals.ts';
import * as limits from '../limits.ts';
import { countedOrders } from '../orders/order-count.ts';
import { productFigures } from '../products/queries.ts';
import { countedPurchaseOrders, purchaseOrderFigures } from '../purchase-orders/count-queries.ts';
import { countedShipments } from '../shipments/shipment-count.ts';
import { countedQuotes } from '../shipping-quotes/quote-count.ts';

const recordsOf: Record<CountedKind, (organizationId: string) => Sql<unknown>> = {
  order: countedOrders,
  'purchase-order': countedPurchaseOrders,
  'shipping-quote': countedQuotes,
  shipment: countedShipments,
};

/** A kept count that is not what was counted. */
export interface CountDifference {
  organizationId: string;
  /** Which records: their kind, day and states. */
  counted: string;
  expected: number;
  actual: number;
}

export interface CountVerification {
  checkedCounts: number;
  countDifferences: CountDifference[];
}

/** Each list is one statement, so that it sees one moment however much is being written. */
export async function verifyCounts(
  database: Executor,
  organizationIds: readonly string[],
): Promise<CountVerification> {
  const found: CountVerification = { checkedCounts: 0, countDifferences: [] };
  for (const organizationId of organizationIds) {
    const records = Object.entries(recordsOf) as [CountedKind, (id: string) => Sql<unknown>][];
    for (const figures of [
      ...records.map(([kind, of]) => totalFigures(kind, organizationId, of(organizationId))),
      productFigures(organizationId),
      purchaseOrderFigures(organizationId),
      levelCountFigures(organizationId),
    ]) {
      const { checked, differences } = await compare(database, figures);
      found.checkedCounts += checked;
      found.countDifferences.push(...differences.map((one) => ({ organizationId, ...one })));
    }
  }
  return found;
}

type Comparison = { checked: number; differences: Omit<CountDifference, 'organizationId'>[] };

async function compare(database: Executor, figures: Sql<unknown>): Promise<Comparison> {
  const [row] = await database.query<Comparison>(sql`
    with counts as (
      select f.counted, sum(f.expected)::bigint as expected, sum(f.actual)::bigint as actual
      from (${figures}) f group by f.counted
    )
    select (select count(*) from counts) as checked, coalesce((
      select json_agg(json_build_object('counted', d.counted, 'expected', d.expected, 'actual', d.actual))
      from (
        select * from counts where expected <> actual order by counted limit ${limits.verifyDifferencesMax}
      ) d), '[]') as differences`);
  return row!;
}
