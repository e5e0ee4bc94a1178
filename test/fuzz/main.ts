// `npm run fuzz`: requests made from openapi.json, valid, wrong and hostile, and what no answer may be.
import { Command, InvalidArgumentError } from 'commander';
import { fuzz, type Report } from './fuzz.ts';
import { reachTarget, startTarget } from './target.ts';

const tellEveryMs = 10_000;

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
}

const program = new Command('fuzz')
  .description('Valid, wrong and hostile requests by two organizations; every answer is judged.')
  .option('--requests <n>', 'end after so many requests', whole, 10_000)
  .option('--seed <n>', 'what the requests are made from', whole, Date.now() % 1_000_000_000)
  .option('--at-once <n>', 'requests that are under way at the same time', whole, 4)
  .option('--url <address>', 'a service that is up, /api/v1 included; without it one is started for the run')
  .option('--key <key>', 'an API key of that service with all permissions; clients are made with it');
const { requests, seed, atOnce, url, key } = program.parse().opts<{
  requests: number;
  seed: number;
  atOnce: number;
  url?: string;
  key?: string;
}>();
if ((url === undefined) !== (key === undefined)) program.error('--url and --key go together');

const began = Date.now();
let told = began;

function text({ tried, byStatus, findings }: Report): string {
  const statuses = Object.entries(byStatus).map(([status, count]) => `${status}: ${count}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  return `${tried} requests in ${seconds} s (${statuses.join(', ')}), ${findings.length} findings`;
}

let toldFindings = 0;

/** Those that were not told yet. */
function tellFindings({ findings }: Report): void {
  for (const { number, kind, problem, command, log } of findings.slice(toldFindings)) {
    console.error(`\n#${number} (${kind}) ${problem}\n  ${command}`);
    for (const line of log) console.error(`  log: ${line.trim()}`);
  }
  toldFindings = findings.length;
}

console.log(`seed ${seed}`);
const target = url === undefined ? await startTarget() : await reachTarget(url, key!);
try {
  const report = await fuzz(target, {
    ...{ requests, seed, atOnce },
    tell: (now) => {
      tellFindings(now);
      if (Date.now() - told < tellEveryMs) return;
      told = Date.now();
      console.log(text(now));
    },
  });
  const unanswered = target.contract.operations.filter(({ operationId }) => !report.succeeded[operationId]);
  console.log(text(report));
  console.log(
    `operations never answered 200: ${unanswered.map((one) => one.operationId).join(', ') || 'none'}`,
  );
  tellFindings(report);
  if (report.findings.length > 0) {
    console.error(
      `\nThe same again: npm run fuzz -- --seed ${seed} --requests ${requests} --at-once ${atOnce}`,
    );
    process.exitCode = 1;
  }
} finally {
  await target.close();
}
