// `waybill import <kind> <file>`: products, stock, customers, suppliers and orders from CSV or JSON.
import { Argument, Command } from 'commander';
import { withDatabase } from './with-database.ts';

interface Options {
  org: string;
  delimiter?: string;
  dryRun?: boolean;
  again?: boolean;
  json?: boolean;
}

const kindNames = ['products', 'inventory', 'customers', 'suppliers', 'orders'];
const connections = 10;

export function importCommand(): Command {
  return new Command('import')
    .description('read records from a file; those that are there already are left as they are')
    .addArgument(new Argument('<kind>', 'what the file holds').choices(kindNames))
    .argument('<file>', 'CSV with a header, or JSON where its name ends in .json or .jsonl; .gz too')
    .requiredOption('--org <org>', 'slug of the organization; parent/client for a client')
    .option('--delimiter <character>', 'what is between the cells of a CSV (default: a comma)')
    .option('--dry-run', 'check every record against the database as it is, and write nothing')
    .option('--again', 'inventory: apply changes that this file made before once more')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', '\ndocs/operations.md lists the columns.')
    .action(run);
}

async function run(kindName: string, file: string, options: Options): Promise<void> {
  const [{ kinds }, { importFile }, { makeProgress }, { findOrganization }] = await Promise.all([
    import('./import/kinds.ts'),
    import('./import/import-file.ts'),
    import('./import/progress.ts'),
    import('./organization.ts'),
  ]);
  const { org, json, ...how } = options;
  await withDatabase(async ({ database }) => {
    const { id: organizationId } = await findOrganization(database, org);
    const progress = makeProgress();
    try {
      const given = { database, organizationId, kind: kinds[kindName]!, file, ...how };
      const summary = await importFile(given, progress);
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
  }, connections);
}
