// Webhook endpoints and their deliveries on the wire.
import { eventTypes } from '../events/append.ts';
import {
  DateTime,
  defaulted,
  Id,
  listQuery,
  nullable,
  object,
  oneOf,
  requiredText,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

const EventTypes = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  items: { type: 'string', enum: [...eventTypes] },
  description: 'Which types of event are sent; null: all, also those that are added later',
  examples: [['order.created', 'product.updated']],
});

const Url = requiredText(limits.urlLengthMax, {
  format: 'uri',
  description: 'Where events are posted to: `https`, at a public address',
  examples: ['https://example.com/waybill'],
});

const fields = {
  url: Url,
  eventTypes: EventTypes,
  description: nullable(text(limits.textLengthMax)),
  includeChildren: Type.Boolean({ description: 'Events of the client organizations too' }),
};

const endpointFields = {
  id: Id,
  organizationId: Id,
  ...fields,
  enabled: Type.Boolean(),
  disabledAt: nullable(DateTime),
  disabledReason: nullable(
    oneOf(['request', 'gone', 'failing'], {
      description:
        '`request`: somebody did it here; `gone`: it answered 410; `failing`: for five days nothing got through',
    }),
  ),
  failingSince: nullable(
    Type.Unsafe<string>({ ...DateTime, description: 'The first failure since the last success' }),
  ),
  previousSecretExpiresAt: nullable(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'Until then deliveries are signed with the previous secret too',
    }),
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
};

export const WebhookEndpoint = object(endpointFields);
export const WebhookEndpointWithSecret = object({
  ...endpointFields,
  secret: nullable(
    Type.String({
      description: 'For the verification of signatures (Standard Webhooks); in this answer alone',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  ),
});

export const CreateWebhookEndpointBody = object({
  url: Url,
  eventTypes: Type.Optional(fields.eventTypes),
  description: Type.Optional(fields.description),
  includeChildren: defaulted(Type.Boolean({ ...fields.includeChildren, default: false })),
});
export type CreateWebhookEndpointBody = Static<typeof CreateWebhookEndpointBody>;

export const UpdateWebhookEndpointBody = object({
  url: Type.Optional(Url),
  eventTypes: Type.Optional(fields.eventTypes),
  description: Type.Optional(fields.description),
  includeChildren: Type.Optional(fields.includeChildren),
  enabled: Type.Optional(
    Type.Boolean({ description: 'false: nothing is sent; true: what happens from now on is sent again' }),
  ),
});
export type UpdateWebhookEndpointBody = Static<typeof UpdateWebhookEndpointBody>;

export const webhookEndpointSorts = ['createdAt', 'updatedAt', 'url'] as const;
export const ListWebhookEndpointsQuery = listQuery(webhookEndpointSorts, {
  includeArchived: defaulted(Type.Boolean({ default: false })),
});
export type ListWebhookEndpointsQuery = Static<typeof ListWebhookEndpointsQuery>;

const Attempt = object({
  attemptedAt: DateTime,
  durationMs: Type.Integer(),
  url: Type.String(),
  requestHeaders: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
  responseStatus: nullable(Type.Integer()),
  responseBody: nullable(
    Type.String({ description: `The first ${limits.webhookAnswerKeptBytes} bytes, as text` }),
  ),
  error: nullable(Type.String({ description: 'Why there was no answer' })),
});

const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const WebhookDelivery = object({
  id: Id,
  organizationId: Id,
  webhookEndpointId: Id,
  eventId: Type.Unsafe<string>({ ...Id, description: '`GET /events/{eventId}` shows what was sent' }),
  eventType: oneOf(eventTypes),
  eventOrganizationId: Id,
  status: oneOf(deliveryStatuses, {
    description: '`failed`: no try is left; `cancelled`: its endpoint was disabled or archived first',
  }),
  nextAttemptAt: nullable(DateTime),
  completedAt: nullable(DateTime),
  attempts: Type.Array(Attempt),
  createdAt: DateTime,
  updatedAt: DateTime,
});

export const webhookDeliverySorts = ['createdAt', 'updatedAt'] as const;
export const ListWebhookDeliveriesQuery = listQuery(webhookDeliverySorts, {
  status: Type.Optional(oneOf(deliveryStatuses)),
  eventId: Type.Optional(Id),
});
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>;
