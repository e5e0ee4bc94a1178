// API keys: how they look, how they are made, how they are found.
import { createHash, randomBytes } from 'node:crypto';
import { type Executor, sql } from '../database/connect.ts';
import * as limits from '../limits.ts';
import type { User } from './scope.ts';

export type Environment = 'live' | 'test';

export interface Key {
  id: string;
  organizationId: string;
  organizationSlug: string;
  permissions: string[];
  user: User;
  rateLimit: number | null;
  expiresAt: Date | null;
}

/** A new secret key: `wb_live_` or `wb_test_` and 43 characters of base64url (256 random bits). */
export function makeSecret(environment: Environment): string {
  return `wb_${environment}_${randomBytes(32).toString('base64url')}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Finds keys by their secret, remembering each answer for a second: a revocation takes effect within that time. */
export interface KeyFinder {
  find(secret: string): Promise<Key | undefined>;
  /** The child of `parentId` with this slug. */
  findChild(parentId: string, slug: string): Promise<string | undefined>;
  /** Forgets everything; called where this process itself revokes a key. */
  forget(): void;
}

export function keyFinder(database: Executor, environment: Environment): KeyFinder {
  const form = new RegExp(`^wb_${environment}_[A-Za-z0-9_-]{43}$`);
  const keys = remember(limits.keyCacheMs, (hash: string) => findKey(database, Buffer.from(hash, 'hex')));
  const children = remember(limits.keyCacheMs, (parentAndSlug: string) => {
    const [parentId = '', slug = ''] = parentAndSlug.split(' ');
    return findChild(database, parentId, slug);
  });
  return {
    async find(secret) {
      // Secrets are compared as indexed hashes, so the time a look-up takes says nothing about a key.
      if (!form.test(secret)) return undefined;
      const key = await keys.get(hashSecret(secret).toString('hex'));
      return key !== undefined && (key.expiresAt === null || key.expiresAt > new Date()) ? key : undefined;
    },
    findChild: (parentId, slug) => children.get(`${parentId} ${slug}`),
    forget() {
      keys.clear();
      children.clear();
    },
  };
}

function remember<T>(ms: number, load: (key: string) => Promise<T>) {
  const entries = new Map<string, { until: number; value: Promise<T> }>();
  return {
    clear: () => entries.clear(),
    get(key: string): Promise<T> {
      // A wall clock that is set back would keep a revoked key alive for as long.
      const now = performance.now();
      const known = entries.get(key);
      if (known !== undefined && known.until > now) return known.value;
      if (entries.size >= limits.keyCacheEntries) entries.clear();
      const value = load(key);
      entries.set(key, { until: now + ms, value });
      value.catch(() => entries.delete(key));
      return value;
    },
  };
}

async function findKey(database: Executor, hash: Buffer): Promise<Key | undefined> {
  const rows = await database.query<{
    id: string;
    organization_id: string;
    slug: string;
    permissions: string[];
    user_id: string;
    user_name: string | null;
    user_email: string | null;
    rate_limit: number | null;
    expires_at: Date | null;
  }>(sql`
    select k.id, k.organization_id, o.slug, k.permissions, k.user_id, k.user_name, k.user_email,
      k.rate_limit, k.expires_at
    from api_keys k join organizations o on o.id = k.organization_id
    where k.key_hash = ${hash} and k.revoked_at is null`);
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationSlug: row.slug,
    permissions: row.permissions,
    user: { id: row.user_id, name: row.user_name, email: row.user_email },
    rateLimit: row.rate_limit,
    expiresAt: row.expires_at,
  };
}

async function findChild(database: Executor, parentId: string, slug: string): Promise<string | undefined> {
  const rows = await database.query<{ id: string }>(
    sql`select id from organizations where parent_id = ${parentId} and slug = ${slug}`,
  );
  return rows[0]?.id;
}

/** Notes that a key was used, at most once a minute per key and process. */
export function usageRecorder(database: Executor): (keyId: string) => void {
  const noted = new Map<string, number>();
  return (keyId) => {
    const now = performance.now();
    const notedAt = noted.get(keyId);
    if (notedAt !== undefined && now - notedAt < limits.lastUsedMs) return;
    if (noted.size >= limits.keyCacheEntries) noted.clear();
    noted.set(keyId, now);
    database
      .query(sql`update api_keys set last_used_at = ${new Date()} where id = ${keyId}`)
      // Not tried again at once: a database that takes no writes would be asked with every read.
      .catch(() => {});
  };
}
