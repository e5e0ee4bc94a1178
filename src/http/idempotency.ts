// Idempotency-Key (IETF draft): the stored answer commits in the transaction of the write that it answers.
import { createHash } from 'node:crypto';
import { type Executor, sql, type Transaction } from '../database/connect.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { Reply } from './envelope.ts';

export interface IdempotentRequest {
  organizationId: string;
  key: string;
  fingerprint: Buffer;
}

export function idempotentRequest(
  organizationId: string,
  key: string,
  method: string,
  url: string,
  body: unknown,
): IdempotentRequest {
  const fingerprint = createHash('sha256')
    .update(`${method} ${url}\n${JSON.stringify(body) ?? ''}`)
    .digest();
  return { organizationId, key, fingerprint };
}

/**
 * Claims the key for this transaction. Returns the stored answer when the same request was answered before.
 * @throws 409 idempotency_key_in_use while another transaction holds the key, 422 idempotency_key_reused
 */
export async function claim(
  transaction: Transaction,
  request: IdempotentRequest,
): Promise<Reply | undefined> {
  const { organizationId, key, fingerprint } = request;
  // Sent together, looked at one after the other: the answer is read by a statement that runs under the lock.
  const [[lock], [stored]] = await Promise.all([
    transaction.query<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockNumber(request)}::bigint) as locked`,
    ),
    transaction.query<{ fingerprint: Buffer; body: string; etag: string | null }>(sql`
      select fingerprint, body, etag from idempotency_keys
      where organization_id = ${organizationId} and key = ${key} and created_at > ${oldestKept()}`),
  ]);
  if (lock?.locked !== true) throw new ApiError('idempotency_key_in_use');
  if (stored === undefined) return undefined;
  if (!stored.fingerprint.equals(fingerprint)) throw new ApiError('idempotency_key_reused');
  return { body: stored.body, ...(stored.etag === null ? {} : { etag: stored.etag }) };
}

/** @throws 422 idempotency_key_reused when one of the keys was used for another request than this */
export async function requireSameRequest(
  database: Executor,
  { organizationId, fingerprint }: IdempotentRequest,
  keys: readonly string[],
): Promise<void> {
  const others = await database.query(sql`
    select 1 from idempotency_keys
    where organization_id = ${organizationId} and key = any(${keys}::text[]) and created_at > ${oldestKept()}
      and fingerprint <> ${fingerprint} limit 1`);
  if (others.length > 0) throw new ApiError('idempotency_key_reused');
}

/** Stores the answer; sent with the commit. An expired answer under the same key is replaced. */
export function keep(transaction: Transaction, request: IdempotentRequest, reply: Reply): void {
  transaction.send(sql`
    insert into idempotency_keys (organization_id, key, fingerprint, status, body, etag, created_at)
    values (${request.organizationId}, ${request.key}, ${request.fingerprint}, 200,
      ${reply.replayBody ?? reply.body}, ${reply.etag ?? null}, ${new Date()})
    on conflict (organization_id, key) do update
    set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
      etag = excluded.etag, created_at = excluded.created_at`);
}

/** Deletes the answers that are too old to be replayed, a bounded number at a time until none is left. */
export async function purgeIdempotencyKeys(database: Executor): Promise<void> {
  const limit = limits.idempotencyPurge;
  for (let deleted = limit; deleted === limit; ) {
    const rows = await database.query(sql`
      delete from idempotency_keys where (organization_id, key) in (
        select organization_id, key from idempotency_keys where created_at <= ${oldestKept()} limit ${limit})
      returning 1`);
    deleted = rows.length;
  }
}

function oldestKept(): Date {
  return new Date(Date.now() - limits.idempotencyHours * 3_600_000);
}

/** 63 bits of a hash: two keys that share them merely wait for each other with a 409. */
function lockNumber({ organizationId, key }: IdempotentRequest): string {
  const hash = createHash('sha256').update(`idempotency ${organizationId} ${key}`).digest();
  return (hash.readBigUInt64BE() >> 1n).toString();
}
