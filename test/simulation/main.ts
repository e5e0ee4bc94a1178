// `npm run simulate`: random work by several clients at once, and an auditor that recomputes everything after each step.
import { Command, InvalidArgumentError } from 'commander';
import { countsText, failureText, progressText } from './report.ts';
import { reachService, startService } from './service.ts';
import { simulate } from './simulate.ts';

interface Options {
  minutes: number;
  seed: number;
  runs?: number;
  rounds: number;
  path?: string;
  shrinkMinutes: number;
  url?: string;
  key?: string;
}

const tellEveryMs = 10_000;

function readOptions(): Options {
  const program = new Command('simulate')
    .description(
      'Random creates, updates, fulfilments and stock changes by several clients, audited after every step.',
    )
    .option('--minutes <n>', 'how long it goes on', positive, 1)
    .option(
      '--seed <n>',
      'what the first run is made from; the next ones follow',
      whole,
      Date.now() % 1_000_000_000,
    )
    .option('--runs <n>', 'end after so many runs instead', positive)
    .option('--rounds <n>', 'rounds of a run, on average', positive, 20)
    .option('--path <path>', "only these parts of a seed's run, as a failure prints them")
    .option('--shrink-minutes <n>', 'how long a failure is shrunk; 0 leaves it as it is', amount, 3)
    .option(
      '--url <address>',
      'a service that is up, /api/v1 included; without it one is started for the run',
    )
    .option('--key <key>', 'an API key of that service with all permissions');
  const options = program.parse().opts<Options>();
  if ((options.url === undefined) !== (options.key === undefined))
    program.error('--url and --key go together');
  return options;
}

function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('a number');
  return Number(text);
}

function positive(text: string): number {
  if (amount(text) <= 0) throw new InvalidArgumentError('a number greater than 0');
  return Number(text);
}

function whole(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
}

const { minutes, seed, rounds, shrinkMinutes, url, key, runs, path } = readOptions();
const endless = 8_640_000_000_000_000;
const service = url === undefined ? await startService() : await reachService(url, key!);
let told = Date.now();
try {
  const { progress, failure } = await simulate(service, {
    seed,
    rounds,
    path,
    runs: path === undefined ? (runs ?? Number.POSITIVE_INFINITY) : 1,
    until: new Date(runs === undefined && path === undefined ? Date.now() + minutes * 60_000 : endless),
    shrinkMs: path === undefined ? shrinkMinutes * 60_000 : 0,
    tell: (now) => {
      if (Date.now() - told < tellEveryMs) return;
      told = Date.now();
      console.log(progressText(now));
    },
  });
  console.log(countsText(progress));
  console.log(progressText(progress));
  if (failure !== undefined) {
    console.error(failureText(failure));
    process.exitCode = 1;
  }
} finally {
  await service.close();
}
