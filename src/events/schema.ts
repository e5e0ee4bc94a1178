// Events on the wire.
import {
  DateTime,
  defaulted,
  Id,
  nullable,
  object,
  oneOf,
  requiredText,
  type Static,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { eventTypes } from './append.ts';

const Changed = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

export const Event = object({
  id: Type.Unsafe<string>({ ...Id, description: 'Also the `webhook-id` of its deliveries' }),
  organizationId: Id,
  type: oneOf(eventTypes),
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Counts per organization, without gaps, in an order that no history of an object contradicts',
  }),
  objectId: Type.Unsafe<string>({ ...Id, description: 'The id of `data.object`' }),
  createdAt: DateTime,
  data: object({
    object: Type.Unsafe<Record<string, unknown>>({
      ...Changed,
      description: 'The record as the API showed it once the change was made',
    }),
    previous: nullable(
      Type.Unsafe<Record<string, unknown>>({
        ...Changed,
        description: 'The same before it; null where there was none',
      }),
    ),
  }),
});

export const ListEventsQuery = object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'A `sequence`: events behind it. None or 0 begins at the oldest kept. Wins over `cursor` and `page`',
    }),
  ),
  wait: defaulted(
    Type.Integer({
      minimum: 0,
      maximum: limits.eventWaitSeconds,
      default: 0,
      description: 'Seconds to wait for an event where there is none yet',
    }),
  ),
  types: Type.Optional(
    requiredText(limits.textLengthMax, {
      description: 'Types, separated by commas',
      examples: ['order.created,order.updated'],
    }),
  ),
  objectId: Type.Optional(Id),
  limit: defaulted(
    Type.Integer({ minimum: 1, maximum: limits.pageLimitMax, default: limits.pageLimitDefault }),
  ),
  page: defaulted(Type.Integer({ minimum: 1, maximum: limits.pageMax, default: 1 })),
  cursor: Type.Optional(
    requiredText(limits.cursorLengthMax, { description: 'From `nextCursor`; wins over `page`' }),
  ),
  search: Type.Optional(requiredText(limits.searchLengthMax, { description: 'A part of the type' })),
});
export type ListEventsQuery = Static<typeof ListEventsQuery>;
