// Creates a client: an organisation below the one that asks.
import type { Environment } from '../auth/key.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { createOrganization } from './create-organization.ts';
import { findOrganization } from './queries.ts';
import type { CreateClientBody } from './schema.ts';

export async function createClient(
  write: Write,
  body: CreateClientBody,
  environment: Environment,
): Promise<Found> {
  const client = { ...body, parentId: write.scope.organizationId };
  const id = await createOrganization(write, client, environment);
  return (await findOrganization(write.transaction, id))!;
}
