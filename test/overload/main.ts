// `npm run overload`: several times what the service can do, for as long as is wished, with slow clients beside.
import { Command, InvalidArgumentError } from 'commander';
import type { Figures } from './generator.ts';
import { overload } from './overload.ts';

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0');
  return value;
}

const options = new Command('overload')
  .description(
    'Offers the service more than it can do; ends with 1 where it does not answer, refuse and recover as it should.',
  )
  .option('--minutes <n>', 'how long', positive, 10)
  .option('--times <n>', 'how many times what it can do', positive, 3)
  .option('--slow <n>', 'slow clients of each kind: idle, slow to send, never reading', positive, 100)
  .parse()
  .opts<{ minutes: number; times: number; slow: number }>();

/** A request that was let in is answered within this, and nothing is refused any more this long after the overload. */
const withinMs = 10_000;
const memoryGrowth = 1.2;

const seconds = options.minutes * 60;
const told = (text: string) => console.log(`overload: ${text}`);
const { times, slow } = options;
const result = await overload({ capacitySeconds: 10, seconds, times, slow, told });
const { findings, megabytes } = result;

const half = Math.floor(megabytes.length / 2);
const first = Math.max(0, ...megabytes.slice(0, half));
const second = Math.max(0, ...megabytes.slice(half));
describe('before, at a third', result.before);
describe(`at ${times} times`, result.overload);
describe('afterwards, at a third', result.recovered);
const { idle, senders, readers } = result.overload.cutOff;
told(`slow clients cut off: ${idle} idle, ${senders} slow to send, ${readers} that never read`);
told(`held at most ${first} MB in the first half, ${second} MB in the second`);
told(
  `slowest /healthz ${result.probeMs.healthz} ms, /readyz ${result.probeMs.readyz} ms; event loop behind by ${result.loopLagMs} ms (p99)`,
);
if (result.overload.answeredMs.max > withinMs)
  findings.push(`an answer took ${result.overload.answeredMs.max} ms`);
if (result.recoveredSeconds * 1_000 > withinMs)
  findings.push(`it took ${result.recoveredSeconds} s to recover`);
if (result.recovered.refused > 0) findings.push(`${result.recovered.refused} were refused afterwards`);
if (second > first * memoryGrowth) findings.push(`memory grew from ${first} to ${second} MB`);
for (const finding of findings) console.error(`overload: ${finding}`);
told(findings.length === 0 ? 'all as it should be' : `${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;

function describe(name: string, figures: Figures): void {
  const { offered, unsent, answered, refused, broken, answeredMs, refusedMs } = figures;
  const rate = (count: number) => `${Math.round(count / figures.seconds)}/s`;
  const times = ({ p50, p99, max }: Figures['answeredMs']) =>
    `p50 ${p50} ms, p99 ${p99} ms, slowest ${max} ms`;
  told(
    `${name}: offered ${offered} (${rate(offered)}), answered ${answered} (${rate(answered)}; ${times(answeredMs)}), ` +
      `refused ${refused} (${times(refusedMs)}), not sent ${unsent}, broken ${broken}`,
  );
}
