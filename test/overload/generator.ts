// A process that sends: as fast as it is answered, or by the clock whatever becomes of the answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import { isWrite, kindOf, textOf, type World } from './mix.ts';
import { type SlowClients, startSlowClients } from './slow-clients.ts';

export interface Phase {
  seconds: number;
  /** By the clock; left out, so many at a time as fast as they are answered. */
  perSecond?: number;
  atOnce?: number;
  /** Slow clients of each kind. */
  slow?: number;
}

export interface Figures {
  seconds: number;
  offered: number;
  /** Due, and not sent: all connections of the generator were waiting. */
  unsent: number;
  answered: number;
  refused: number;
  broken: number;
  /** Milliseconds from when they were due. */
  answeredMs: Percentiles;
  refusedMs: Percentiles;
  cutOff: SlowClients['cutOff'];
  findings: string[];
}

export interface Percentiles {
  p50: number;
  p99: number;
  max: number;
}

/** What is known of each write, by its number. */
export interface Journal {
  answered: number[];
  /** The connection broke: it is there or it is not. */
  unknown: number[];
  refused: number[];
}

export type Ask = { world: World; url: string; key: string } | { phase: Phase } | 'journal';

const connectionsMax = 1_000;
const retriesMax = 1_000;

let base: URL;
let key: string;
let world: World;
let next = 0;
const free: Connection[] = [];
let opened = 0;
const retries: { n: number; at: number }[] = [];
const outcomes = new Map<number, keyof Journal>();

interface Tally extends Omit<Figures, 'answeredMs' | 'refusedMs' | 'seconds' | 'cutOff'> {
  answeredTimes: number[];
  refusedTimes: number[];
}

async function ask(n: number, dueAt: number, tally: Tally, connection: Connection): Promise<void> {
  const kind = kindOf(n);
  const answer = await connection.send(textOf(n, base, key, world));
  const ms = performance.now() - dueAt;
  if (answer === undefined) opened -= 1;
  else free.push(connection);
  if (answer?.status === 200) {
    tally.answered += 1;
    tally.answeredTimes.push(ms);
  } else if (answer === undefined) tally.broken += 1;
  else {
    tally.refused += 1;
    tally.refusedTimes.push(ms);
    const code = JSON.parse(answer.body.toString()).error.details.code;
    if (answer.status !== 503 || code !== 'overloaded' || answer.retryAfter === '') {
      if (tally.findings.length < 20)
        tally.findings.push(`${kind} ${n} was answered ${answer.status} ${code}`);
    }
  }
  if (!isWrite(kind)) return;
  outcomes.set(n, answer === undefined ? 'unknown' : answer.status === 200 ? 'answered' : 'refused');
  // Half of them come back, with the same key, when they were told to.
  if (answer?.status === 503 && n % 2 === 0 && retries.length < retriesMax) {
    retries.push({ n, at: performance.now() + Number(answer.retryAfter) * 1_000 });
  }
}

function nextNumber(): number {
  if (retries.length > 0 && retries[0]!.at <= performance.now()) return retries.shift()!.n;
  next += 1;
  return next - 1;
}

function connection(): Connection | undefined {
  for (let one = free.pop(); one !== undefined; one = free.pop()) {
    if (!one.socket.destroyed) return one;
    opened -= 1;
  }
  if (opened >= connectionsMax) return undefined;
  opened += 1;
  return openConnection(base);
}

async function byTheClock(perSecond: number, seconds: number, tally: Tally): Promise<void> {
  const began = performance.now();
  const running = new Set<Promise<void>>();
  const total = Math.floor(perSecond * seconds);
  for (let due = 0; due < total; ) {
    const now = performance.now();
    for (; due < total && began + (due / perSecond) * 1_000 <= now; due += 1) {
      tally.offered += 1;
      const one = connection();
      if (one === undefined) {
        tally.unsent += 1;
        continue;
      }
      const asked = ask(nextNumber(), began + (due / perSecond) * 1_000, tally, one);
      running.add(asked);
      void asked.finally(() => running.delete(asked));
    }
    await sleep(1);
  }
  await Promise.all(running);
}

async function asAnswered(atOnce: number, seconds: number, tally: Tally): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  const lane = async () => {
    while (performance.now() < until) {
      tally.offered += 1;
      await ask(nextNumber(), performance.now(), tally, connection()!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function run({ seconds, perSecond, atOnce = 32, slow = 0 }: Phase): Promise<Figures> {
  const tally: Tally = {
    ...{ offered: 0, unsent: 0, answered: 0, refused: 0, broken: 0 },
    ...{ answeredTimes: [], refusedTimes: [], findings: [] },
  };
  const slowClients = startSlowClients(base, key, slow);
  const began = performance.now();
  await (perSecond === undefined
    ? asAnswered(atOnce, seconds, tally)
    : byTheClock(perSecond, seconds, tally));
  const took = (performance.now() - began) / 1_000;
  slowClients.stop();
  const { answeredTimes, refusedTimes, ...counts } = tally;
  return {
    ...counts,
    seconds: took,
    answeredMs: percentiles(answeredTimes),
    refusedMs: percentiles(refusedTimes),
    cutOff: slowClients.cutOff,
  };
}

function percentiles(times: number[]): Percentiles {
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    Math.round((times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function journal(): Journal {
  const told: Journal = { answered: [], unknown: [], refused: [] };
  for (const [n, outcome] of outcomes) told[outcome].push(n);
  return told;
}

process.on('message', async (asked: Ask) => {
  if (asked === 'journal') process.send!(journal());
  else if ('phase' in asked) process.send!(await run(asked.phase));
  else {
    [world, key, base] = [asked.world, asked.key, new URL(asked.url)];
    process.send!('ready');
  }
});
process.once('disconnect', () => process.exit(0));
