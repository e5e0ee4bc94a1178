// Disables an endpoint that takes nothing any more, and says so with an event.

import { systemScope } from '../auth/scope.ts';
import type { Transaction } from '../database/connect.ts';
import { appendEvent } from '../events/append.ts';
import { writeOf } from '../http/write.ts';
import type { EndpointKey } from './due-queries.ts';
import {
  cancelDeliveries,
  findWebhookEndpoint,
  lockWebhookEndpoint,
  storeWebhookEndpoint,
} from './queries.ts';

export async function disableEndpoint(
  transaction: Transaction,
  { organizationId, id }: EndpointKey,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  const write = writeOf(transaction, systemScope(organizationId), now);
  const row = await lockWebhookEndpoint(write, organizationId, id);
  if (row === undefined || row.disabledAt !== null || row.archivedAt !== null) return;
  const previous = await findWebhookEndpoint(transaction, organizationId, id);
  storeWebhookEndpoint(write, id, { ...row, disabledAt: now, disabledReason: reason });
  cancelDeliveries(write, id);
  const found = await findWebhookEndpoint(transaction, organizationId, id);
  appendEvent(write, {
    type: 'webhook_endpoint.disabled',
    objectId: id,
    object: found!.json,
    previous: previous!.json,
  });
}
