// Revokes an API key for good; a repeat answers the same.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findApiKey, lockApiKey, revokeApiKey as storeRevocation } from './queries-keys.ts';

export async function revokeApiKey(write: Write, id: string): Promise<Found> {
  const version = await lockApiKey(write, id);
  if (version === undefined) throw notFound('API key');
  requireVersion(write, version);
  storeRevocation(write, id);
  return (await findApiKey(write.transaction, write.scope.organizationId, id))!;
}
