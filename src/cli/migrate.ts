// `waybill migrate`: brings the database up to date; every other command does so too.
import { Command } from 'commander';
import { withDatabase } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database up to date, and name what was done')
    .action(() =>
      withDatabase(async ({ migrations }) => {
        for (const name of migrations) console.log(`applied ${name}`);
        if (migrations.length === 0) console.log('up to date');
      }),
    );
}
