// The job that notices lots whose expiry has come, so that levels say so within a minute.

import { expireLots } from '../allocation/expire-lots.ts';
import { Levels, lockLevels } from '../allocation/levels.ts';
import { systemScope } from '../auth/scope.ts';
import { type Database, sql } from '../database/connect.ts';
import { writeOf } from '../http/write.ts';
import { storeStock } from './stock.ts';

/** Returns the number of levels that it looked at. */
export async function expireDue(database: Database): Promise<number> {
  const due = await database.query<{
    organizationId: string;
    productVariantId: string;
    warehouseId: string;
  }>(sql`
    select organization_id as "organizationId", product_variant_id as "productVariantId",
      warehouse_id as "warehouseId"
    from inventory_levels where next_expiration_date <= ${new Date()} limit 1000`);
  for (const { organizationId, ...pair } of due) {
    await database.transaction(async (transaction) => {
      const write = writeOf(transaction, systemScope(organizationId));
      const levels = new Levels();
      await lockLevels(write, levels, [pair]);
      await expireLots(write, levels);
      await storeStock(write, levels, [], []);
    });
  }
  return due.length;
}
