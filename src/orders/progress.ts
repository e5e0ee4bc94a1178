// What fulfilment, and its undoing, make of an order's state and tasks: pure.
import { releaseHold } from './change-status.ts';
import type { OpenOrder } from './open-order.ts';
import { statusOf } from './states.ts';

/** Computes `fulfillmentStatus` from the lines (behind a hold, the status that the hold will give back). */
export function applyProgress(order: OpenOrder, now: Date): void {
  const held = order.fulfillmentStatus === 'on-hold';
  const current = held ? (order.statusBeforeHold ?? 'open') : order.fulfillmentStatus;
  if (current === 'open' || current === 'confirmed') order.statusBeforeFulfillment = current;
  const next = statusOf(order.lines, order.statusBeforeFulfillment);
  if (held && next !== 'fulfilled') order.statusBeforeHold = next;
  else {
    // What is complete is not on hold any more.
    if (held) releaseHold(order);
    order.fulfillmentStatus = next;
  }
  const at = now.toISOString();
  const done = next === 'fulfilled';
  order.tasks = order.tasks.map((task) =>
    (task.completedAt !== null) === done ? task : { ...task, completedAt: done ? at : null, updatedAt: at },
  );
}
