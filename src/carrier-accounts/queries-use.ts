// SQL that gives accounts to carriers.
import type { CarrierKind } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';

/** A child's row of an account that the parent no longer shares stays for what was bought through it, unseen. */
export const visible = sql`(a.owner_organization_id = a.organization_id or a.shared_with_children)`;

export interface UsableAccount {
  id: string;
  ownerOrganizationId: string;
  kind: CarrierKind;
  carrierCode: string;
  description: string;
  settings: Record<string, unknown>;
  hasCredentials: boolean;
  /** Of an account of its own only. */
  credentials: Buffer | null;
}

/** Those that are enabled, or these whatever they are. */
export function readUsableAccounts(
  database: Executor,
  organizationId: string,
  ids: readonly string[] | undefined,
): Promise<UsableAccount[]> {
  const which =
    ids === undefined
      ? sql`a.enabled and a.archived_at is null and ${visible}`
      : sql`a.id = any(${ids}::uuid[])`;
  return database.query(sql`
    select a.id, a.owner_organization_id as "ownerOrganizationId", a.kind, a.carrier_code as "carrierCode",
      a.description, a.settings, a.has_credentials as "hasCredentials", a.credentials
    from carrier_accounts a
    where a.organization_id = ${organizationId} and ${which}
    order by a.created_at, a.id`);
}

/** The credentials of shared accounts, from the rows of those that own them. */
export function readSealedCredentials(
  database: Executor,
  accounts: readonly Pick<UsableAccount, 'id' | 'ownerOrganizationId'>[],
): Promise<{ id: string; credentials: Buffer | null }[]> {
  const owners = [...new Set(accounts.map(({ ownerOrganizationId }) => ownerOrganizationId))];
  return database.query(sql`
    select a.id, a.credentials from carrier_accounts a
    where a.organization_id = any(${owners}::uuid[]) and a.id = any(${accounts.map(({ id }) => id)}::uuid[])
      and a.owner_organization_id = a.organization_id`);
}
