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

/** A kept answer, or `intent`: the id of what the request began and what a replay goes on with. */
export type Stored = Reply & { intent?: string };

/** The status under which an intent is kept until there is an answer. */
const underWay = 202;

/**
 * Claims the key for this transaction. Returns the stored answer when the same request was answered before.
 * @throws 409 idempotency_key_in_use while another transaction holds the key, 422 idempotency_key_reused
 */
export async function claim(
  transaction: Transaction,
  request: IdempotentRequest,
): Promise<Stored | undefined> {
  // Sent together, looked at one after the other: the answer is read by a statement that runs under the lock.
  const [[lock], [stored]] = await Promise.all([
    transaction.query<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockNumber(request)}::bigint) as locked`,
    ),
    readRow(transaction, request),
  ]);
  if (lock?.locked !== true) throw new ApiError('idempotency_key_in_use');
  return storedAnswer(stored, request);
}

/** The same without a claim: what would be known before a transaction is opened. @throws 422 idempotency_key_reused */
export async function findStored(
  database: Executor,
  request: IdempotentRequest,
): Promise<Stored | undefined> {
  return storedAnswer((await readRow(database, request))[0], request);
}

interface StoredRow {
  fingerprint: Buffer;
  status: number;
  body: string;
  etag: string | null;
}

function readRow(database: Executor, { organizationId, key }: IdempotentRequest): Promise<StoredRow[]> {
  return database.query<StoredRow>(sql`
    select fingerprint, status, body, etag from idempotency_keys
    where organization_id = ${organizationId} and key = ${key} and created_at > ${oldestKept()}`);
}

function storedAnswer(row: StoredRow | undefined, { fingerprint }: IdempotentRequest): Stored | undefined {
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(fingerprint)) throw new ApiError('idempotency_key_reused');
  const { status, body, etag } = row;
  return { body, ...(etag === null ? {} : { etag }), ...(status === underWay ? { intent: body } : {}) };
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
  store(transaction, request, {
    status: 200,
    body: reply.replayBody ?? reply.body,
    etag: reply.etag ?? null,
  });
}

/** Stores what the request has begun: whoever repeats it goes on with that. */
export function keepIntent(transaction: Transaction, request: IdempotentRequest, id: string): void {
  store(transaction, request, { status: underWay, body: id, etag: null });
}

/** Frees the key of an intent that came to nothing. */
export function forgetIntent(transaction: Transaction, { organizationId, key }: IdempotentRequest): void {
  transaction.send(sql`
    delete from idempotency_keys
    where organization_id = ${organizationId} and key = ${key} and status = ${underWay}`);
}

function store(
  transaction: Transaction,
  { organizationId, key, fingerprint }: IdempotentRequest,
  { status, body, etag }: Omit<StoredRow, 'fingerprint'>,
): void {
  transaction.send(sql`
    insert into idempotency_keys (organization_id, key, fingerprint, status, body, etag, created_at)
    values (${organizationId}, ${key}, ${fingerprint}, ${status}, ${body}, ${etag}, ${new Date()})
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
