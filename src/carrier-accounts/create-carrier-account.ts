// Creates a carrier account, with its first rate card where one is given.
import type { Environment } from '../auth/key.ts';
import { checkRateCard } from '../carriers/rate-card/check-card.ts';
import { holdChildren } from '../database/children.ts';
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';
import { issuesOfAccount, issuesOfCode } from './check-account.ts';
import { sealCredentials } from './credentials.ts';
import {
  type AccountRow,
  countCarrierAccounts,
  findCarrierAccount,
  storeCarrierAccounts,
} from './queries.ts';
import { insertRateCard } from './queries-rate-cards.ts';
import type { CreateCarrierAccountBody } from './schema.ts';

export interface AccountRules {
  secrets: Secrets;
  /** Only in `test` are accounts simulated. */
  environment: Environment;
}

/** @throws 400 naming every wrong field, 409 too_many_carrier_accounts */
export async function createCarrierAccount(
  write: Write,
  body: CreateCarrierAccountBody,
  { secrets, environment }: AccountRules,
): Promise<Found> {
  const { organizationId } = write.scope;
  const { rateCard = null, credentials = null, sharedWithChildren = false } = body;
  const issues = [
    ...issuesOfCode(body.kind, body.carrierCode),
    ...issuesOfAccount(body.kind, body),
    ...issuesOfRateCard(body),
  ];
  if (body.kind === 'simulated' && environment !== 'test') {
    issues.push({ path: '/kind', code: 'not_allowed', message: 'is for the test environment' });
  }
  if (issues.length > 0) throw invalid(issues);
  await requireRoom(write);
  const id = newId();
  const account: AccountRow = {
    ...newAccount(write, id),
    kind: body.kind,
    carrierCode: body.carrierCode,
    description: body.description,
    enabled: body.enabled ?? true,
    sharedWithChildren,
    settings: body.settings ?? {},
    credentials: credentials === null ? null : sealCredentials(secrets, organizationId, id, credentials),
    hasCredentials: credentials !== null,
  };
  const children = sharedWithChildren ? await holdChildren(write.transaction, organizationId) : [];
  storeCarrierAccounts(write, [organizationId, ...children], [account]);
  if (rateCard !== null) insertRateCard(write, id, newId(), rateCard);
  return (await findCarrierAccount(write.transaction, organizationId, id))!;
}

function issuesOfRateCard({ kind, rateCard }: CreateCarrierAccountBody): Issue[] {
  if (rateCard == null) return [];
  if (kind !== 'rate-card') {
    return [{ path: '/rateCard', code: 'not_allowed', message: 'is for accounts of kind rate-card' }];
  }
  const checked = checkRateCard(rateCard);
  if ('card' in checked) return [];
  return checked.issues.map((issue) => ({ ...issue, path: `/rateCard${issue.path}` }));
}

/** @throws 409 too_many_carrier_accounts */
export async function requireRoom(write: Write): Promise<void> {
  const count = await countCarrierAccounts(write.transaction, write.scope.organizationId);
  if (count >= limits.carrierAccountsMax) throw new ApiError('too_many_carrier_accounts');
}

function newAccount({ scope, now }: Write, id: string) {
  const made = { version: 1, createdAt: now, updatedAt: now, archivedAt: null };
  return { id, ownerOrganizationId: scope.organizationId, ...made };
}
