// Every SQL statement about API keys, but for those that authenticate (auth/key.ts).
import { type Executor, sql } from '../database/connect.ts';
import { column as ref } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { apiKeyJson } from './present.ts';
import type { apiKeySorts, ListApiKeysQuery } from './schema.ts';

const sorts: Record<(typeof apiKeySorts)[number], Sort> = {
  createdAt: { column: ref('k.created_at'), type: 'timestamptz' },
  name: { column: ref('k.name'), type: 'text' },
  lastUsedAt: { column: ref('k.last_used_at'), type: 'timestamptz', nullable: true },
  expiresAt: { column: ref('k.expires_at'), type: 'timestamptz', nullable: true },
};

export function listApiKeys(
  database: Executor,
  organizationId: string,
  query: ListApiKeysQuery,
): Promise<Page> {
  const where = [sql`k.organization_id = ${organizationId}`];
  if (query.search !== undefined) {
    const text = sql`lower(k.name || E'\\n' || coalesce(k.user_name, '') || E'\\n' || coalesce(k.user_email, ''))`;
    where.push(sql`${text} like ${searchPattern(query.search)}`);
  }
  return listPage(database, organizationId, query, {
    name: 'listApiKeys',
    alias: 'k',
    from: sql`api_keys k`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: apiKeyJson,
  });
}

/** A key changes once in its life: when it is revoked. Hence its version. */
const version = sql<number>`case when k.revoked_at is null then 1 else 2 end`;

export async function findApiKey(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${apiKeyJson}::text as json, ${version} as version from api_keys k
    where k.organization_id = ${organizationId} and k.id = ${id}`);
  return found;
}

/** The version, and the row locked until the transaction ends. */
export async function lockApiKey(write: Write, id: string): Promise<number | undefined> {
  const [row] = await write.transaction.query<{ version: number }>(sql`
    select ${version} as version from api_keys k
    where k.organization_id = ${write.scope.organizationId} and k.id = ${id} for update`);
  return row?.version;
}

/** What the key that asks may do; it stays valid until the transaction ends. Undefined when it no longer is. */
export async function holdActingKey(
  write: Write,
  id: string,
): Promise<{ permissions: string[]; rateLimit: number | null } | undefined> {
  const [row] = await write.transaction.query<{ permissions: string[]; rateLimit: number | null }>(sql`
    select permissions, rate_limit as "rateLimit" from api_keys
    where organization_id = ${write.scope.keyOrganizationId} and id = ${id} and revoked_at is null
      and (expires_at is null or expires_at > ${write.now})
    for share`);
  return row;
}

export interface ApiKeyRow {
  id: string;
  hash: Buffer;
  prefix: string;
  lastFour: string;
  name: string;
  permissions: readonly string[];
  userId: string;
  userName: string | null;
  userEmail: string | null;
  rateLimit: number | null;
  expiresAt: Date | null;
}

export function insertApiKey(write: Write, key: ApiKeyRow): void {
  write.transaction.send(sql`
    insert into api_keys (id, organization_id, key_hash, key_prefix, last_four, name, permissions, user_id,
      user_name, user_email, rate_limit, expires_at, created_at)
    values (${key.id}, ${write.scope.organizationId}, ${key.hash}, ${key.prefix}, ${key.lastFour}, ${key.name},
      ${key.permissions}, ${key.userId}, ${key.userName}, ${key.userEmail}, ${key.rateLimit}, ${key.expiresAt},
      ${write.now})`);
}

export function revokeApiKey(write: Write, id: string): void {
  write.transaction.send(sql`
    update api_keys set revoked_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id} and revoked_at is null`);
}
