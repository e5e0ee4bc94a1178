// A location becomes another kind of place: the units that lie there count elsewhere, for everyone who has some there.

import { expireLots } from '../allocation/expire-lots.ts';
import { Levels, lockLevels } from '../allocation/levels.ts';
import { Retry, sql } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import { classOf } from './apply-change.ts';
import { storeStock } from './stock.ts';
import { recordColumns, recordOf } from './stock-queries.ts';

export interface LocationKind {
  type: string;
  pickable: boolean;
}

export interface Reclassification {
  warehouseId: string;
  locationId: string;
  from: LocationKind;
  to: LocationKind;
}

/**
 * Call it before the location's own rows are changed: levels are locked first, then the location, which stays
 * locked. `organizationIds` are those that have a row of it: the stock of each is re-classed.
 */
export async function reclassifyLocation(
  write: Write,
  organizationIds: readonly string[],
  change: Reclassification,
): Promise<void> {
  for (const organizationId of [...organizationIds].sort()) {
    const scope = { ...write.scope, organizationId };
    await reclassifyFor({ ...write, scope }, change);
  }
}

async function reclassifyFor(
  write: Write,
  { warehouseId, locationId, from, to }: Reclassification,
): Promise<void> {
  const { organizationId } = write.scope;
  const present = await write.transaction.query<{ id: string }>(sql`
    select distinct product_variant_id as id from inventory_locations
    where organization_id = ${organizationId} and warehouse_location_id = ${locationId} and quantity > 0`);
  const levels = new Levels();
  await lockLevels(
    write,
    levels,
    present.map(({ id }) => ({ productVariantId: id, warehouseId })),
  );
  await expireLots(write, levels);
  await write.transaction.query(sql`
    select id from warehouse_locations
    where organization_id = ${organizationId} and id = ${locationId} for update`);
  const records = await write.transaction.query<Parameters<typeof recordOf>[0]>(sql`
    select ${recordColumns} from inventory_locations r
    where r.organization_id = ${organizationId} and r.warehouse_location_id = ${locationId} and r.quantity > 0
    order by r.id for update`);
  for (const record of records.map(recordOf)) {
    const level = levels.get(record.productVariantId, warehouseId);
    // Stock of another variant came in before the location was held: begin again with its level.
    if (level === undefined) throw new Retry();
    level[classOf(from, record.expired)] -= record.quantity;
    level[classOf(to, record.expired)] += record.quantity;
  }
  await storeStock(write, levels, [], []);
}
