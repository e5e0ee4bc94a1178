// Makes an organisation: one that stands by itself, or a client with its place in what the parent shares.
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

/** Returns its id. @throws 409 slug_taken */
export async function createOrganization(
  write: UnscopedWrite,
  { slug, name, parentId }: NewOrganization,
): Promise<string> {
  const id = newId();
  if (parentId === undefined) {
    insertOrganization(write, { id, parentId: null, slug, name });
    return id;
  }
  const parent = await lockForNewChild(write.transaction, parentId);
  if (parent === undefined) throw notFound('organization');
  // The parent's own slug in X-Service-Client means the parent itself.
  if (parent.slug === slug) throw new ApiError('slug_taken');
  insertOrganization(write, { id, parentId, slug, name });
  await mirrorSharedWarehouses(write, parentId, id);
  return id;
}
