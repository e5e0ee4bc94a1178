// Runs an example against the service that its options name or one of its own, and tells how it went.
import { writeFile } from 'node:fs/promises';
import { type Client, createClient } from './client.ts';
import type { Measures } from './measures.ts';
import type { CommonOptions } from './options.ts';
import { type OwnService, startService } from './own-service.ts';
import { createProgress, type Progress } from './progress.ts';

/** What an example works with. */
export interface Against {
  client: Client;
  /** Null where the service was up before. */
  own: OwnService | null;
  progress: Progress;
  connections: number;
}

/** An example: what it replays is read before a service is started for it. */
export interface Example<Data, Report extends { passed: boolean; measures: Measures }> {
  read(): Promise<Data>;
  /** Names the data: part of every idempotency key. */
  digest(data: Data): string;
  replay(against: Against, data: Data, clock: Clock): Promise<Report>;
  text(report: Report): string;
}

export interface Clock {
  /** Called once all is written, before it is read back. */
  replayed(): void;
  measures(): Promise<Measures>;
}

/** Sets the exit code: 0 only where the report has passed. */
export async function runExample<Data, Report extends { passed: boolean; measures: Measures }>(
  options: CommonOptions,
  example: Example<Data, Report>,
): Promise<void> {
  try {
    await run(options, example);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function run<Data, Report extends { passed: boolean; measures: Measures }>(
  options: CommonOptions,
  example: Example<Data, Report>,
): Promise<void> {
  const progress = createProgress(options.quiet === true);
  const startedAt = performance.now();
  const data = await example.read();
  const readSeconds = secondsSince(startedAt);
  const own = options.url === undefined ? await startService(options) : null;
  stopOnSignals(own);
  try {
    const report = await work(options, example, data, { own, progress, readSeconds });
    process.stdout.write(example.text(report));
    if (options.report !== undefined) await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`);
    if (own && (options.keep || options.dataDir))
      process.stdout.write(`The data is kept in ${own.dataDir}\n`);
    process.exitCode = report.passed ? 0 : 1;
  } finally {
    progress.stop();
    await own?.stop();
  }
}

async function work<Data, Report extends { passed: boolean; measures: Measures }>(
  { url, key, connections }: CommonOptions,
  example: Example<Data, Report>,
  data: Data,
  { own, progress, readSeconds }: { own: OwnService | null; progress: Progress; readSeconds: number },
): Promise<Report> {
  const client = createClient({
    url: own?.url ?? url ?? '',
    key: own?.key ?? key ?? '',
    connections,
    run: example.digest(data),
  });
  try {
    const clock = startClock({ client, own, progress, connections }, readSeconds);
    return await example.replay({ client, own, progress, connections }, data, clock);
  } finally {
    client.close();
  }
}

function startClock({ client, own, connections }: Against, readSeconds: number): Clock {
  const startedAt = performance.now();
  let replaySeconds = 0;
  let replayRequests = 0;
  return {
    replayed() {
      replaySeconds = secondsSince(startedAt);
      replayRequests = client.requests.sent;
    },
    async measures() {
      return {
        readSeconds,
        replaySeconds,
        compareSeconds: Math.round((secondsSince(startedAt) - replaySeconds) * 1_000) / 1_000,
        requests: client.requests.sent,
        retries: client.requests.retried,
        requestsPerSecond: replayRequests / replaySeconds,
        connections,
        servicePeakMegabytes: (await own?.peakMegabytes()) ?? null,
        clientPeakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
      };
    },
  };
}

function stopOnSignals(own: OwnService | null): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      process.stderr.write('\nstopped; the same command takes the run up again where its data is kept\n');
      await own?.stop();
      process.exit(130);
    });
  }
}

function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / 1_000;
}
