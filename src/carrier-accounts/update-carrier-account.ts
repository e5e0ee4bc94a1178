// Changes what the body names of a carrier account, for its owner and for every child that sees it.
import { invalid } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { issuesOfAccount } from './check-account.ts';
import { type AccountRules, requireRoom } from './create-carrier-account.ts';
import { sealCredentials } from './credentials.ts';
import { type AccountRow, findCarrierAccount } from './queries.ts';
import type { UpdateCarrierAccountBody } from './schema.ts';
import { holdCarrierAccount, storeHeldAccount } from './sharing.ts';

/** @throws 404, 409 shared_carrier_account, 412, 400, 409 too_many_carrier_accounts when one is brought back */
export async function updateCarrierAccount(
  write: Write,
  id: string,
  body: UpdateCarrierAccountBody,
  { secrets }: Pick<AccountRules, 'secrets'>,
): Promise<Found> {
  const held = await holdCarrierAccount(write, id);
  const before = held.account;
  requireVersion(write, before.version);
  const issues = issuesOfAccount(before.kind, body);
  if (issues.length > 0) throw invalid(issues);
  if (body.archived === false && before.archivedAt !== null) await requireRoom(write);
  const { credentials, archived, ...fields } = body;
  const after: AccountRow = { ...before, ...fields, version: before.version + 1, updatedAt: write.now };
  if (archived === true) after.archivedAt = before.archivedAt ?? write.now;
  if (archived === false) after.archivedAt = null;
  if (credentials !== undefined) {
    const owner = before.ownerOrganizationId;
    after.credentials = credentials === null ? null : sealCredentials(secrets, owner, id, credentials);
    after.hasCredentials = credentials !== null;
  }
  storeHeldAccount(write, held, after);
  return (await findCarrierAccount(write.transaction, write.scope.organizationId, id))!;
}
