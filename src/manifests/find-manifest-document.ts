// The PDF of a manifest: the carrier's own, or drawn from the labels of its parcels.
import type { FastifyInstance } from 'fastify';
import type { Executor } from '../database/connect.ts';
import { type Document, documentRoute } from '../http/document-links.ts';
import { renderManifestPdf } from '../labels/manifest-pdf.ts';
import type { ShippingAccess } from '../shipments/access.ts';
import { readManifest, readParcels } from './queries.ts';

/** `GET /manifests/<organization>/<manifest>.pdf`, for whoever has the signed address. */
export function manifestDocumentRoute(app: FastifyInstance, { database, links }: ShippingAccess): void {
  documentRoute(app, links, 'manifests', (organizationId, id) => findDocument(database, organizationId, id));
}

/** Undefined for a manifest that is not closed. */
async function findDocument(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Document | undefined> {
  const manifest = await readManifest(database, organizationId, id);
  if (manifest === undefined) return undefined;
  const { acceptanceCode, createdAt, accountDescription, document } = manifest;
  if (document !== null) return { type: 'application/pdf', bytes: document };
  const parcels = await readParcels(database, organizationId, id);
  const first = parcels[0]!;
  const bytes = await renderManifestPdf({
    ...{ sample: first.sample, carrierName: first.carrierName, shipFrom: first.shipFrom },
    ...{ accountDescription, acceptanceCode, parcels, date: createdAt.toISOString().slice(0, 10) },
  });
  return { type: 'application/pdf', bytes };
}
