// `npm run example:adventureworks`: replays a manufacturer's purchasing through the HTTP API and checks every figure against the files.
import { basename, join, resolve } from 'node:path';
import { verifyLedger } from '../support/ledger.ts';
import { type CommonOptions, exampleCommand, readOptions } from '../support/options.ts';
import { type Against, type Clock, runExample } from '../support/run.ts';
import { compare } from './compare.ts';
import { explain } from './explained.ts';
import { findCatalogue, findOrders } from './found.ts';
import { readWorks, type Works } from './read-works.ts';
import { replay } from './replay.ts';
import { type Report, reportText } from './report.ts';

const options = readOptions<CommonOptions & { dir: string }>(
  exampleCommand(
    'example:adventureworks',
    'Replays the purchasing of AdventureWorks through the HTTP API and compares every figure.',
  ).option('--dir <folder>', 'the tables as CSV files', join(import.meta.dirname, 'sample')),
);

await runExample<Works, Report>(options, {
  read: () => readWorks(options.dir),
  digest: (works) => works.digest,
  replay: run,
  text: reportText,
});

async function run(against: Against, works: Works, clock: Clock): Promise<Report> {
  const { client, own, progress, connections } = against;
  const replayed = await replay({ client, works, progress, connections });
  clock.replayed();
  const orders = await findOrders(client, replayed.warehouseId, connections);
  const catalogue = await findCatalogue(client, replayed.warehouseId, orders);
  const comparison = compare(works, { orders, catalogue });
  const ledger = await verifyLedger(client, own);
  progress.stop();
  return {
    folder: basename(resolve(options.dir)),
    digest: works.digest,
    passed: comparison.same && ledger.clean,
    comparison,
    explained: explain(works),
    ledger,
    replayed,
    measures: await clock.measures(),
  };
}
