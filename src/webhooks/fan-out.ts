// Turns an organisation's numbered events into deliveries, each event once for each endpoint that asks for its type.
import { type Database, sql, type Transaction } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';
import { insertDeliveries, type NewDelivery } from './delivery-queries.ts';

/** Organisations with events that have not been turned into deliveries. */
export async function findBehind(database: Database): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select c.organization_id as id from event_counters c
    left join webhook_positions p on p.organization_id = c.organization_id
    where c.last_sequence > coalesce(p.last_sequence, 0)`);
  return rows.map(({ id }) => id);
}

/** Position and deliveries commit together: a crash loses none and doubles none. Returns how many were made. */
export async function fanOut(database: Database, organizationId: string): Promise<number> {
  let made = 0;
  for (;;) {
    const step = await database.transaction((transaction) => fanOutOnce(transaction, organizationId));
    made += step.deliveries;
    if (step.events < limits.webhookFanOutBatch) return made;
  }
}

interface Sent {
  id: string;
  type: string;
  sequence: number;
}

async function fanOutOnce(transaction: Transaction, organizationId: string) {
  const position = await lockPosition(transaction, organizationId);
  if (position === undefined) return { events: 0, deliveries: 0 };
  const events = await transaction.query<Sent>(sql`
    select id, type, sequence from events
    where organization_id = ${organizationId} and sequence > ${position}
    order by sequence limit ${limits.webhookFanOutBatch}`);
  if (events.length === 0) return { events: 0, deliveries: 0 };
  const endpoints = await findSubscribed(transaction, organizationId);
  const now = new Date();
  let deliveries = 0;
  for (const owner of new Set(endpoints.map((endpoint) => endpoint.organizationId))) {
    const rows = pairs(
      events,
      endpoints.filter((endpoint) => endpoint.organizationId === owner),
    );
    if (rows.length > 0) await insertDeliveries(transaction, organizationId, owner, rows, now);
    deliveries += rows.length;
  }
  transaction.send(sql`
    update webhook_positions set last_sequence = ${events.at(-1)!.sequence}
    where organization_id = ${organizationId}`);
  return { events: events.length, deliveries };
}

/** Undefined while another process is at it. */
async function lockPosition(transaction: Transaction, organizationId: string): Promise<number | undefined> {
  const select = async () => {
    const [row] = await transaction.query<{ last: number }>(sql`
      select last_sequence as last from webhook_positions
      where organization_id = ${organizationId} for update skip locked`);
    return row?.last;
  };
  const last = await select();
  if (last !== undefined) return last;
  transaction.send(sql`
    insert into webhook_positions (organization_id) values (${organizationId}) on conflict do nothing`);
  return select();
}

interface Subscribed {
  organizationId: string;
  id: string;
  eventTypes: string[] | null;
}

/** The organisation's own endpoints, and those of its parent that include children. */
async function findSubscribed(transaction: Transaction, organizationId: string): Promise<Subscribed[]> {
  const [own] = await transaction.query<{ parentId: string | null }>(
    sql`select parent_id as "parentId" from organizations where id = ${organizationId}`,
  );
  const owners = [organizationId, ...(own?.parentId == null ? [] : [own.parentId])];
  return transaction.query<Subscribed>(sql`
    select organization_id as "organizationId", id, event_types as "eventTypes" from webhook_endpoints
    where organization_id = any(${owners}::uuid[]) and disabled_at is null and archived_at is null
      and (organization_id = ${organizationId} or include_children)`);
}

function pairs(events: Sent[], endpoints: Subscribed[]): NewDelivery[] {
  return (
    events
      // A test is on its way already, to the one endpoint that it is for.
      .filter(({ type }) => type !== 'webhook_endpoint.test')
      .flatMap(({ id: eventId, type: eventType }) =>
        endpoints
          .filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(eventType))
          .map(({ id: endpointId }) => ({ id: newId(), endpointId, eventId, eventType })),
      )
  );
}
