// Creates a client: an organisation below the one that asks.
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { createOrganization } from './create-organization.ts';
import { findOrganization } from './queries.ts';
import type { CreateClientBody } from './schema.ts';

export async function createClient(write: Write, body: CreateClientBody): Promise<Found> {
  const id = await createOrganization(write, { ...body, parentId: write.scope.organizationId });
  return (await findOrganization(write.transaction, id))!;
}
