// Accounts as carriers take them: with their credentials, also those of an account that a parent shares.
import { type CarrierAccount, CarrierError } from '../carriers/carrier.ts';
import type { Executor } from '../database/connect.ts';
import type { Secrets } from '../secrets.ts';
import { openCredentials } from './credentials.ts';
import { readSealedCredentials, readUsableAccounts, type UsableAccount } from './queries-use.ts';

/** Those that may be used now, or these, also when they are disabled, archived or no longer shared. */
export type WhichAccounts = 'enabled' | { ids: readonly string[] };

/**
 * In the order in which they were made. Credentials are opened when they are first looked at, are not shown when an
 * account is printed or logged, and do not come along with `{ ...account }`. Looking at them throws CarrierError
 * `carrier_credentials` where they cannot be opened.
 */
export async function loadCarrierAccounts(
  database: Executor,
  secrets: Secrets,
  organizationId: string,
  which: WhichAccounts,
): Promise<CarrierAccount[]> {
  const rows = await readUsableAccounts(
    database,
    organizationId,
    which === 'enabled' ? undefined : which.ids,
  );
  const shared = rows.filter((row) => row.ownerOrganizationId !== organizationId && row.hasCredentials);
  const owners = shared.length === 0 ? [] : await readSealedCredentials(database, shared);
  return rows.map((row) => {
    const ofOwner = owners.find(({ id }) => id === row.id);
    return withCredentials(secrets, row, row.credentials ?? ofOwner?.credentials ?? null, organizationId);
  });
}

function withCredentials(
  secrets: Secrets,
  row: UsableAccount,
  sealed: Buffer | null,
  organizationId: string,
): CarrierAccount {
  const { id, ownerOrganizationId, kind, carrierCode, description, settings } = row;
  const account = { organizationId, ownerOrganizationId, id, kind, carrierCode, description, settings };
  const open = () => {
    if (sealed === null) return {};
    try {
      return openCredentials(secrets, ownerOrganizationId, id, sealed);
    } catch (cause) {
      const message = 'its credentials cannot be decrypted: WAYBILL_SECRET is another than it was';
      throw new CarrierError('carrier_credentials', message, { bought: 'no', cause });
    }
  };
  return Object.defineProperty(account, 'credentials', { enumerable: false, get: open }) as CarrierAccount;
}
