// Measures the service beside what its database and its web framework could do at best, and says how close it comes.
import { openConnection, requestText } from './connection.ts';
import { type Options, readOptions, usage } from './options.ts';
import { reportText, writeReport } from './report.ts';
import { checkScenarios, runScenarios } from './run.ts';
import { scenarios } from './scenarios.ts';
import { openTarget, type Target } from './target.ts';

const told = (progress: string) => console.error(`bench: ${progress}`);

async function bench(options: Options): Promise<void> {
  const chosen = scenarios.filter(
    ({ name, anywhere }) =>
      (options.only.length === 0 || options.only.includes(name)) &&
      (options.remote === undefined || anywhere),
  );
  const target = await openTarget(options, told);
  const interrupted = () => target.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    await target.requireExactCounts();
    if (options.check) {
      await checkScenarios(chosen, target, told);
      await requireSoundStock(target);
      return;
    }
    const results = await runScenarios(chosen, target, options, told);
    await requireSoundStock(target);
    console.log(reportText(options, target.postgres, results));
    if (options.write) await writeReport(options, target.postgres, results);
  } finally {
    await target.stop();
  }
}

/** Speed is worth nothing where units were lost on the way: the ledger is added up after every run. */
async function requireSoundStock({ url, key }: Target): Promise<void> {
  const base = new URL(url);
  const connection = await openConnection(base);
  const { status, body } = await connection.send(
    requestText(base, key, { method: 'GET', path: '/inventory/verify' }),
  );
  connection.close();
  const { data } = JSON.parse(body.toString());
  if (status !== 200 || data.consistent !== true)
    throw new Error(`the stock does not add up: ${body.toString()}`);
  told('the stock adds up');
}

let options: Options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exit(2);
}
try {
  await bench(options);
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
