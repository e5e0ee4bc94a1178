// Makes an organisation: one that stands by itself, or a client with its place in what the parent shares.
import type { Environment } from '../auth/key.ts';
import { mirrorSharedCarrierAccounts } from '../carrier-accounts/sharing.ts';
import { makeSimulatedAccounts } from '../carrier-accounts/simulated-accounts.ts';
import { lockForNewChild } from '../database/children.ts';
import { newId } from '../database/ids.ts';
import { ApiError, notFound } from '../errors.ts';
import type { UnscopedWrite } from '../http/api.ts';
import { mirrorSharedWarehouses } from '../warehouses/sharing.ts';
import { insertOrganization } from './queries.ts';

export interface NewOrganization {
  /** Checked by CreateClientBody. */
  slug: string;
  name: string;
  parentId?: string;
}

/** Returns its id. In the test environment it has simulated carriers. @throws 409 slug_taken */
export async function createOrganization(
  write: UnscopedWrite,
  { slug, name, parentId }: NewOrganization,
  environment: Environment,
): Promise<string> {
  const id = newId();
  if (parentId === undefined) insertOrganization(write, { id, parentId: null, slug, name });
  else await insertClient(write, { id, parentId, slug, name });
  if (environment === 'test') makeSimulatedAccounts(write, id);
  return id;
}

async function insertClient(
  write: UnscopedWrite,
  client: Required<NewOrganization> & { id: string },
): Promise<void> {
  const { id, parentId, slug } = client;
  const parent = await lockForNewChild(write.transaction, parentId);
  if (parent === undefined) throw notFound('organization');
  // The parent's own slug in X-Service-Client means the parent itself.
  if (parent.slug === slug) throw new ApiError('slug_taken');
  insertOrganization(write, client);
  await mirrorSharedWarehouses(write, parentId, id);
  await mirrorSharedCarrierAccounts(write, parentId, id);
}
