// Rows -> wire objects of carrier accounts and their rate cards, as PostgreSQL builds them.
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';

/** Over an alias `a`. */
export const carrierAccountJson = jsonObject({
  id: column('a.id'),
  organizationId: column('a.owner_organization_id'),
  carrierCode: column('a.carrier_code'),
  description: column('a.description'),
  kind: column('a.kind'),
  enabled: column('a.enabled'),
  settings: column('a.settings'),
  hasCredentials: column('a.has_credentials'),
  sharedWithChildren: column('a.shared_with_children'),
  createdAt: time('a.created_at'),
  updatedAt: time('a.updated_at'),
  archivedAt: time('a.archived_at'),
});

/** What rates, shipments and manifests show of their account. */
export function carrierAccountSummary(alias: string): Sql<unknown> {
  return jsonObject({
    id: column(`${alias}.id`),
    carrierCode: column(`${alias}.carrier_code`),
    description: column(`${alias}.description`),
  });
}

const cardFields = {
  id: column('c.id'),
  name: column('c.name'),
  effectiveFrom: sql`c.effective_from::text`,
  createdAt: time('c.created_at'),
};
/** Over an alias `c`. */
export const rateCardSummaryJson = jsonObject(cardFields);
export const rateCardJson = jsonObject({ ...cardFields, card: column('c.card') });
