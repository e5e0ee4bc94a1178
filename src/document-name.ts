// The unique names of orders and of other documents: a prefix and the next number of that prefix.
import { type Executor, sql } from './database/connect.ts';

export type NameKind = 'order' | 'return-order' | 'purchase-order' | 'manifest';

const firstNumber = 1001;

/**
 * Takes the next name of an organisation and prefix, such as `SO-1001`; a name that is then not used is a gap.
 *
 * It is a transaction of its own, made before that of the record, so that creates never wait for each other.
 * It need not wait for the disk either: the record's commit comes later in the same log, so a record that
 * survives a crash has its number's commit before it.
 */
export async function takeName(
  database: Executor,
  organizationId: string,
  kind: NameKind,
  prefix: string,
): Promise<string> {
  const [row] = await database.query<{ last_number: number }>(sql`
    with setting as materialized (select set_config('synchronous_commit', 'off', true))
    insert into name_counters as c (organization_id, kind, prefix, last_number)
    select ${organizationId}, ${kind}, ${prefix}, ${firstNumber}::bigint from setting
    on conflict (organization_id, kind, prefix) do update set last_number = c.last_number + 1
    returning c.last_number`);
  return `${prefix}${row!.last_number}`;
}
