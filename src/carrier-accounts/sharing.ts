// A shared account has a row per child, under the same id: kept the same here.
import { holdChildren } from '../database/children.ts';
import { ApiError, notFound } from '../errors.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import {
  type AccountRow,
  findMirrors,
  lockCarrierAccount,
  readSharedAccounts,
  storeCarrierAccounts,
} from './queries.ts';

/** An account that its owner changes. */
export interface HeldAccount {
  account: AccountRow;
  children: string[];
  /** The children that have rows of it: all while it is shared, those of then when it once was, else none. */
  mirrors: string[];
}

/** Holds an account, and who is to see it, until the transaction ends. @throws 404, 409 shared_carrier_account */
export async function holdCarrierAccount(write: Write, id: string): Promise<HeldAccount> {
  const { organizationId } = write.scope;
  const children = await holdChildren(write.transaction, organizationId);
  const account = await lockCarrierAccount(write, id);
  if (account === undefined) throw notFound('carrier account');
  if (account.ownerOrganizationId !== organizationId) throw new ApiError('shared_carrier_account');
  return { account, children, mirrors: await findMirrors(write, id, children) };
}

/** Stores the owner's row, and the children's as they follow from it. */
export function storeHeldAccount(write: Write, held: HeldAccount, account: AccountRow): void {
  const { organizationId } = write.scope;
  const mirrors = account.sharedWithChildren ? held.children : held.mirrors;
  storeCarrierAccounts(write, [organizationId, ...mirrors], [account]);
}

/** Gives a new child its rows of what the parent shares; the caller holds the parent against other changes. */
export async function mirrorSharedCarrierAccounts(
  write: UnscopedWrite,
  parentId: string,
  childId: string,
): Promise<void> {
  storeCarrierAccounts(write, [childId], await readSharedAccounts(write, parentId));
}
