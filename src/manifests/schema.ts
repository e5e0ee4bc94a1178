// Manifests on the wire: a day's parcels of one account, handed over together.
import { dateRangeParameters } from '../http/date-range.ts';
import { DateTime, Day, Id, listQuery, nullable, object, oneOf, type Static, Type } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { ShipmentAccount } from '../shipments/schema-summary.ts';

export const CreateManifestBody = object(
  {
    carrierAccountId: Id,
    shipmentIds: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: limits.manifestShipmentsMax,
        uniqueItems: true,
        description: 'These; each must be bought through the account, and on no manifest',
      }),
    ),
    date: Type.Optional({
      ...Day,
      description: 'All that were bought on this day (UTC) and are on no manifest; not beside `shipmentIds`',
    }),
  },
  { examples: [{ carrierAccountId: '019aa5d2-7c40-7000-8000-000000000001', date: '2026-11-21' }] },
);
export type CreateManifestBody = Static<typeof CreateManifestBody>;

export const Manifest = object({
  id: Id,
  organizationId: Id,
  carrierAccount: ShipmentAccount,
  status: oneOf(['pending', 'closed', 'failed']),
  acceptanceCode: Type.String({ description: 'What the barcode of the document says' }),
  shipmentCount: Type.Integer(),
  documentUrl: nullable(
    Type.String({ description: 'A PDF; signed: needs no key, lasts 24 hours, new on each read' }),
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
});

export const manifestSorts = ['createdAt', 'updatedAt'] as const;
export const ListManifestsQuery = listQuery(manifestSorts, {
  carrierAccountId: Type.Optional(Id),
  ...dateRangeParameters,
});
export type ListManifestsQuery = Static<typeof ListManifestsQuery>;
