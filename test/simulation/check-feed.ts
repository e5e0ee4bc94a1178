// The feed of events, held against what is stored: nothing is missing, and what it told last is what there is.
import { isDeepStrictEqual } from 'node:util';
import {
  differing,
  followEvents,
  ownOf,
  type TellingEvent,
  type Told,
  type ToldRecord,
} from './audit-events.ts';
import { type Facts, levelKey } from './facts.ts';
import type { Party } from './service.ts';
import type { World } from './world.ts';

/** Reads on in the feeds of both organisations. `touched` are the records that they tell of. */
export async function readFeeds(
  world: World,
  facts: Facts,
  told: Told,
): Promise<{ problems: string[]; touched: string[] }> {
  const problems: string[] = [];
  const touched: string[] = [];
  for (const party of world.parties) {
    const { organizationId } = party;
    const events = await readOn(party, told.last.get(organizationId) ?? 0);
    const found = followEvents(organizationId, events, told);
    problems.push(...found.problems);
    touched.push(...found.touched);
    const stored = facts.hidden?.eventCounts[organizationId] ?? 0;
    const last = told.last.get(organizationId) ?? 0;
    if (last !== stored) problems.push(`the feed tells of ${last} events, and ${stored} are stored`);
  }
  return { problems, touched };
}

async function readOn(party: Party, last: number): Promise<TellingEvent[]> {
  const events: TellingEvent[] = [];
  for (;;) {
    const path = `/events?after=${events.at(-1)?.sequence ?? last}&limit=100`;
    const { status, body, text } = await party.send('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    events.push(...body.data);
    if (!body.hasMore) return events;
  }
}

/** `GET` of each of these records shows what its last event said. */
export async function checkTold(
  world: World,
  facts: Facts,
  told: Told,
  ids: Iterable<string>,
): Promise<string[]> {
  const problems = [...ids].map(async (id) => {
    const record = told.records.get(id);
    if (record === undefined) return [`record ${id} has no event`];
    const party = world.parties.find(({ organizationId }) => organizationId === record.organizationId)!;
    return record.kind === 'inventory' ? levelProblems(record, facts) : recordProblems(party, record);
  });
  return (await Promise.all(problems)).flat();
}

const paths: Record<string, (record: ToldRecord['object']) => string> = {
  order: ({ id }) => `/orders/${id}`,
  purchase_order: ({ id }) => `/purchase-orders/${id}`,
  return_order: ({ id }) => `/return-orders/${id}`,
  product: ({ id }) => `/products/${id}`,
  product_variant: ({ id, productId }) => `/products/${productId}/variants/${id}`,
};

async function recordProblems(party: Party, { kind, object }: ToldRecord): Promise<string[]> {
  const { status, body, text } = await party.send('GET', paths[kind]!(object));
  if (status !== 200) return [`an event tells of ${kind} ${object.id}, and GET answers ${status}: ${text}`];
  // A return that is cancelled or closed is told of by its order.
  if (kind === 'return_order' && ['cancelled', 'closed'].includes(body.data.status)) return [];
  const [shown, said] = [ownOf(kind, body.data), ownOf(kind, object)];
  if (isDeepStrictEqual(shown, said)) return [];
  const name = object.name ?? object.sku;
  return [`${kind} ${name} is not what its last event says: ${differing(shown, said).join(', ')}`];
}

/** What orders are promised changes without an event of the level; every other figure has one. */
function levelProblems({ object }: ToldRecord, { levels }: Facts): string[] {
  const level = levels.find((one) => levelKey(one) === levelKey(object));
  if (level === undefined) return [`an event tells of ${levelKey(object)}, which has no level`];
  const { onHand, reserved, damaged, qualityControl, safetyStock, incoming } = level;
  const { onHandQuantity, reservedQuantity, damagedQuantity, qualityControlQuantity } = object;
  const { safetyStockQuantity, incomingQuantity } = object;
  const stored = { onHand, reserved, damaged, qualityControl, safetyStock, incoming };
  const said = {
    onHand: onHandQuantity,
    reserved: reservedQuantity,
    damaged: damagedQuantity,
    qualityControl: qualityControlQuantity,
    safetyStock: safetyStockQuantity,
    incoming: incomingQuantity,
  };
  if (isDeepStrictEqual(stored, said)) return [];
  return [`${levelKey(level)} is not what its last event says: ${differing(stored, said).join(', ')}`];
}

/** Everything that has events, at the end of a run. */
export function checkAllTold(world: World, facts: Facts, told: Told): Promise<string[]> {
  const stored = [
    ...facts.orders,
    ...facts.purchaseOrders,
    ...facts.products,
    ...facts.variants,
    ...(facts.hidden?.returnOrders ?? []),
  ].map(({ id }) => id);
  return checkTold(world, facts, told, new Set([...stored, ...told.records.keys()]));
}
