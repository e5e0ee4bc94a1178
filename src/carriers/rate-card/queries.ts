// SQL of rate cards and of the serial numbers of what is shipped by them; both are rows of the account's owner.
import { type Executor, sql } from '../../database/connect.ts';
import type { CarrierAccount } from '../carrier.ts';
import type { RateCard } from './schema.ts';

type Account = Pick<CarrierAccount, 'id' | 'ownerOrganizationId'>;

/** The newest card that is in force on the day (`2026-11-21`). */
export async function findRateCardId(
  database: Executor,
  account: Account,
  day: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from rate_cards
    where organization_id = ${account.ownerOrganizationId} and carrier_account_id = ${account.id}
      and effective_from <= ${day}::date
    order by effective_from desc limit 1`);
  return row?.id;
}

export async function readRateCardOf(database: Executor, account: Account, id: string): Promise<RateCard> {
  const [row] = await database.query<{ card: RateCard }>(sql`
    select card from rate_cards where organization_id = ${account.ownerOrganizationId} and id = ${id}`);
  return row!.card;
}

/**
 * Takes so many serial numbers, and returns the first; undefined where the range has not so many left. A number is
 * taken once, whoever asks at the same time; one that is then not used is a gap.
 *
 * It is a transaction of its own that need not wait for the disk: whoever uses the number commits it later in the same
 * log, so where a crash loses the taking it has lost the use too, and nobody has seen the number.
 */
export async function takeSerials(
  database: Executor,
  account: Account,
  count: number,
  range: { first: number; last: number },
): Promise<number | undefined> {
  const before = range.first - 1;
  const most = range.last - count;
  if (before > most) return undefined;
  const [row] = await database.query<{ last_serial: number }>(sql`
    with setting as materialized (select set_config('synchronous_commit', 'off', true))
    insert into tracking_serials as t (organization_id, carrier_account_id, last_serial)
    select ${account.ownerOrganizationId}, ${account.id}, ${before + count}::bigint from setting
    on conflict (organization_id, carrier_account_id)
      do update set last_serial = greatest(t.last_serial, ${before}::bigint) + ${count}::bigint
      where greatest(t.last_serial, ${before}::bigint) <= ${most}::bigint
    returning t.last_serial`);
  return row === undefined ? undefined : row.last_serial - count + 1;
}
