// The line for a connection of the pool: how many wait in it, and how long it would take to come to its end.
import type pg from 'pg';

export interface Line {
  waiting: number;
  /** Milliseconds from one who was given a connection to the next, while others waited. */
  intervalMs: number;
  /** Milliseconds since anybody was given one. */
  stillMs: number;
}

/** Of the mean interval, what the newest one makes up: about as many are looked at as fit twice into a pool. */
const weight = 1 / 32;

/** Returns what to ask for the line as it is: undefined where a connection is free, or still to be opened. */
export function watchLine(pool: pg.Pool): () => Line | undefined {
  const most = pool.options.max ?? 1;
  let intervalMs = 0;
  let grantedAt = performance.now();
  let left = 0;
  const waiting = () => (pool.idleCount === 0 && pool.totalCount >= most ? pool.waitingCount : 0);
  pool.on('acquire', () => {
    const now = performance.now();
    // Where nobody was left, what passed since says how long nobody came.
    if (left > 0) intervalMs += (now - grantedAt - intervalMs) * weight;
    grantedAt = now;
    left = waiting();
  });
  return () => {
    if (pool.waitingCount === 0 || waiting() === 0) return undefined;
    return { waiting: pool.waitingCount, intervalMs, stillMs: performance.now() - grantedAt };
  };
}
