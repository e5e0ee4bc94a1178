// `waybill import <kind> <file>`: products, stock, customers, suppliers, orders and rate cards from CSV or JSON.
import { Argument, Command } from 'commander';
import type { Database } from '../database/connect.ts';
import { StartError } from '../start-error.ts';
import type { Summary } from './import/import-file.ts';
import type { Progress } from './import/progress.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  org: string;
  account?: string;
  delimiter?: string;
  dryRun?: boolean;
  again?: boolean;
  json?: boolean;
}

const rateCard = 'rate-card';
const kindNames = ['products', 'inventory', 'customers', 'suppliers', 'orders', rateCard];
const connections = 10;

export function importCommand(): Command {
  return new Command('import')
    .description('read records from a file; those that are there already are left as they are')
    .addArgument(new Argument('<kind>', 'what the file holds').choices(kindNames))
    .argument('<file>', 'CSV with a header, or JSON where its name ends in .json or .jsonl; .gz too')
    .requiredOption('--org <org>', 'slug of the organization; parent/client for a client')
    .option('--account <id>', 'rate-card: the carrier account whose prices these are')
    .option('--delimiter <character>', 'what is between the cells of a CSV (default: a comma)')
    .option('--dry-run', 'check every record against the database as it is, and write nothing')
    .option('--again', 'inventory: apply changes that this file made before once more')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', '\ndocs/operations.md lists the columns.')
    .action(run);
}

async function run(kindName: string, file: string, options: Options): Promise<void> {
  const [{ makeProgress }, { findOrganization }] = await Promise.all([
    import('./import/progress.ts'),
    import('./organization.ts'),
  ]);
  if ((kindName === rateCard) !== (options.account !== undefined)) {
    throw new StartError(`--account is needed for ${rateCard}, and for nothing else`);
  }
  const { org, json, ...how } = options;
  await withDatabase(
    async ({ database }) => {
      const { id: organizationId } = await findOrganization(database, org);
      const progress = makeProgress();
      try {
        const summary = await read(kindName, { database, organizationId, file, ...how }, progress);
        progress.stop();
        const { made, there, failed } = summary;
        const verb = how.dryRun ? 'would be made' : 'made';
        console.log(
          json ? JSON.stringify(summary) : `${made} ${verb}, ${there} there already, ${failed} failed`,
        );
        if (failed > 0) process.exitCode = 1;
      } finally {
        progress.stop();
      }
    },
    { poolSize: connections },
  );
}

type Given = { database: Database; organizationId: string; file: string } & Omit<Options, 'org' | 'json'>;

async function read(kindName: string, given: Given, progress: Progress): Promise<Summary> {
  if (kindName === rateCard) {
    const { importRateCard } = await import('./import/rate-card.ts');
    return importRateCard({ ...given, account: given.account! }, progress);
  }
  const [{ kinds }, { importFile }] = await Promise.all([
    import('./import/kinds.ts'),
    import('./import/import-file.ts'),
  ]);
  return importFile({ ...given, kind: kinds[kindName]! }, progress);
}
