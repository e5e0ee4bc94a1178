// Changes what the body names of the organisation that asks.
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findOrganization, lockOrganization, updateOrganization as storeOrganization } from './queries.ts';
import type { UpdateOrganizationBody } from './schema.ts';

export async function updateOrganization(write: Write, body: UpdateOrganizationBody): Promise<Found> {
  const row = await lockOrganization(write);
  requireVersion(write, row.version);
  storeOrganization(write, { ...row, ...body });
  return (await findOrganization(write.transaction, write.scope.organizationId))!;
}
