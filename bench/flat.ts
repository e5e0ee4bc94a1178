// Measures every read at two sizes of the data set in turn, so that what disturbs the machine meets both, and says how much
// slower the large one is. `npm run bench:flat -- --sizes 10k,1m [--seconds 1] [--rounds 5] [--concurrency 1] [--only <scenario>]
// [--data <folder>,<folder>]`.
import { parseArgs } from 'node:util';
import type { LoadFunctions } from './load.part.ts';
import { type Options, readOptions } from './options.ts';
import { startPart } from './part.ts';
import { median } from './rate.ts';
import { circumstances, markdownTable } from './report.ts';
import { askOnce } from './run.ts';
import type { Scenario } from './scenario.ts';
import { readScenarios } from './scenarios/lists.ts';
import { openTarget, type Target } from './target.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,1m' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    data: { type: 'string' },
  },
});
const { sizes, only, data, ...others } = values;
const folders = data?.split(',') ?? [];
const optionsOf = (size: string, index: number): Options =>
  readOptions([
    ...Object.entries(others).flatMap(([name, value]) => [`--${name}`, value]),
    ...only.flatMap((name) => ['--only', name]),
    ...['--size', size],
    ...(folders[index] ? ['--data', folders[index]] : []),
  ]);
const all = sizes.split(',').map(optionsOf);
const told = (progress: string) => console.error(`bench: ${progress}`);

/** Until the engine has compiled what is run often. */
const warmUpRequests = 300;
const warmUpRounds = 4;

/** Milliseconds at the median of each round, the rounds of all sizes in turn. */
async function measure(scenario: Scenario, targets: readonly Target[]): Promise<string[]> {
  const loads = targets.map(() => startPart<LoadFunctions>('load.part.ts'));
  const { seconds, rounds, concurrency } = all[0]!;
  const medians: number[][] = targets.map(() => []);
  const slowest: number[][] = targets.map(() => []);
  try {
    const run = (index: number) => {
      const { url, key, catalogue } = targets[index]!;
      const load = { url, key, catalogue, scenarios: [scenario.name], concurrency, seconds };
      return loads[index]!.call('run', load);
    };
    for (const [index, target] of targets.entries()) {
      await askOnce(scenario, target);
      let warm = 0;
      for (let tries = 0; tries < warmUpRounds && warm < warmUpRequests; tries += 1) {
        warm += (await run(index)).count;
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const index of targets.keys()) {
        const { p50, p99 } = await run(index);
        medians[index]!.push(p50);
        slowest[index]!.push(p99);
      }
    }
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
  const ratio = median(medians.at(-1)!.map((ms, round) => ms / medians[0]![round]!));
  return [
    scenario.title,
    ...medians.map((of) => median(of).toFixed(1)),
    ratio.toFixed(2),
    median(slowest.at(-1)!).toFixed(1),
  ];
}

const targets: Target[] = [];
const stop = () => Promise.all(targets.map((target) => target.stop()));
process.once('SIGINT', () => stop().finally(() => process.exit(130)));
try {
  for (const options of all) targets.push(await openTarget(options, told));
  for (const target of targets) await target.requireExactCounts();
  const rows: string[][] = [];
  for (const scenario of readScenarios) {
    if (only.length > 0 && !only.includes(scenario.name)) continue;
    rows.push(await measure(scenario, targets));
    told(rows.at(-1)!.join(', '));
  }
  const last = all.at(-1)!;
  const head = ['Read', ...all.map(({ size }) => `p50 ms at ${size}`), 'times', `p99 ms at ${last.size}`];
  console.log(`${circumstances(last, targets[0]!.postgres)}\n\n${markdownTable(head, rows)}`);
} finally {
  await stop();
}
