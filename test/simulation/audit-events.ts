// The auditor on events: every change of an order tells of it, and what the last one says is what the API shows.
import { isDeepStrictEqual } from 'node:util';
import { type Database, sql } from '../../src/database/connect.ts';

interface OrderEvent {
  id: string;
  type: string;
  objectId: string;
  createdAt: Date;
  object: Record<string, unknown>;
  previous: Record<string, unknown> | null;
}

/** The last that was told of each order. */
export type Told = Map<string, OrderEvent['object']>;

/**
 * Reads the order events that were written after `since` and follows them: each transaction's begin where the
 * one before left the order. `told` is brought up to date.
 */
export async function followEvents(
  database: Database,
  organizationIds: readonly string[],
  since: Date,
  told: Told,
): Promise<{ problems: string[]; orderIds: string[] }> {
  const events = await database.query<OrderEvent>(sql`
    select id, type, object_id as "objectId", created_at as "createdAt", data -> 'object' as object,
      data -> 'previous' as previous
    from events
    where organization_id = any(${organizationIds}::uuid[]) and created_at > ${since} and type like 'order.%'
    order by id`);
  const byOrder = Map.groupBy(events, ({ objectId }) => objectId);
  const problems: string[] = [];
  for (const [orderId, own] of byOrder) {
    for (const together of groupsOf(own)) {
      problems.push(...groupProblems(together, told.get(orderId)));
      told.set(orderId, together.at(-1)!.object);
    }
  }
  return { problems, orderIds: [...byOrder.keys()] };
}

/** One transaction may tell of an order more than once; all of that has the transaction's time. */
function groupsOf(events: readonly OrderEvent[]): OrderEvent[][] {
  const groups: OrderEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.at(-1)?.createdAt.getTime() === event.createdAt.getTime()) last?.push(event);
    else groups.push([event]);
  }
  return groups;
}

function groupProblems(together: readonly OrderEvent[], before: OrderEvent['object'] | undefined): string[] {
  const name = together[0]!.object['name'];
  const types = together.map(({ type }) => type).join(', ');
  const created = together.some(({ type }) => type === 'order.created');
  if (created !== (before === undefined)) return [`order ${name}: ${types} is not how it was created`];
  const continues = together.some(({ previous }) => isDeepStrictEqual(previous ?? undefined, before));
  if (continues) return [];
  return [
    `order ${name}: ${types} does not begin where the last event ended; it differs in ` +
      differing(together[0]!.previous ?? {}, before ?? {}).join(', '),
  ];
}

/** The fields in which two records differ, with both values. */
export function differing(a: Record<string, unknown>, b: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => !isDeepStrictEqual(a[name], b[name]))
    .map((name) => `${name} (${JSON.stringify(a[name])} and ${JSON.stringify(b[name])})`);
}
