// Organisations, their clients and their API keys on the wire.
import { areas } from '../auth/scope.ts';
import {
  DateTime,
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

const Allocation = oneOf(['split', 'whole'], {
  description:
    'How an order takes stock: `split` takes it from several warehouses where one alone does not have it all; `whole` takes it from one warehouse, and what is short there is backordered. A change holds for allocations from then on.',
});

const name = requiredText(limits.nameLengthMax, { examples: ['Acme Outdoor'] });

export const Organization = object({
  id: Id,
  parentId: nullable({ ...Id, description: 'The organization that this one is a client of' }),
  slug: Type.String({ description: 'What `X-Service-Client` names it by' }),
  name: Type.String(),
  allocation: Allocation,
  createdAt: DateTime,
  updatedAt: DateTime,
});

export const UpdateOrganizationBody = object(
  { name: Type.Optional(name), allocation: Type.Optional(Allocation) },
  { examples: [{ allocation: 'whole' }] },
);
export type UpdateOrganizationBody = Static<typeof UpdateOrganizationBody>;

export const CreateClientBody = object({
  name,
  slug: requiredText(limits.slugLengthMax, {
    pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
    description:
      'Lower-case letters, digits and hyphens, beginning and ending with a letter or digit; unique among the clients, never changed',
    examples: ['acme-outdoor'],
  }),
});
export type CreateClientBody = Static<typeof CreateClientBody>;

export const clientSorts = ['createdAt', 'updatedAt', 'name', 'slug'] as const;
export const ListClientsQuery = listQuery(clientSorts, {});
export type ListClientsQuery = Static<typeof ListClientsQuery>;

const permissions = ['all', ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const)] as const;

const keyFields = {
  id: Id,
  organizationId: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins', examples: ['wb_live_'] }),
  lastFour: Type.String({ description: 'How the key ends', examples: ['x7Qa'] }),
  permissions: Type.Array(oneOf(permissions)),
  user: object(
    { id: Id, name: nullable(Type.String()), email: nullable(Type.String()) },
    { description: 'Who acts with the key: the `user` of notes' },
  ),
  rateLimit: nullable(Type.Integer({ description: 'Requests a second; null is the default of the service' })),
  expiresAt: nullable(DateTime),
  lastUsedAt: nullable({ ...DateTime, description: 'To the minute' }),
  revokedAt: nullable(DateTime),
  createdAt: DateTime,
};

export const ApiKey = object(keyFields);

export const CreatedApiKey = object({
  ...keyFields,
  key: nullable(
    Type.String({
      description:
        'The secret, in this answer only: the service keeps no more than a hash of it. Null in the replay of an idempotent request.',
      examples: ['wb_live_'.padEnd(51, 'x')],
    }),
  ),
});

export const CreateApiKeyBody = object(
  {
    name: requiredText(limits.nameLengthMax),
    permissions: Type.Array(oneOf(permissions), {
      minItems: 1,
      maxItems: limits.permissionsMax,
      uniqueItems: true,
      description:
        '`all`, or an area with `read` or `write`; `write` includes `read`. `orders` covers customers and return orders; `inventory` warehouses and locations; `shipments` carrier accounts; `purchase-orders` suppliers; `webhooks` events; `organization` clients, keys and settings.',
    }),
    userName: Type.Optional(nullable(text(limits.nameLengthMax))),
    userEmail: Type.Optional(
      nullable(
        text(limits.nameLengthMax, {
          format: 'email',
          description: 'Keys of an organization with the same e-mail address belong to the same user',
        }),
      ),
    ),
    expiresAt: Type.Optional(
      nullable({ ...DateTime, description: 'In the future; left out, it never expires' }),
    ),
  },
  {
    examples: [
      {
        name: 'Warehouse scanner',
        permissions: ['inventory:write', 'products:read'],
        userEmail: 'ada@example.com',
      },
    ],
  },
);
export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>;

export const apiKeySorts = ['createdAt', 'name', 'lastUsedAt', 'expiresAt'] as const;
export const ListApiKeysQuery = listQuery(apiKeySorts, {});
export type ListApiKeysQuery = Static<typeof ListApiKeysQuery>;
