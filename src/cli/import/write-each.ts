// Writes the records of a batch, each in a transaction of its own and several at once.
import { systemScope } from '../../auth/scope.ts';
import type { Write } from '../../http/api.ts';
import { makeBatch } from '../../http/batch.ts';
import { printFailure } from '../../start-error.ts';
import type { Importing, Outcome, Row } from './kind.ts';

const atOnce = 8;

/** Thrown inside a transaction to undo it: a dry run has seen what it wanted to know. */
export class Undone extends Error {}

export interface RowWork<Body, Prepared> {
  /** Runs before the transaction opens. */
  prepare?: (body: Body) => Promise<Prepared>;
  write: (write: Write, body: Body, prepared: Prepared) => Promise<unknown>;
  /** Rows in one transaction; should one of them fail, each is written alone. */
  together?: number;
}

/** `there` says which rows need no writing. */
export async function writeEach<Body, Prepared = undefined>(
  importing: Importing,
  rows: readonly Row[],
  there: (row: Row, index: number) => boolean,
  work: RowWork<Body, Prepared>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = rows.map(() => 'there');
  const open = rows.map((_, index) => index).filter((index) => !there(rows[index]!, index));
  const write = async (groups: readonly number[][]) => {
    const bodies = groups.map((group) => group.map((index) => rows[index]!.body as Body));
    const written = await writeGroups(importing, bodies, work);
    for (const [n, group] of groups.entries()) {
      for (const index of group) outcomes[index] = written[n]!;
    }
  };
  const { together = 1 } = work;
  await write(
    Array.from({ length: Math.ceil(open.length / together) }, (_, n) =>
      open.slice(n * together, (n + 1) * together),
    ),
  );
  if (together > 1) {
    const failed = open.filter((index) => typeof outcomes[index] === 'object');
    await write(failed.map((index) => [index]));
  }
  return outcomes;
}

/** One outcome per group: all of it, or nothing. */
async function writeGroups<Body, Prepared>(
  { database, organizationId, dryRun }: Importing,
  groups: readonly Body[][],
  work: RowWork<Body, Prepared>,
): Promise<Outcome[]> {
  const scope = systemScope(organizationId);
  const log = { error: ({ err }: { err: unknown }) => printFailure(err) };
  const outcomes: Outcome[] = [];
  const batch = makeBatch({ database, scope, idempotent: undefined, running: new Set(), log: log as never });
  await batch.parts({
    count: groups.length,
    atOnce,
    part: async (index, write) => {
      const bodies = groups[index]!;
      try {
        await write({
          prepare: () => Promise.all(bodies.map(async (body) => (await work.prepare?.(body)) as Prepared)),
          answer: async (own, prepared) => {
            // Side by side, their statements travel together. None may go on once the transaction is over.
            const settled = await Promise.allSettled(
              bodies.map((body, n) => work.write(own, body, prepared[n]!)),
            );
            for (const each of settled) if (each.status === 'rejected') throw each.reason;
            if (dryRun) throw new Undone();
            return { body: '' };
          },
        });
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
      return 'made' satisfies Outcome;
    },
    answer: (results) => {
      outcomes.push(...(results as Outcome[]));
      return { body: '' };
    },
  });
  return outcomes;
}

/** Writes rows that share a key with an earlier one of the batch after it, so that the first in the file wins. */
export async function inTurns(
  rows: readonly Row[],
  keysOf: (row: Row) => string[],
  write: (rows: readonly Row[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const seen = new Set<string>();
  const turns: [now: number[], later: number[]] = [[], []];
  for (const [index, row] of rows.entries()) {
    const keys = keysOf(row);
    turns[keys.some((key) => seen.has(key)) ? 1 : 0].push(index);
    for (const key of keys) seen.add(key);
  }
  const outcomes: Outcome[] = [];
  const take = (indexes: readonly number[], written: readonly Outcome[]) => {
    for (const [n, index] of indexes.entries()) outcomes[index] = written[n]!;
  };
  const [now, later] = turns;
  take(now, await write(now.map((index) => rows[index]!)));
  if (later.length > 0) {
    const rest = later.map((index) => rows[index]!);
    take(later, await inTurns(rest, keysOf, write));
  }
  return outcomes;
}
