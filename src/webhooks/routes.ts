// The endpoints of webhook endpoints and their deliveries.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, type Reply, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { archiveWebhookEndpoint } from './archive-webhook-endpoint.ts';
import {
  createWebhookEndpoint,
  type EndpointWithSecret,
  type WebhookSettings,
} from './create-webhook-endpoint.ts';
import { listWebhookDeliveries } from './delivery-queries.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from './queries.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import {
  CreateWebhookEndpointBody,
  ListWebhookDeliveriesQuery,
  ListWebhookEndpointsQuery,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './schema.ts';
import { testWebhookEndpoint } from './test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';

const kind = 'webhook-endpoint';
const ids = { webhookEndpointId: 'webhook endpoint' };
const path = '/webhook-endpoints/{webhookEndpointId}';

export function webhookRoutes(api: Api, settings: WebhookSettings): void {
  api.get(
    '/webhook-endpoints',
    {
      operationId: 'listWebhookEndpoints',
      permission: 'webhooks:read',
      summary: 'List webhook endpoints',
      description: '`search` matches url and description.',
      query: ListWebhookEndpointsQuery,
      response: listOf(WebhookEndpoint),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) =>
      list(await listWebhookEndpoints(database, scope.organizationId, query)),
  );
  api.post(
    '/webhook-endpoints',
    {
      operationId: 'createWebhookEndpoint',
      permission: 'webhooks:write',
      summary: 'Create a webhook endpoint',
      description:
        'Events that are numbered from now on are posted to `url`, signed as Standard Webhooks says: `webhook-id` (the id of the event, the same in every try), `webhook-timestamp`, `webhook-signature`. The body is the event as `GET /events/{eventId}` shows it in `data`. Any 2xx within 15 seconds counts as received. Only this answer carries `secret`; the replay of a request with an `Idempotency-Key` answers it with `secret` null: rotate it then.',
      body: CreateWebhookEndpointBody,
      response: singleOf(kind, WebhookEndpointWithSecret),
      errors: ['too_many_endpoints'],
    },
    async (write) => withSecret(await createWebhookEndpoint(write, write.body, settings)),
  );
  api.get(
    path,
    {
      operationId: 'getWebhookEndpoint',
      permission: 'webhooks:read',
      summary: 'Get a webhook endpoint',
      ids,
      response: singleOf(kind, WebhookEndpoint),
    },
    async ({ database, scope, ids: { webhookEndpointId } }) => {
      const found = await findWebhookEndpoint(database, scope.organizationId, webhookEndpointId!);
      if (found === undefined) throw notFound(ids.webhookEndpointId);
      return single(kind, found);
    },
  );
  api.post(
    path,
    {
      operationId: 'updateWebhookEndpoint',
      permission: 'webhooks:write',
      summary: 'Update a webhook endpoint',
      description:
        'Changes what the body names. Disabling cancels what is on its way, and nothing is kept for later: after `enabled: true` the feed (`GET /events`) has what was missed.',
      ids,
      body: UpdateWebhookEndpointBody,
      response: singleOf(kind, WebhookEndpoint),
      errors: ['archived'],
    },
    async (write) =>
      single(kind, await updateWebhookEndpoint(write, write.ids['webhookEndpointId']!, write.body, settings)),
  );
  api.delete(
    path,
    {
      operationId: 'archiveWebhookEndpoint',
      permission: 'webhooks:write',
      summary: 'Archive a webhook endpoint',
      description:
        'For good: nothing is sent to it any more. Its deliveries stay readable. A repeat answers the same.',
      ids,
      response: singleOf(kind, WebhookEndpoint),
    },
    async (write) => single(kind, await archiveWebhookEndpoint(write, write.ids['webhookEndpointId']!)),
  );
  api.post(
    `${path}/rotate-secret`,
    {
      operationId: 'rotateWebhookSecret',
      permission: 'webhooks:write',
      summary: 'Rotate the signing secret',
      description:
        'For 24 hours deliveries carry two signatures, one of each secret. A secret that was still overlapping from a rotation before ends at once. Only this answer carries `secret`.',
      ids,
      response: singleOf(kind, WebhookEndpointWithSecret),
      errors: ['archived'],
    },
    async (write) =>
      withSecret(await rotateWebhookSecret(write, write.ids['webhookEndpointId']!, settings.secrets)),
  );
  api.post(
    `${path}/test`,
    {
      operationId: 'testWebhookEndpoint',
      permission: 'webhooks:write',
      summary: 'Send a test event',
      description:
        'An event of type `webhook_endpoint.test` goes to this endpoint alone, whatever types it asks for. Answers the delivery; its list shows what became of it.',
      ids,
      response: singleOf('webhook-delivery', WebhookDelivery),
      errors: ['archived', 'endpoint_disabled'],
    },
    async (write) =>
      single('webhook-delivery', await testWebhookEndpoint(write, write.ids['webhookEndpointId']!)),
  );
  api.get(
    `${path}/deliveries`,
    {
      operationId: 'listWebhookDeliveries',
      permission: 'webhooks:read',
      summary: 'List the deliveries of an endpoint',
      description:
        'Each with every try: what was sent, what was answered, how long it took. `search` matches the type of the event.',
      ids,
      query: ListWebhookDeliveriesQuery,
      response: listOf(WebhookDelivery),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query, ids: { webhookEndpointId } }) => {
      const found = await findWebhookEndpoint(database, scope.organizationId, webhookEndpointId!);
      if (found === undefined) throw notFound(ids.webhookEndpointId);
      return list(await listWebhookDeliveries(database, scope.organizationId, webhookEndpointId!, query));
    },
  );
  api.post(
    `${path}/deliveries/{deliveryId}/redeliver`,
    {
      operationId: 'redeliverWebhook',
      permission: 'webhooks:write',
      summary: 'Send a delivery again',
      description:
        'At once, whatever became of it, under the same `webhook-id`; where that fails the tries begin anew.',
      ids: { ...ids, deliveryId: 'webhook delivery' },
      response: singleOf('webhook-delivery', WebhookDelivery),
      errors: ['archived', 'endpoint_disabled', 'events_expired'],
    },
    async (write) => {
      const { webhookEndpointId, deliveryId } = write.ids;
      return single('webhook-delivery', await redeliverWebhook(write, webhookEndpointId!, deliveryId!));
    },
  );
}

function withSecret({ found, secret }: EndpointWithSecret): Reply {
  const having = (value: string | null) =>
    single(kind, { ...found, json: `${found.json.slice(0, -1)},"secret":${JSON.stringify(value)}}` });
  return { ...having(secret), replayBody: having(null).body };
}
