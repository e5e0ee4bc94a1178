// Many clients for a long time: `npm run bench:soak -- [--size 10k] [--minutes 10] [--concurrency 64] [--data <folder>]` sends every
// kind of request in turn and says how much memory the service held in each half. 1 where it was more than it may hold.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LoadFunctions } from './load.part.ts';
import { readOptions } from './options.ts';
import { startPart } from './part.ts';
import { circumstances, markdownTable } from './report.ts';
import { scenarios } from './scenarios.ts';
import { openTarget, type Target } from './target.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10k' },
    minutes: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '64' },
    data: { type: 'string' },
  },
});
const options = readOptions([
  ...['--size', values.size, '--concurrency', values.concurrency, '--rounds', '2'],
  ...['--seconds', String(Number(values.minutes) * 30)],
  ...(values.data === undefined ? [] : ['--data', values.data]),
]);
const told = (progress: string) => console.error(`bench: ${progress}`);

const mostMegabytes = 200;
/** What one half may hold more than the one before it, and be called the same. */
const noise = 1.05;
const sampleMs = 1_000;

/** Few of a day's requests change ten thousand levels, or turn to page 5,000. */
const rare = ['change-inventory-bulk', 'list-orders-deep-page', 'list-orders-deepest-page'];
const rareOnceIn = 20;
const names = scenarios.map(({ name }) => name);
const usual = names.filter((name) => !rare.includes(name));
const mix = [...Array.from({ length: rareOnceIn }, () => usual).flat(), ...rare];

/** What the service held in each second of `work`. */
async function sampled(target: Target, work: Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  const state = { running: true };
  const done = work.finally(() => {
    state.running = false;
  });
  done.catch(() => {});
  while (state.running) {
    const memory = await target.megabytes();
    if (memory === null) throw new Error('memory is not known here');
    samples.push(memory.now);
    await sleep(sampleMs);
  }
  await done;
  return samples.sort((one, other) => one - other);
}

const target = await openTarget(options, told);
const load = startPart<LoadFunctions>('load.part.ts');
try {
  const { url, key, catalogue } = target;
  const { concurrency, seconds } = options;
  const rows: string[][] = [];
  const halves: number[] = [];
  for (const half of ['First half', 'Second half']) {
    const run = load.call('run', {
      ...{ url, key, catalogue, scenarios: mix, concurrency, seconds },
      refusable: true,
    });
    const samples = await sampled(target, run);
    const { perSecond, p50, p99 } = await run;
    const [middle, most] = [samples[Math.floor(samples.length / 2)]!, samples.at(-1)!];
    halves.push(middle);
    rows.push([half, ...[perSecond, p50, p99, middle, most].map((value) => Math.round(value).toString())]);
  }
  const peak = (await target.megabytes())!.peak;
  const head = ['', 'Requests /s', 'p50 ms', 'p99 ms', 'Memory MB, median', 'Memory MB, most'];
  console.log(`${circumstances(options, target.postgres)}\n\n${markdownTable(head, rows)}`);
  await target.requireExactCounts();
  if (peak > mostMegabytes) told(`the service held ${Math.round(peak)} MB`);
  if (halves[1]! > halves[0]! * noise) told('it held more in the second half');
  if (peak > mostMegabytes || halves[1]! > halves[0]! * noise) process.exitCode = 1;
} finally {
  await load.stop();
  await target.stop();
}
