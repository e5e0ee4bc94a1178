// Changes of an order's states, in memory: pure.
import type { OpenOrder } from './open-order.ts';
import type { FulfillmentStatus } from './schema.ts';
import { allowedMoves, invalidTransition, requireFulfillmentMove } from './states.ts';

export function requireNotCancelled(order: OpenOrder, to: string): void {
  if (order.cancelledAt === null) return;
  throw invalidTransition('cancelled', to, [], 'The order is cancelled');
}

export function hold(order: OpenOrder, reason: string | null, note: string | null): void {
  const { fulfillmentStatus: from } = order;
  if (from === 'on-hold') {
    throw invalidTransition(from, 'on-hold', allowedMoves(order), 'The order is on hold already');
  }
  requireFulfillmentMove(order, 'on-hold');
  order.statusBeforeHold = from;
  order.fulfillmentStatus = 'on-hold';
  order.holdReason = reason;
  order.holdNote = note;
}

export function releaseHold(order: OpenOrder): void {
  order.fulfillmentStatus = order.statusBeforeHold ?? 'open';
  order.statusBeforeHold = null;
  order.holdReason = null;
  order.holdNote = null;
}

export function moveFulfillmentStatus(order: OpenOrder, to: FulfillmentStatus): void {
  const { fulfillmentStatus: from } = order;
  if (from === to) return;
  requireNotCancelled(order, to);
  requireFulfillmentMove(order, to);
  if (to === 'on-hold') hold(order, null, null);
  else if (from === 'on-hold') releaseHold(order);
  else order.fulfillmentStatus = to;
}
