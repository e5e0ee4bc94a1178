// `waybill restore <file>`: puts a backup into an empty database, brings it up to date, and verifies it.
import { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { findSecret, secretFile } from '../data-dir.ts';
import { migrate } from '../database/migrate.ts';
import { fingerprint } from '../secrets.ts';
import { StartError } from '../start-error.ts';
import type { Archive } from './archive/read-archive.ts';
import { verifyAndReport } from './verify.ts';
import { withDatabase } from './with-database.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put a backup into an empty database, bring it up to date, and verify it')
    .argument('<file>', 'what waybill backup wrote')
    .option('--other-secret', 'although what was encrypted can then not be read')
    .action(restore);
}

async function restore(file: string, { otherSecret }: { otherSecret?: boolean }): Promise<void> {
  const [{ openArchive }, { loadArchive }] = await Promise.all([
    import('./archive/read-archive.ts'),
    import('./archive/load-archive.ts'),
  ]);
  const archive = await openArchive(file);
  try {
    if (otherSecret !== true) await checkSecret(archive, readConfig());
    await withDatabase(
      async ({ url, database }) => {
        const { rows, leftOut } = await loadArchive(url, archive);
        console.log(`${rows} rows restored, as they were at ${archive.header.madeAt}`);
        for (const table of leftOut) console.log(`left out: ${table}, which is no table of Waybill`);
        for (const name of await migrate(database)) console.log(`applied ${name}`);
        await verifyAndReport(database);
      },
      { asItIs: true, patient: true },
    );
  } finally {
    archive.close();
  }
}

async function checkSecret({ header }: Archive, config: Config): Promise<void> {
  const secret = config.secret ?? (await findSecret(config.dataDir));
  if (header.secret === null || (secret !== undefined && fingerprint(secret) === header.secret)) return;
  const place = config.secret === undefined ? secretFile(config.dataDir) : 'WAYBILL_SECRET';
  throw new StartError(
    `the backup was made with another secret than ${place} has: put that one there first, or lose what it encrypts (--other-secret)`,
  );
}
