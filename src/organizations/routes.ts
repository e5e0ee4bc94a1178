// The endpoints of the organisation, its clients and its API keys.
import type { Environment, KeyFinder } from '../auth/key.ts';
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, type Reply, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { type CreatedKey, createApiKey } from './create-api-key.ts';
import { createClient } from './create-client.ts';
import { findOrganization, listClients } from './queries.ts';
import { listApiKeys } from './queries-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import {
  ApiKey,
  CreateApiKeyBody,
  CreateClientBody,
  CreatedApiKey,
  ListApiKeysQuery,
  ListClientsQuery,
  Organization,
  UpdateOrganizationBody,
} from './schema.ts';
import { updateOrganization } from './update-organization.ts';

export interface KeyRing {
  environment: Environment;
  /** What this process remembers of keys and clients. */
  keys: Pick<KeyFinder, 'forget'>;
}

export function organizationRoutes(api: Api, ring: KeyRing): void {
  api.get(
    '/organization',
    {
      operationId: 'getOrganization',
      permission: 'organization:read',
      summary: 'Get the organization',
      description: 'The organization of the key, or the client that `X-Service-Client` names.',
      response: singleOf('organization', Organization),
    },
    async ({ database, scope }) => {
      const found = await findOrganization(database, scope.organizationId);
      if (found === undefined) throw notFound('organization');
      return single('organization', found);
    },
  );
  api.post(
    '/organization',
    {
      operationId: 'updateOrganization',
      permission: 'organization:write',
      summary: 'Change the settings of the organization',
      description: 'Changes what the body names. The slug never changes.',
      body: UpdateOrganizationBody,
      response: singleOf('organization', Organization),
    },
    async (write) => single('organization', await updateOrganization(write, write.body)),
  );
  clientRoutes(api, ring);
  keyRoutes(api, ring);
}

function clientRoutes(api: Api, { environment, keys }: KeyRing): void {
  api.get(
    '/clients',
    {
      operationId: 'listClients',
      permission: 'organization:read',
      summary: 'List clients',
      description: 'The organizations directly below this one. `search` matches name and slug.',
      query: ListClientsQuery,
      response: listOf(Organization),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listClients(database, scope.organizationId, query)),
  );
  api.post(
    '/clients',
    {
      operationId: 'createClient',
      permission: 'organization:write',
      summary: 'Create a client',
      description:
        'Makes an organization below this one. Its slug, sent as `X-Service-Client`, lets every key of this organization act for it; what this organization shares with its children is there from the start. The slug is unique among the clients and differs from this organization’s own.',
      body: CreateClientBody,
      response: singleOf('organization', Organization),
      errors: ['slug_taken'],
      // A slug that was asked for in vain a moment ago is known from now on.
      committed: () => keys.forget(),
    },
    async (write) => single('organization', await createClient(write, write.body, environment)),
  );
}

function keyRoutes(api: Api, { environment, keys }: KeyRing): void {
  api.get(
    '/api-keys',
    {
      operationId: 'listApiKeys',
      permission: 'organization:read',
      summary: 'List API keys',
      description: 'Revoked and expired ones included. `search` matches name and the user’s name and e-mail.',
      query: ListApiKeysQuery,
      response: listOf(ApiKey),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listApiKeys(database, scope.organizationId, query)),
  );
  api.post(
    '/api-keys',
    {
      operationId: 'createApiKey',
      permission: 'organization:write',
      summary: 'Create an API key',
      description:
        'For the organization acted for: with `X-Service-Client` a parent makes keys for its client. A key grants no permission that it lacks itself (403 `permission_denied` with `details.permission`), and hands on its own rate limit. Only this answer carries `key`; because no secret is stored, the replay of a request with an `Idempotency-Key` answers the same record with `key` null: revoke it and make another.',
      body: CreateApiKeyBody,
      response: singleOf('api-key', CreatedApiKey),
    },
    async (write) => createdKey(await createApiKey(write, write.body, environment)),
  );
  api.delete(
    '/api-keys/{apiKeyId}',
    {
      operationId: 'revokeApiKey',
      permission: 'organization:write',
      summary: 'Revoke an API key',
      description:
        'For good: requests with it are 401 from now on (within a second where several processes serve). A key may revoke itself. A repeat answers the same.',
      ids: { apiKeyId: 'API key' },
      response: singleOf('api-key', ApiKey),
      committed: () => keys.forget(),
    },
    async (write) => single('api-key', await revokeApiKey(write, write.ids['apiKeyId']!)),
  );
}

function createdKey({ found, key }: CreatedKey): Reply {
  const withKey = (value: string | null) =>
    single('api-key', { ...found, json: `${found.json.slice(0, -1)},"key":${JSON.stringify(value)}}` });
  return { ...withKey(key), replayBody: withKey(null).body };
}
