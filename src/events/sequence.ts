// Numbers committed events, one organisation at a time: an event that commits late gets a later number, so that
// nothing can appear behind a reader.
import { type Database, type Executor, sql, type Transaction, takesNoWrites } from '../database/connect.ts';
import * as limits from '../limits.ts';

/**
 * Gives the organisation's committed events their numbers, by position: an object's later event has the higher one
 * (migrations/0009_webhooks.sql). Returns how many were numbered; none when another process is just doing it, unless
 * `wait` says to wait for that.
 */
export async function sequenceEvents(
  database: Database,
  organizationId: string,
  { wait = false } = {},
): Promise<number> {
  let total = 0;
  for (;;) {
    const numbered = await database.transaction(async (transaction) => {
      const last = await lockCounter(transaction, organizationId, wait);
      return last === undefined ? 0 : numberEvents(transaction, organizationId, last);
    });
    total += numbered;
    if (numbered < limits.sequenceBatch) return total;
  }
}

/** As above, for a reader that wants to see what it has just written. */
export async function sequencePending(database: Database, organizationId: string): Promise<void> {
  const pending = await database.query(sql`
    select 1 from events where organization_id = ${organizationId} and sequence is null limit 1`);
  if (pending.length === 0) return;
  await sequenceEvents(database, organizationId, { wait: true }).catch((error: unknown) => {
    // What has its number already can be read all the same.
    if (!takesNoWrites(error)) throw error;
  });
}

/** Organisations whose events wait for numbers. */
export async function findUnsequenced(database: Executor): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    sql`select distinct organization_id as id from events where sequence is null`,
  );
  return rows.map(({ id }) => id);
}

/** The last number given out, locked: whoever holds it is the sequencer. */
async function lockCounter(
  transaction: Transaction,
  organizationId: string,
  wait: boolean,
): Promise<number | undefined> {
  const select = async () => {
    const [row] = await transaction.query<{ last: number }>(sql`
      select last_sequence as last from event_counters
      where organization_id = ${organizationId} for update ${sql.raw(wait ? '' : 'skip locked')}`);
    return row?.last;
  };
  const last = await select();
  if (last !== undefined) return last;
  transaction.send(sql`
    insert into event_counters (organization_id) values (${organizationId}) on conflict do nothing`);
  return select();
}

/** A statement of its own, so that it sees what was numbered while the lock was waited for. */
async function numberEvents(transaction: Transaction, organizationId: string, last: number): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    with pending as materialized (
      select id, row_number() over (order by position) as number from events
      where organization_id = ${organizationId} and sequence is null
      order by position limit ${limits.sequenceBatch}
    ), numbered as (
      update events e set sequence = ${last}::bigint + p.number
      from pending p where e.organization_id = ${organizationId} and e.id = p.id
      returning 1
    )
    select count(*) from numbered`);
  const { count } = row!;
  if (count > 0) {
    transaction.send(sql`
      update event_counters set last_sequence = ${last + count} where organization_id = ${organizationId}`);
  }
  return count;
}
