// The endpoints of manifests.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import type { ShippingAccess } from '../shipments/access.ts';
import { createManifest } from './create-manifest.ts';
import { findManifest, listManifests } from './queries.ts';
import { CreateManifestBody, ListManifestsQuery, Manifest } from './schema.ts';

export function manifestRoutes(api: Api, access: ShippingAccess): void {
  api.get(
    '/manifests',
    {
      operationId: 'listManifests',
      permission: 'shipments:read',
      summary: 'List manifests',
      description: '`search` matches the acceptance code.',
      query: ListManifestsQuery,
      response: listOf(Manifest),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) =>
      list(await listManifests(database, access.links, scope.organizationId, query)),
  );
  api.steps(
    '/manifests',
    {
      operationId: 'createManifest',
      permission: 'shipments:write',
      summary: 'Close parcels into a manifest',
      description:
        'The parcels named, or those of a day, or, with neither, all of the account that are on no manifest, at most 10,000. Each is on one manifest at most. Where the carrier closes the day itself (EasyPost), it is asked; else the document is drawn here. A parcel on a manifest can be voided only where the carrier agrees.',
      body: CreateManifestBody,
      response: singleOf('manifest', Manifest),
      errors: [
        'nothing_to_close',
        'purchase_running',
        'carrier_rejected',
        'carrier_unavailable',
        'carrier_credentials',
        'carrier_timeout',
      ],
    },
    (steps, body) => createManifest(access, steps, body),
  );
  api.get(
    '/manifests/{manifestId}',
    {
      operationId: 'getManifest',
      permission: 'shipments:read',
      summary: 'Get a manifest',
      ids: { manifestId: 'manifest' },
      response: singleOf('manifest', Manifest),
    },
    async ({ database, scope, ids }) => {
      const found = await findManifest(database, access.links, scope.organizationId, ids['manifestId']!);
      if (found === undefined) throw notFound('manifest');
      return single('manifest', found);
    },
  );
}
