// The pool, and the only two ways to reach it: one statement at a time, or one transaction for one write.
import type { Socket } from 'node:net';
import pg from 'pg';
import * as limits from '../limits.ts';
import { isSilence, watchSilence } from './silence.ts';
import { compile, type Sql } from './sql.ts';

export { plannedAnew, type Sql, sql } from './sql.ts';

/** Runs statements. A Database runs each on its own; a Transaction runs all of them as one. */
export interface Executor {
  query<Row = unknown>(statement: Sql<Row>): Promise<Row[]>;
}

export interface Transaction extends Executor {
  /** Sends a statement without waiting for it. Should it fail, the transaction fails at its commit. */
  send(statement: Sql<unknown>): void;
  /** Waits for what was sent: written in pieces, a large change holds one of them in memory. */
  flush(): Promise<void>;
  /** Sends a statement right before the commit: what it locks, others wait for no longer than that takes. */
  sendLast(statement: Sql<unknown>): void;
}

export interface Database extends Executor {
  /** Runs `work` in one transaction; deadlocks and serialization failures are retried, so it may run again. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** The pool underneath, for metrics and for streaming. */
  readonly pool: pg.Pool;
  /** Called with the text of every statement sent; tests count with it. */
  onStatement?: ((text: string) => void) | undefined;
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

async function run<Row>(
  target: pg.Pool | pg.ClientBase,
  statement: Sql<Row>,
  onStatement?: (text: string) => void,
): Promise<Row[]> {
  const compiled = compile(statement);
  onStatement?.(compiled.text);
  const result = await target.query(compiled);
  const { rows } = result;
  // The driver's result lives on for a while, and its rows with it: they would be moved among the old, where clearing costs more.
  result.rows = [];
  return rows;
}

export interface ConnectOptions {
  max?: number;
  applicationName?: string;
  /** How long the server may be silent before its connection is given up. */
  answerTimeoutMs?: number;
  /** Statements may take as long as they need, as those that look at all there is do. */
  patient?: boolean;
}

export function connect(url: string, options: ConnectOptions = {}): Database {
  const answerTimeoutMs = options.answerTimeoutMs ?? limits.answerTimeoutMs;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? limits.poolSize,
    application_name: options.applicationName ?? 'waybill',
    connectionTimeoutMillis: Math.min(limits.connectionTimeoutMs, answerTimeoutMs),
    idleTimeoutMillis: limits.idleConnectionMs,
    statement_timeout: options.patient === true ? 0 : limits.statementTimeoutMs,
    // A server that vanished without a word (power, network, failover) would hold its connections for a quarter of an hour.
    query_timeout: options.patient === true ? 0 : answerTimeoutMs,
    keepAlive: true,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    pipeline: true,
  } as pg.PoolConfig);
  // A connection that breaks fails what runs on it and is replaced; without listeners the process would end,
  // for the pool listens to idle connections only.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const failed = watchSilence(pool);

  const database: Database = {
    pool,
    onStatement: undefined,
    async query<Row>(statement: Sql<Row>): Promise<Row[]> {
      try {
        return await run(pool, statement, database.onStatement);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction(pool, work, database.onStatement);
        } catch (error) {
          failed(error);
          if (!isRetryable(error) || attempt >= limits.transactionAttempts) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
        }
      }
    },
    close: () => pool.end(),
  };
  return database;
}

const corked = new WeakSet<Socket>();

/**
 * Called before each statement: those sent on a connection without waiting in between leave in one write, not in one
 * per statement.
 */
export function writeTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  onStatement?: (text: string) => void,
): Promise<T> {
  const client = await pool.connect();
  const command = (text: 'begin' | 'commit') => {
    writeTogether(client);
    return client.query(text);
  };
  const execute = <Row>(statement: Sql<Row>) => {
    writeTogether(client);
    return run(client, statement, onStatement);
  };
  const sent: Promise<unknown>[] = [];
  const last: Sql<unknown>[] = [];
  // Statements are pipelined: `begin` and whatever was sent travel with the next one that is waited for.
  let failure: unknown;
  const send = (result: Promise<unknown>) => {
    result.catch((error: unknown) => {
      failure ??= error;
    });
    sent.push(result);
  };
  // Of statements that are waited for together, a later one may be heard of first.
  let firstFailure: unknown;
  const noted = <Row>(rows: Promise<Row[]>) => {
    rows.catch((error: unknown) => {
      firstFailure ??= error;
    });
    return rows;
  };
  let broken = false;
  try {
    send(command('begin'));
    const result = await work({
      query: (statement) => noted(execute(statement)),
      send: (statement) => send(execute(statement)),
      flush: async () => {
        await Promise.all(sent.splice(0));
      },
      sendLast: (statement) => last.push(statement),
    });
    for (const statement of last) send(execute(statement));
    send(command('commit'));
    await Promise.all(sent);
    return result;
  } catch (error) {
    // What is waited for after another statement failed only says that the transaction is aborted.
    const cause = failure ?? (isAborted(error) ? firstFailure : error);
    // After a failed statement PostgreSQL turns the commit into a rollback; this covers every other way out. A silent
    // server would be waited for once more, in vain.
    broken = isSilence(cause);
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
    }
    throw cause;
  } finally {
    client.release(broken);
  }
}

/** Refused because a statement before it had failed. */
function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

const retryableStates = new Set(['40001', '40P01']);
/** A race for one of these is lost; run again, the write finds the winner and can name it. */
const retryableConstraints = new Set(['orders_unique_alias_key']);

/** Thrown inside a transaction that found, after it took its locks, that it has to begin again. */
export class Retry extends Error {}

function isRetryable(error: unknown): boolean {
  if (error instanceof Retry) return true;
  if (!(error instanceof pg.DatabaseError)) return false;
  return retryableStates.has(error.code ?? '') || retryableConstraints.has(constraintOf(error) ?? '');
}

/** Whether the database is read-only, or its disk is full: what is there can be read. */
export function takesNoWrites(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '25006' || error.code === '53100');
}

/** A sharded table's constraint carries the shard's number; its name may only be in the message. */
export function constraintOf(error: pg.DatabaseError): string | undefined {
  const name = error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1];
  return name?.replace(/_\d+$/, '');
}
