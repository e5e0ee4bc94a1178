// Headers -> Scope: who asks, for which organisation, and whether at this rate.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyFinder } from '../auth/key.ts';
import { allows, type Permission, type Scope } from '../auth/scope.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { rateLimiter } from './rate-limit.ts';

/** What is known of a request once its key was found. */
export interface Caller {
  scope: Scope;
  permissions: string[];
  /** X-Service-Client named no child of the key's organisation; said only after what precedes a 404. */
  clientMissing: boolean;
}

export interface Authentication {
  keys: KeyFinder;
  recordUse: (keyId: string) => void;
  take: ReturnType<typeof rateLimiter>;
  requestsPerSecond: number;
  /** Headers that name the client organisation, in lower case. */
  clientHeaders: string[];
}

/** @throws 401 unauthorized, 400 invalid_header, 429 rate_limited */
export async function authenticate(
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const [, secret] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const key = secret === undefined ? undefined : await authentication.keys.find(secret);
  if (key === undefined) {
    reply.header('www-authenticate', 'Bearer');
    throw new ApiError('unauthorized');
  }
  authentication.recordUse(key.id);
  const slug = clientSlug(authentication.clientHeaders, request);
  let organizationId: string | undefined = key.organizationId;
  if (slug !== undefined && slug !== key.organizationSlug) {
    organizationId = await authentication.keys.findChild(key.organizationId, slug);
  }
  const scope: Scope = {
    organizationId: organizationId ?? key.organizationId,
    keyOrganizationId: key.organizationId,
    apiKeyId: key.id,
    user: key.user,
  };
  limitRate(authentication, scope, key.rateLimit, reply);
  return { scope, permissions: key.permissions, clientMissing: organizationId === undefined };
}

export function requirePermission(caller: Caller, permission: Permission): void {
  if (!allows(caller.permissions, permission)) {
    throw new ApiError('permission_denied', { details: { permission } });
  }
}

function clientSlug(names: string[], request: FastifyRequest): string | undefined {
  const sent = names.flatMap((name) => request.headers[name] ?? []);
  const [slug] = sent;
  if (slug === undefined) return undefined;
  if (sent.some((other) => other !== slug)) {
    throw new ApiError('invalid_header', { message: `${names.join(' and ')} name different organizations` });
  }
  if (slug.length === 0 || slug.length > limits.headerLengthMax) {
    throw new ApiError('invalid_header', { message: `${names[0]} must be the slug of an organization` });
  }
  return slug;
}

function limitRate(
  { take, requestsPerSecond }: Authentication,
  scope: Scope,
  ofKey: number | null,
  reply: FastifyReply,
): void {
  const grant = take(`${scope.apiKeyId} ${scope.organizationId}`, ofKey ?? requestsPerSecond);
  reply.header('ratelimit-policy', `"default";q=${grant.burst};w=${limits.rateBurstSeconds}`);
  reply.header('ratelimit', `"default";r=${grant.remaining};t=${grant.resetSeconds}`);
  if (!grant.allowed) {
    reply.header('retry-after', String(grant.resetSeconds));
    throw new ApiError('rate_limited');
  }
}
