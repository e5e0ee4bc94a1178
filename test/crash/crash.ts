// Kills the service and its database again and again under working clients, and then looks whether all is there, once.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { audit, isSettled } from './audit.ts';
import { type Journal, makeSender } from './client.ts';
import { startVictim, type Victim } from './service.ts';
import { makeWorld, workOnce } from './work.ts';

export interface CrashOptions {
  cycles: number;
  seed: number;
  clients: number;
  told: (progress: string) => void;
}

export interface CrashResult {
  kills: Record<'service' | 'database' | 'both', number>;
  requests: number;
  answered: number;
  abandoned: number;
  repeated: number;
  shipments: number;
  findings: string[];
}

const settlesWithinMs = 180_000;
/** Of how many requests without an answer a client walks away. */
const abandons = 0.1;
/** How much is answered between two kills, at least. */
const answersBetween = 8;

export async function crash({ cycles, seed, clients, told }: CrashOptions): Promise<CrashResult> {
  const random = randoms(seed);
  const victim = await startVictim();
  let done = false;
  let over = false;
  try {
    const journal: Journal = { asked: [], findings: [] };
    const moods = { givesUp: () => !done && random() < abandons, isOver: () => over };
    const sender = makeSender(victim.url, victim.key, journal, moods);
    const world = await makeWorld(sender);
    const working = Array.from({ length: clients }, async () => {
      while (!done) await workOnce(sender, world, (below) => Math.floor(random() * below));
    });
    for (const client of working) client.catch(() => {});
    const kills = await killOften(
      victim,
      cycles,
      random,
      told,
      () => journal.asked.filter(({ answer }) => answer !== undefined).length,
    );
    done = true;
    await Promise.all(working);
    told('clients are done; waiting for what is owed');
    return { kills, ...(await judge(victim, journal)) };
  } finally {
    over = true;
    await victim.stop();
  }
}

async function killOften(
  victim: Victim,
  cycles: number,
  random: () => number,
  told: (progress: string) => void,
  answers: () => number,
) {
  const kills = { service: 0, database: 0, both: 0 };
  const kinds = ['service', 'database', 'both'] as const;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const before = answers();
    // Some work gets done, then any moment.
    while (answers() < before + answersBetween) await sleep(5);
    await sleep(random() * 600);
    const what = kinds[Math.floor(random() * kinds.length)]!;
    await victim.kill(what);
    kills[what] += 1;
    await victim.start();
    if (cycle % 10 === 0 || cycle === cycles)
      told(`${cycle} of ${cycles} kills, ${answers()} requests answered`);
  }
  return kills;
}

async function judge(victim: Victim, journal: Journal): Promise<Omit<CrashResult, 'kills'>> {
  const client = new pg.Client({ connectionString: await victim.databaseUrl() });
  await client.connect();
  try {
    const until = Date.now() + settlesWithinMs;
    while (!(await isSettled(client)) && Date.now() < until) await sleep(100);
    const findings = await audit(client, journal);
    const { code, out } = await victim.waybill('verify');
    if (code !== 0) findings.push(`waybill verify ended with ${code}:\n${out}`);
    if (/"level":50/.test(victim.log()) && /internal_error/.test(victim.log()))
      findings.push(victim.log().slice(-2_000));
    const shipments = await client.query<{ n: number }>(
      `select count(*)::int as n from shipments where purchase_status = 'purchased'`,
    );
    const answered = journal.asked.filter(({ answer }) => answer !== undefined);
    return {
      requests: journal.asked.length,
      answered: answered.length,
      abandoned: journal.asked.length - answered.length,
      repeated: journal.asked.filter(({ tries }) => tries > 1).length,
      shipments: shipments.rows[0]!.n,
      findings,
    };
  } finally {
    await client.end();
  }
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
function randoms(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
