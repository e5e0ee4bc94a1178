// Writes an event in the transaction of the change that it tells of.
import { sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';

export const eventTypes = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'order.held',
  'order.released',
  'order.fulfilled',
  'order.archived',
  'shipment.purchased',
  'shipment.failed',
  'shipment.voided',
  'tracker.updated',
  'purchase_order.created',
  'purchase_order.updated',
  'purchase_order.confirmed',
  'purchase_order.received',
  'purchase_order.cancelled',
  'inventory.adjusted',
  'inventory.moved',
  'inventory.low',
  'inventory.oversold',
  'product.created',
  'product.updated',
  'product.archived',
  'product.restored',
  'product_variant.updated',
  'return_order.created',
  'return_order.received',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const;

export type EventType = (typeof eventTypes)[number];

/** `object` and `previous` are JSON text: the record as the API shows it, after the change and before it. */
export interface NewEvent {
  type: EventType;
  objectId: string;
  object: string;
  previous?: string;
}

/**
 * Sent with the commit: an event costs no round trip of its own, and many are one statement. Called when the lock on what
 * changed is held: the order of one object's events is the order in which they are written. Returns their ids.
 */
export function appendEvents(write: Write, events: readonly NewEvent[]): string[] {
  if (events.length === 0) return [];
  const ids = events.map(() => newId());
  const data = events.map(({ object, previous }) => `{"object":${object},"previous":${previous ?? 'null'}}`);
  write.transaction.send(sql`
    insert into events (organization_id, id, type, object_id, data, api_key_id, created_at)
    select ${write.scope.organizationId}, e.id, e.type, e.object_id, e.data, ${write.scope.apiKeyId}::uuid,
      ${write.now}
    from unnest(${ids}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ objectId }) => objectId)}::uuid[], ${data}::json[]) e (id, type, object_id, data)`);
  return ids;
}

export function appendEvent(write: Write, event: NewEvent): string {
  return appendEvents(write, [event])[0]!;
}
