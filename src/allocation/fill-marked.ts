// The job that fills what a transaction left marked: a crash leaves the mark, so nothing is forgotten.

import { systemScope } from '../auth/scope.ts';
import { type Database, sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import { writeOf } from '../http/write.ts';
import { available, Levels, lockVariantLevels, storeLevels } from './levels.ts';
import { fillBackorders } from './settle.ts';

/** Works the marks off, a hundred lines a transaction. Returns how many transactions it took. */
export async function fillMarked(database: Database): Promise<number> {
  const marks = await database.query<{
    organizationId: string;
    productVariantId: string;
    createdAt: Date;
  }>(sql`
    select organization_id as "organizationId", product_variant_id as "productVariantId", created_at as "createdAt"
    from backorder_fills order by created_at limit 100`);
  let transactions = 0;
  for (const mark of marks) {
    let more = true;
    while (more) {
      more = await database.transaction((transaction) =>
        fillOnce(writeOf(transaction, systemScope(mark.organizationId)), mark),
      );
      transactions += 1;
    }
  }
  return transactions;
}

/** One step; the mark goes only when nothing more can be filled and none was made since it was read. */
async function fillOnce(write: Write, mark: { productVariantId: string; createdAt: Date }): Promise<boolean> {
  const { organizationId } = write.scope;
  const beside = await write.transaction.query<{ id: string }>(sql`
    select distinct other.product_variant_id as id
    from bom_line_items own
    join bom_line_items other on other.organization_id = ${organizationId}
      and other.bundle_variant_id = own.bundle_variant_id
    where own.organization_id = ${organizationId} and own.product_variant_id = ${mark.productVariantId}`);
  const levels = new Levels();
  await lockVariantLevels(write, levels, [mark.productVariantId, ...beside.map(({ id }) => id)]);
  const open = levels
    .all()
    .filter((level) => level.productVariantId === mark.productVariantId)
    .filter((level) => available(level) > 0 || level.policy === 'continue');
  const { more, filled } =
    open.length > 0 ? await fillBackorders(write, levels, open) : { more: false, filled: 0 };
  storeLevels(write, levels);
  if (!more) {
    write.transaction.send(sql`
      delete from backorder_fills
      where organization_id = ${organizationId} and product_variant_id = ${mark.productVariantId}
        and created_at <= ${mark.createdAt}`);
  }
  // Where all that was found has changed meanwhile, the mark stays for the next turn.
  return more && filled > 0;
}
