// `npm run crash`: kill -9 of the service, its database, or both, at random moments under working clients.
import { Command, InvalidArgumentError } from 'commander';
import { crash } from './crash.ts';

function whole(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('a whole number of 1 or more');
  return Number(text);
}

const options = new Command('crash')
  .description(
    'Kills the service and its database under working clients; ends with 1 where anything is lost, doubled or half done.',
  )
  .option('--cycles <n>', 'how many kills', whole, 20)
  .option(
    '--seed <n>',
    'what the run is made from; moments differ all the same',
    whole,
    Date.now() % 1_000_000_000,
  )
  .option('--clients <n>', 'how many clients work at once', whole, 8)
  .parse()
  .opts<{ cycles: number; seed: number; clients: number }>();

const began = performance.now();
console.log(`crash: seed ${options.seed}`);
const result = await crash({ ...options, told: (progress) => console.log(`crash: ${progress}`) });
const { kills, findings } = result;
console.log(
  `crash: killed the service ${kills.service} times, the database ${kills.database} times, both ${kills.both} times`,
);
console.log(
  `crash: ${result.requests} requests in ${Math.round((performance.now() - began) / 1000)} s: ${result.answered} answered, ` +
    `${result.repeated} of them sent again, ${result.abandoned} given up; ${result.shipments} labels bought`,
);
for (const finding of findings) console.error(`crash: ${finding}`);
console.log(
  `crash: ${findings.length === 0 ? 'nothing lost, nothing twice, nothing half done' : `${findings.length} findings`}`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
