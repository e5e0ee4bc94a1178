// The statements of real requests, recorded where they enter the driver, and replayed without all that is above it.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { writeTogether } from '../src/database/connect.ts';
import { newId } from '../src/database/ids.ts';

interface Statement {
  /** What the driver was given: a text, or a prepared statement with its values. */
  query: string | { name?: string; text: string; values: unknown[] };
  client: pg.Client;
  /** How many rows it answered. */
  rows?: number | null;
}

/** Statements that were sent together, before any of them was answered. */
type Flight = Statement[];

/** The flights of one request, in their order. */
export type Tape = Flight[];

/** Reading keys and noting their use happens once in a while, whatever is asked for. */
const occasional = /\bapi_keys\b/;

/** Records what `work` sends on any connection of this process. */
export async function record(work: () => Promise<unknown>): Promise<Tape> {
  const prototype = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const original = prototype.query;
  const tape: Tape = [];
  let outstanding = 0;
  prototype.query = function query(this: pg.Client, ...given: unknown[]) {
    const statement = given[0] as Statement['query'];
    if (occasional.test(typeof statement === 'string' ? statement : statement.text)) {
      return original.apply(this, given);
    }
    if (outstanding === 0) tape.push([]);
    outstanding += 1;
    const sent: Statement = { query: statement, client: this };
    tape.at(-1)!.push(sent);
    const done = (result?: pg.QueryResult) => {
      outstanding -= 1;
      if (result !== undefined) sent.rows = result.rowCount;
    };
    return whenAnswered(this, original, given, done);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return tape;
}

/** Calls the driver's own function, and `done` before whoever waits for the answer goes on. */
function whenAnswered(
  client: pg.Client,
  query: (...given: unknown[]) => unknown,
  given: unknown[],
  done: (result?: pg.QueryResult) => void,
): unknown {
  const last = given.findLastIndex((one) => typeof one === 'function');
  if (last >= 0) {
    const callback = given[last] as (error: unknown, result?: pg.QueryResult) => void;
    given[last] = (error: unknown, result?: pg.QueryResult) => {
      done(result);
      callback(error, result);
    };
    return query.apply(client, given);
  }
  const answer = query.apply(client, given) as Promise<pg.QueryResult>;
  answer.then(done, () => done());
  return answer;
}

/** A lock found less than it did: what was recorded after it would be blind to whoever was quicker. */
class Overtaken extends Error {}

/** One replay of so many may be overtaken, by the service's background work; of more it would be no floor. */
const overtakenOnceIn = 20;

/**
 * Replays a tape, each time with fresh ids, names and keys in place of those that may exist only once. One that is overtaken
 * ends there.
 * @throws where too many are
 */
export type Replay = (pool: pg.Pool) => Promise<void>;

/** Called right after the recording: by then, a time that is still to come is one that something is due at. */
export function replayOf(tape: Tape, madeAfter: Date): Replay {
  const copy = copier(tape, madeAfter);
  let replays = 0;
  let overtaken = 0;
  return async (pool) => {
    const fresh = copy();
    replays += 1;
    let transaction: pg.PoolClient | undefined;
    try {
      for (const flight of fresh) {
        if (flight[0]!.query === 'begin') transaction = await pool.connect();
        await (transaction === undefined ? flyAlone(pool, flight) : fly(transaction, flight));
        if (flight.at(-1)!.query !== 'commit') continue;
        transaction?.release();
        transaction = undefined;
      }
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      overtaken += 1;
      if (overtaken * overtakenOnceIn > replays + overtakenOnceIn) throw error;
    } finally {
      transaction?.release(true);
    }
  };
}

async function fly(client: pg.ClientBase, flight: Flight): Promise<void> {
  writeTogether(client);
  const results = await Promise.all(flight.map(({ query }) => client.query(query as pg.QueryConfig)));
  for (const [index, { query, rows }] of flight.entries()) {
    if (typeof query === 'string' || !locks.test(query.text) || results[index]!.rowCount === rows) continue;
    throw new Overtaken(`A replay locked ${results[index]!.rowCount} rows instead of ${rows}: ${query.text}`);
  }
}

const locks = /\bfor (no key )?update\b/;

/** Outside a transaction: as many connections at a time as the request took. */
async function flyAlone(pool: pg.Pool, flight: Flight): Promise<void> {
  const byClient = Map.groupBy(flight, ({ client }) => client);
  await Promise.all(
    [...byClient.values()].map(async (statements) => {
      if (statements.length === 1) return void (await pool.query(statements[0]!.query as pg.QueryConfig));
      const client = await pool.connect();
      try {
        await fly(client, statements);
      } finally {
        client.release();
      }
    }),
  );
}

/** Returns a function that copies the tape with everything unique replaced, alike wherever it stands. */
function copier(tape: Tape, madeAfter: Date): () => Tape {
  const recordedAt = Date.now();
  const made = new Map<string, () => string>();
  for (const { query } of tape.flat()) {
    if (typeof query === 'string') continue;
    for (const text of textsIn(query.values)) {
      if (isMadeAfter(text, madeAfter)) made.set(text, newId);
    }
    for (const [pattern, index, freshen] of uniqueValues) {
      const text = pattern.test(query.text) ? query.values[index] : undefined;
      if (typeof text === 'string') made.set(text, () => freshen(text));
    }
  }
  return () => {
    const fresh = new Map([...made].map(([text, make]) => [text, make()]));
    const lateBy = Date.now() - recordedAt;
    // A claim that had run out with the recording's would leave what is replayed to the service's background.
    const due = (time: Date) => (time.getTime() > recordedAt ? new Date(time.getTime() + lateBy) : time);
    const replaced = (value: unknown): unknown => {
      if (typeof value === 'string') return fresh.get(value) ?? value;
      if (value instanceof Date) return due(value);
      return Array.isArray(value) ? value.map(replaced) : value;
    };
    return tape.map((flight) =>
      flight.map((sent) => {
        const { query } = sent;
        if (typeof query === 'string') return sent;
        return { ...sent, query: { ...query, values: query.values.map(replaced) } };
      }),
    );
  };
}

/** Statements with a value that is unique without being an id: which statement, which value, and a fresh one. */
const uniqueValues: [RegExp, number, (text: string) => string][] = [
  [/^\s*insert into orders /, 2, () => `SO-R${newId()}`],
  [/pg_try_advisory_xact_lock/, 0, () => (randomBytes(8).readBigUInt64BE() >> 1n).toString()],
  [/^\s*insert into idempotency_keys /, 1, () => newId()],
];

/** Ids say when they were made: those of the recorded request, not those of what it refers to. */
function isMadeAfter(text: string, moment: Date): boolean {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)) return false;
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) >= moment.getTime();
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}
