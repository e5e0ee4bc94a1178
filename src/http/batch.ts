// A request made of many writes, each in a transaction of its own: a replay goes on where a crash stopped it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Scope } from '../auth/scope.ts';
import type { Database } from '../database/connect.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { Reply } from './envelope.ts';
import { apiErrorOf } from './error-handler.ts';
import { claim, type IdempotentRequest, requireSameRequest } from './idempotency.ts';
import { runWrite, type Sent, type Work } from './write.ts';

/** What a batch is given instead of a transaction. */
export interface Batch {
  database: Database;
  scope: Scope;
  /** All of it as one write, as every other operation is. */
  whole<P>(work: Work<P>): Promise<Sent>;
  /** As many writes as there are parts; `answer` gets what became of each, in order. */
  parts(parts: Parts): Promise<Sent>;
}

export interface Parts {
  count: number;
  /** How many run at the same time. */
  atOnce: number;
  /** One part: its answer's body. What it throws is that part's failure; the others go on. */
  part: (index: number, write: <P>(work: Work<P>) => Promise<Reply>) => Promise<string>;
  answer: (results: readonly (string | ApiError)[]) => Reply;
}

interface BatchRequest {
  database: Database;
  scope: Scope;
  idempotent: IdempotentRequest | undefined;
  /** Keys of the batches that run in this process. Another process that is sent the same one works along. */
  running: Set<string>;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export function makeBatch(request: BatchRequest): Batch {
  const { database, scope, idempotent } = request;
  const asked = { scope, ifMatch: undefined };
  return {
    database,
    scope,
    whole: (work) => runWrite(database, asked, idempotent, work),
    parts: (parts) =>
      idempotent === undefined ? runParts(request, parts) : once(request, () => resumeParts(request, parts)),
  };
}

/** @throws 409 idempotency_key_in_use while the same batch runs */
async function once<T>({ running, idempotent }: BatchRequest, work: () => Promise<T>): Promise<T> {
  const name = `${idempotent!.organizationId} ${idempotent!.key}`;
  if (running.has(name)) throw new ApiError('idempotency_key_in_use');
  running.add(name);
  try {
    return await work();
  } finally {
    running.delete(name);
  }
}

/** Each part's answer commits with the part, the whole's when all are done; so a crash between them loses none. */
async function resumeParts(request: BatchRequest, parts: Parts): Promise<Sent> {
  const { database, scope } = request;
  const idempotent = request.idempotent!;
  const stored = await whenFree(() => database.transaction((transaction) => claim(transaction, idempotent)));
  if (stored !== undefined) return { ...stored, replayed: true };
  const keys = Array.from({ length: parts.count }, (_, index) => partKey(idempotent.key, index));
  await requireSameRequest(database, idempotent, keys);
  return runParts(request, parts, (reply) =>
    whenFree(() => {
      const work = { prepare: async () => undefined, answer: async () => reply };
      return runWrite(database, { scope, ifMatch: undefined }, idempotent, work);
    }),
  );
}

async function runParts(
  request: BatchRequest,
  { count, atOnce, part, answer }: Parts,
  keep?: (reply: Reply) => Promise<Sent>,
): Promise<Sent> {
  const { database, scope, idempotent, log } = request;
  const asked = { scope, ifMatch: undefined };
  let unavailable: ApiError | undefined;
  const results = await inParallel(count, atOnce, async (index): Promise<string | ApiError> => {
    const own = idempotent === undefined ? undefined : { ...idempotent, key: partKey(idempotent.key, index) };
    // The others would only wait for the database in vain, one after the other.
    if (unavailable !== undefined) return unavailable;
    try {
      return await part(index, (work) => whenFree(() => runWrite(database, asked, own, work)));
    } catch (error) {
      const failure = apiErrorOf(error);
      if (failure.code === 'idempotency_key_reused' || failure.code === 'idempotency_key_in_use')
        throw failure;
      if (failure.status >= 500) log.error({ err: error, index }, 'part of a batch failed');
      if (failure.code === 'unavailable') unavailable = failure;
      return failure;
    }
  });
  const reply = answer(results);
  // What failed for a reason that passes is tried again by a replay, so this answer must not be the last word.
  const passing = results.some((result) => result instanceof ApiError && result.status >= 500);
  return keep === undefined || passing ? reply : keep(reply);
}

/** A line break is in no key that a client can send. */
function partKey(key: string, index: number): string {
  return `${key}\n${index}`;
}

/** Waits while another process works on the same part of the same batch. */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + limits.lockTimeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const inUse = error instanceof ApiError && error.code === 'idempotency_key_in_use';
      if (!inUse || performance.now() > until) throw error;
      await sleep(20);
    }
  }
}

/** Results in order; after the first error no further part begins, and it is thrown once those begun have ended. */
async function inParallel<T>(
  count: number,
  atOnce: number,
  run: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  let stopped = false;
  const worker = async () => {
    while (!stopped && next < count) {
      const index = next;
      next += 1;
      try {
        results[index] = await run(index);
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, worker));
  const failed = workers.find((settled) => settled.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
