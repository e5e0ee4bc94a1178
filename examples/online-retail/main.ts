// `npm run example:online-retail`: replays a retailer's invoices through the HTTP API and checks every sum against the file.
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.ts';
import { verifyLedger } from '../support/ledger.ts';
import { type CommonOptions, exampleCommand, readOptions } from '../support/options.ts';
import { type Against, type Clock, runExample } from '../support/run.ts';
import { type Comparison, compare } from './compare.ts';
import { openingStock } from './expected.ts';
import { findMovedUnits, findOrders, findStock } from './found.ts';
import { type Retail, readInvoices } from './read-invoices.ts';
import { replay } from './replay.ts';
import { type Report, reportText } from './report.ts';

// Backorders beyond the first hundred are filled by a job a little later.
const SETTLES_WITHIN_MS = 30_000;

const options = readOptions<CommonOptions & { file: string }>(
  exampleCommand(
    'example:online-retail',
    'Replays the online-retail data, or a file like it, through the HTTP API and compares every sum.',
  ).option('--file <csv|csv.gz>', 'the data', join(import.meta.dirname, 'sample.csv')),
);

await runExample<Retail, Report>(options, {
  read: () => readInvoices(options.file),
  digest: (retail) => retail.digest,
  replay: run,
  text: reportText,
});

async function run(against: Against, retail: Retail, clock: Clock): Promise<Report> {
  const { client, own, progress, connections } = against;
  const replayed = await replay({ client, retail, progress, connections });
  clock.replayed();
  const comparison = await compareSettled(client, retail, replayed.warehouseId);
  const ledger = await verifyLedger(client, own);
  progress.stop();
  return {
    file: basename(options.file),
    digest: retail.digest,
    passed: comparison.same && ledger.clean,
    comparison,
    ledger,
    replayed,
    lines: { total: retail.lines, byKind: retail.linesByKind },
    dirt: retail.dirt,
    refusedAmount: retail.refusedAmount,
    refunds: retail.sums.refunds.toFixed(),
    measures: await clock.measures(),
  };
}

async function compareSettled(client: Client, retail: Retail, warehouseId: string): Promise<Comparison> {
  const opening = openingStock(retail.invoices);
  const orders = await findOrders(client, retail.sums.orders);
  const movedUnits = await findMovedUnits(client, warehouseId);
  const deadline = Date.now() + SETTLES_WITHIN_MS;
  for (;;) {
    const stock = await findStock(client, warehouseId);
    const comparison = compare(retail, opening, { orders, stock, movedUnits });
    if (comparison.same || Date.now() > deadline) return comparison;
    // Nothing but what is committed changes by itself.
    const settling = comparison.skuDifferences.every(
      ({ figure }) => figure === 'committed' || figure === 'available',
    );
    if (!settling) return comparison;
    await sleep(1_000);
  }
}
