// Deletes events that were kept for long enough, oldest first, so that what is kept has no gaps.
import type { Database } from '../database/connect.ts';
import * as limits from '../limits.ts';
import { countExpired, deleteEvents, findExpired, lockOldest } from './queries.ts';

/** Returns how many were deleted. */
export async function purgeEvents(database: Database, retentionDays: number): Promise<number> {
  const before = new Date(Date.now() - retentionDays * 86_400_000);
  let deleted = 0;
  for (const organizationId of await findExpired(database, before)) {
    for (;;) {
      const count = await purgeOnce(database, organizationId, before);
      deleted += count;
      if (count < limits.purgeBatch) break;
    }
  }
  return deleted;
}

function purgeOnce(database: Database, organizationId: string, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const oldest = await lockOldest(transaction, organizationId);
    if (oldest === undefined) return 0;
    const count = await countExpired(transaction, organizationId, oldest, before);
    if (count > 0) await deleteEvents(transaction, organizationId, oldest, oldest + count);
    return count;
  });
}
