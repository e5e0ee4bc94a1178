// One write of one request: idempotency, a transaction, and the names that were taken before it.
import pg from 'pg';
import type { Scope } from '../auth/scope.ts';
import { constraintOf, type Database, type Transaction } from '../database/connect.ts';
import * as limits from '../limits.ts';
import type { Write } from './api.ts';
import type { Reply } from './envelope.ts';
import { claim, type IdempotentRequest, keep } from './idempotency.ts';

/** A write that no If-Match is about. */
export function writeOf(transaction: Transaction, scope: Scope, now: Date = new Date()): Write {
  return { transaction, scope, now, ifMatch: undefined };
}

export type Sent = Reply & { replayed?: boolean };

/** What a write is beside its transaction and its time. */
export type Asked = Pick<Write, 'scope' | 'ifMatch'>;

export interface Work<Prepared> {
  /** Runs before the transaction opens, in statements of its own. */
  prepare: () => Promise<Prepared>;
  answer: (write: Write, prepared: Prepared) => Promise<Reply>;
}

/** The work's effect and, under an idempotency key, its answer commit together; a replay has no effect. */
export function runWrite<P>(
  database: Database,
  asked: Asked,
  idempotent: IdempotentRequest | undefined,
  { prepare, answer }: Work<P>,
): Promise<Sent> {
  return withFreeName(async () => {
    const prepared = await prepare();
    return database.transaction(async (transaction): Promise<Sent> => {
      const stored = idempotent === undefined ? undefined : await claim(transaction, idempotent);
      if (stored !== undefined) return { ...stored, replayed: true };
      const reply = await answer({ transaction, now: new Date(), ...asked }, prepared);
      if (idempotent !== undefined) keep(transaction, idempotent, reply);
      return reply;
    });
  });
}

/** `SO-` and `SO-1` can both come to `SO-11001`: what was prepared is prepared again, and the next number is free. */
async function withFreeName<T>(once: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      const constraint = error instanceof pg.DatabaseError ? constraintOf(error) : undefined;
      if (!preparedNames.has(constraint ?? '') || attempt >= limits.nameAttempts) throw error;
    }
  }
}

const preparedNames = new Set(['orders_name_key', 'return_orders_name_key', 'purchase_orders_name_key']);
