// The line of requests that are still to begin: those that have begun come first at the database, and so wait once only.
import type pg from 'pg';
import * as limits from '../limits.ts';

/** What is known of the line. */
export interface Line {
  waiting: number;
  /** Milliseconds from one who left the line to the next, while others waited. */
  intervalMs: number;
  /** Milliseconds since anybody left it. */
  stillMs: number;
}

interface Waiting {
  since: number;
  /** Called once: with false where it has taken too long. */
  begin: (inTime: boolean) => void;
}

/** Of the mean interval, what the newest one makes up. */
const weight = 1 / 32;

export interface RequestLine {
  /** Undefined where nobody has to wait. */
  present(): Line | undefined;
  join(begin: (inTime: boolean) => void): void;
  stop(): void;
}

/** As many as the pool has connections may wait for them; whoever comes then stands in line. */
export function makeLine(pool: pg.Pool): RequestLine {
  const most = pool.options.max ?? 1;
  const waiting: Waiting[] = [];
  let intervalMs = 0;
  let movedAt = 0;
  let moving = false;
  let owed = 0;

  const move = () => {
    moving = false;
    const now = performance.now();
    // Where nothing runs, nothing would ever say that there is room.
    const resting = pool.waitingCount === 0 && pool.idleCount === pool.totalCount;
    let count = resting ? most : Math.min(owed, most - pool.waitingCount);
    owed = 0;
    for (; count > 0 && waiting.length > 0; count -= 1) {
      intervalMs += (now - movedAt - intervalMs) * weight;
      movedAt = now;
      waiting.shift()!.begin(true);
    }
    if (resting) moveSoon();
  };
  const moveSoon = () => {
    if (moving || waiting.length === 0) return;
    moving = true;
    setImmediate(move);
  };
  // One for each connection that is given out: those who were let in may all be waiting for something else at first, such as
  // the look-up of their key, and the line must not pass them into the pool meanwhile.
  const oweOne = () => {
    if (waiting.length === 0) return;
    owed += 1;
    moveSoon();
  };
  const oweOneMore = () => {
    if (pool.waitingCount === 0) oweOne();
  };
  pool.on('acquire', oweOne);
  pool.on('release', oweOneMore);

  // A database that is silent moves nobody, and one that has become slow not as many as were let in.
  const looking = setInterval(() => {
    const oldest = performance.now() - limits.shortLineMs;
    while (waiting.length > 0 && waiting[0]!.since < oldest) waiting.shift()!.begin(false);
    moveSoon();
  }, limits.lineLookMs);
  looking.unref();

  return {
    present() {
      if (waiting.length === 0 && pool.waitingCount < most) return undefined;
      const stillMs = waiting.length === 0 ? 0 : performance.now() - movedAt;
      return { waiting: waiting.length, intervalMs, stillMs };
    },
    join(begin) {
      const since = performance.now();
      // What passed while nobody waited says nothing of how long a wait is.
      if (waiting.length === 0) movedAt = since;
      waiting.push({ since, begin });
      moveSoon();
    },
    stop() {
      clearInterval(looking);
      pool.off('acquire', oweOne);
      pool.off('release', oweOneMore);
      for (const { begin } of waiting.splice(0)) begin(true);
    },
  };
}
