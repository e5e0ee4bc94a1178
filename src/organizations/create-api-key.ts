// Makes an API key for the organisation acted for. No key grants more than it has itself.
import { type Environment, hashSecret, makeSecret } from '../auth/key.ts';
import { allows, type Permission } from '../auth/scope.ts';
import { derivedId, newId } from '../database/ids.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findApiKey, holdActingKey, insertApiKey } from './queries-keys.ts';
import type { CreateApiKeyBody } from './schema.ts';

export interface NewApiKey extends CreateApiKeyBody {
  /** Requests a second; only where the service itself acts: a key hands on its own. */
  rateLimit?: number;
}

export interface CreatedKey {
  found: Found;
  /** The secret; kept nowhere. */
  key: string;
}

/** @throws 400 for an expiry in the past, 401 when the acting key was revoked meanwhile, 403 permission_denied */
export async function createApiKey(
  write: Write,
  body: NewApiKey,
  environment: Environment,
): Promise<CreatedKey> {
  const expiresAt = expiryOf(body, write.now);
  const rateLimit = await grantedRate(write, body);
  const { userName = null, userEmail = null } = body;
  const key = makeSecret(environment);
  const id = newId();
  insertApiKey(write, {
    id,
    hash: hashSecret(key),
    prefix: `wb_${environment}_`,
    lastFour: key.slice(-4),
    name: body.name,
    permissions: body.permissions,
    userId: userIdOf(write.scope.organizationId, userEmail),
    userName,
    userEmail,
    rateLimit,
    expiresAt,
  });
  return { found: (await findApiKey(write.transaction, write.scope.organizationId, id))!, key };
}

function expiryOf(body: NewApiKey, now: Date): Date | null {
  if (body.expiresAt === undefined || body.expiresAt === null) return null;
  const expiresAt = new Date(body.expiresAt);
  if (expiresAt > now) return expiresAt;
  throw invalid([{ path: '/expiresAt', code: 'out_of_range', message: 'must be in the future' }]);
}

/** Checks that the acting key has what it grants. Returns the new key's rate limit. */
async function grantedRate(write: Write, body: NewApiKey): Promise<number | null> {
  const { apiKeyId } = write.scope;
  if (apiKeyId === null) return body.rateLimit ?? null;
  // Read anew: what is remembered of a key for a second must not outlive the key in the shape of another.
  const acting = await holdActingKey(write, apiKeyId);
  if (acting === undefined) throw new ApiError('unauthorized');
  const lacking = body.permissions.find((permission) => !grants(acting.permissions, permission));
  if (lacking !== undefined) {
    throw new ApiError('permission_denied', {
      message: `The API key lacks ${lacking} itself, so it cannot grant it`,
      details: { permission: lacking },
    });
  }
  return acting.rateLimit;
}

/** Every permission of today is less than `all`, which includes those of tomorrow. */
function grants(own: readonly string[], permission: string): boolean {
  return permission === 'all' ? own.includes('all') : allows(own, permission as Permission);
}

/** Made from the e-mail address, so that two keys made at once for one person belong to one user. */
function userIdOf(organizationId: string, email: string | null): string {
  return email === null || email === '' ? newId() : derivedId(organizationId, `user ${email.toLowerCase()}`);
}
