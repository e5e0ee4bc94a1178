// The children of an organisation: whom its lists can be widened to, and read under lock for what is mirrored to each.
import { type Executor, sql, type Transaction } from './connect.ts';
import type { Organizations } from './tenant.ts';

/** All children; none is added until the transaction ends. */
export async function holdChildren(transaction: Transaction, organizationId: string): Promise<string[]> {
  transaction.send(sql`select id from organizations where id = ${organizationId} for share`);
  // A statement of its own: it must see what was committed while the lock was waited for.
  const rows = await transaction.query<{ id: string }>(
    sql`select id from organizations where parent_id = ${organizationId} order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Lets this transaction alone add a child; whoever mirrors something to the children waits, or is waited for. */
export async function lockForNewChild(
  transaction: Transaction,
  organizationId: string,
): Promise<{ slug: string } | undefined> {
  const [row] = await transaction.query<{ slug: string }>(
    sql`select slug from organizations where id = ${organizationId} for no key update`,
  );
  return row;
}

/**
 * An organisation and its children: whose records its lists show when they are asked to. Without children it is the one
 * alone, in whose statements an index can give a list's order.
 */
export async function findFamily(database: Executor, organizationId: string): Promise<Organizations> {
  const rows = await database.query<{ id: string }>(
    sql`select id from organizations where id = ${organizationId} or parent_id = ${organizationId} order by id`,
  );
  return rows.length > 1 ? rows.map(({ id }) => id) : organizationId;
}
