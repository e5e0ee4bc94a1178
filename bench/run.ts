// Measures scenarios: the service, the bare HTTP answer and the SQL floor in turn, so that what disturbs meets all.
import type { BareFunctions } from './bare.part.ts';
import { openConnection, requestText } from './connection.ts';
import type { FloorFunctions, Recorded } from './floor.part.ts';
import type { LoadFunctions } from './load.part.ts';
import type { Options } from './options.ts';
import { type Part, startPart } from './part.ts';
import { type Measured, median } from './rate.ts';
import type { Scenario } from './scenario.ts';
import type { Cost, Target } from './target.ts';

/** Medians over the rounds. */
export interface Figure {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Result {
  scenario: Scenario;
  service: Figure;
  http: Figure;
  /** Null where the database cannot be reached. */
  sql: (Figure & Recorded) | null;
  /** The median of each round's own ratio. */
  ofHttp: number;
  ofSql: number | null;
  answerBytes: number;
  cpu: Cpu;
  peakMegabytes: number | null;
}

/** Milliseconds of CPU for one request: where the time of a small machine goes. Null where it is not known. */
export interface Cpu {
  service: number | null;
  /** PostgreSQL, for a request to the service. */
  database: number | null;
  /** The process that replays the SQL. */
  driver: number | null;
  /** PostgreSQL, for a replay. */
  replayed: number | null;
  /** The generator, for a request to the service. */
  generator: number | null;
}

interface Parts {
  load: Part<LoadFunctions>;
  bare: Part<BareFunctions>;
  floor: Part<FloorFunctions>;
}

/** Different requests whose statements are replayed in turn. */
const recordings = 200;
const warmUpRequests = 3_000;
const warmUpRounds = 4;

export async function runScenarios(
  scenarios: readonly Scenario[],
  target: Target,
  options: Options,
  told: (progress: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const scenario of scenarios) {
    const parts: Parts = {
      load: startPart('load.part.ts'),
      bare: startPart('bare.part.ts'),
      floor: startPart('floor.part.ts'),
    };
    try {
      results.push(await runScenario(scenario, parts, target, options, told));
    } finally {
      await Promise.all(Object.values(parts).map((part) => part.stop()));
    }
  }
  return results;
}

/** Asks each once, and replays its statements once: both must be answered as they should be. */
export async function checkScenarios(
  scenarios: readonly Scenario[],
  target: Target,
  told: (progress: string) => void,
): Promise<void> {
  const { key, catalogue, databaseUrl } = target;
  const floor = startPart<FloorFunctions>('floor.part.ts');
  try {
    for (const scenario of scenarios) {
      await askOnce(scenario, target);
      if (databaseUrl !== undefined) {
        const once = { databaseUrl, key, catalogue, scenario: scenario.name, count: 1 };
        await floor.call('record', once);
        await floor.call('run', { concurrency: 1, seconds: 0.001 });
      }
      told(`${scenario.name}: as it should be`);
    }
  } finally {
    await floor.stop();
  }
}

interface Round {
  service: Measured;
  http: Measured;
  sql: Measured | null;
  cpu: Cpu;
}

async function runScenario(
  scenario: Scenario,
  parts: Parts,
  target: Target,
  options: Options,
  told: (progress: string) => void,
): Promise<Result> {
  const { catalogue, key, databaseUrl } = target;
  const answer = await askOnce(scenario, target);
  const bareUrl = `${await parts.bare.call('serve', answer)}/api/v1`;
  const recorded =
    databaseUrl === undefined
      ? null
      : await parts.floor.call('record', {
          databaseUrl,
          key,
          catalogue,
          scenario: scenario.name,
          count: scenario.recordings ?? recordings,
        });
  const { concurrency } = options;
  const load = (url: string, seconds: number) =>
    parts.load.call('run', { url, key, catalogue, scenarios: [scenario.name], concurrency, seconds });
  const round = async (seconds: number): Promise<Round> => {
    const http = await load(bareUrl, seconds);
    const start = await target.cost();
    const sql = recorded === null ? null : await parts.floor.call('run', { concurrency, seconds });
    const middle = await target.cost();
    const service = await load(target.url, seconds);
    return { http, sql, service, cpu: cpuOf(start, middle, await target.cost(), sql, service) };
  };
  told(`${scenario.name}: warming up`);
  // Until the engine has compiled what is run often; a busy machine takes longer for that.
  let warm = 0;
  for (let tries = 0; tries < warmUpRounds && warm < warmUpRequests; tries += 1) {
    warm += (await round(Math.min(options.seconds, 3))).service.count;
  }
  const rounds: Round[] = [];
  for (let n = 1; n <= options.rounds; n += 1) {
    rounds.push(await round(options.seconds));
    told(`${scenario.name}: round ${n} of ${options.rounds}: ${roundText(rounds.at(-1)!)}`);
  }
  const memory = await target.megabytes();
  return {
    scenario,
    ...medians(rounds, recorded),
    answerBytes: Buffer.byteLength(answer),
    peakMegabytes: memory === null ? null : Math.round(memory.peak),
  };
}

function roundText({ service, http, sql }: Round): string {
  const rate = ({ perSecond }: Measured) => `${Math.round(perSecond)}/s`;
  return `service ${rate(service)}, SQL ${sql === null ? 'unknown' : rate(sql)}, bare HTTP ${rate(http)}`;
}

/** The answer of one request, which must be right; its bytes are what the bare server will answer. */
export async function askOnce(
  { name, request, check }: Scenario,
  { url, key, catalogue }: Target,
): Promise<string> {
  const base = new URL(url);
  const connection = await openConnection(base);
  const { status, body } = await connection.send(requestText(base, key, request(0, catalogue)));
  connection.close();
  const text = body.toString();
  if (status !== 200) throw new Error(`${name} was answered ${status}: ${text.slice(0, 4_000)}`);
  try {
    check(JSON.parse(text));
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
  return text;
}

function cpuOf(start: Cost, middle: Cost, end: Cost, sql: Measured | null, service: Measured): Cpu {
  const each = (from: number | null, to: number | null, measured: Measured | null) =>
    from === null || to === null || measured === null ? null : ((to - from) / measured.count) * 1_000;
  return {
    service: each(middle.service, end.service, service),
    database: each(middle.database, end.database, service),
    driver: sql === null ? null : sql.cpuMs,
    replayed: each(start.database, middle.database, sql),
    generator: service.cpuMs,
  };
}

function medians(rounds: readonly Round[], recorded: Recorded | null) {
  const figure = (of: (round: Round) => Measured): Figure => ({
    perSecond: median(rounds.map((round) => of(round).perSecond)),
    p50: median(rounds.map((round) => of(round).p50)),
    p99: median(rounds.map((round) => of(round).p99)),
  });
  const ratio = (of: (round: Round) => Measured) =>
    median(rounds.map((round) => round.service.perSecond / of(round).perSecond));
  const cpu = (of: keyof Cpu) => {
    const known = rounds.map((round) => round.cpu[of]).filter((ms) => ms !== null);
    return known.length === 0 ? null : median(known);
  };
  return {
    service: figure((round) => round.service),
    http: figure((round) => round.http),
    sql: recorded === null ? null : { ...figure((round) => round.sql!), ...recorded },
    ofHttp: ratio((round) => round.http),
    ofSql: recorded === null ? null : ratio((round) => round.sql!),
    cpu: {
      service: cpu('service'),
      database: cpu('database'),
      driver: cpu('driver'),
      replayed: cpu('replayed'),
      generator: cpu('generator'),
    },
  };
}
