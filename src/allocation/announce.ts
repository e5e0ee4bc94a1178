// Events of orders that changed with the stock they wait for or hold.
import { sql } from '../database/connect.ts';
import { appendEvents, type EventType } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import { orderJson } from '../orders/present.ts';

/** Orders as the API shows them, by id. */
export async function readOrders(write: Write, orderIds: readonly string[]): Promise<Map<string, string>> {
  const { organizationId } = write.scope;
  const rows = await write.transaction.query<{ id: string; json: string }>(sql`
    select o.id, ${orderJson(organizationId)}::text as json
    from orders o where o.organization_id = ${organizationId} and o.id = any(${orderIds}::uuid[])`);
  return new Map(rows.map(({ id, json }) => [id, json]));
}

/** One event per order; `previous` is what readOrders gave before the change. */
export async function announceOrders(
  write: Write,
  type: EventType,
  orderIds: readonly string[],
  previous: ReadonlyMap<string, string>,
): Promise<void> {
  const now = await readOrders(write, orderIds);
  appendEvents(
    write,
    [...now].map(([objectId, object]) => {
      const before = previous.get(objectId);
      return { type, objectId, object, ...(before === undefined ? {} : { previous: before }) };
    }),
  );
}
