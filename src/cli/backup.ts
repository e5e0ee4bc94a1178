// `waybill backup <file>`: the whole database at one moment, in one file, while the service runs.
import { Command } from 'commander';
import type { Config } from '../config.ts';
import { findSecret, secretFile } from '../data-dir.ts';
import { fingerprint } from '../secrets.ts';
import { withDatabase } from './with-database.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('write the whole database, as it is at this moment, into a file that is not there yet')
    .argument('<file>', 'for example waybill-2026-11-21.backup')
    .action(backup);
}

async function backup(file: string): Promise<void> {
  const { writeArchive } = await import('./archive/write-archive.ts');
  await withDatabase(
    async ({ url }, config) => {
      const secret = config.secret ?? (await findSecret(config.dataDir));
      const { rows, tables, bytes } = await writeArchive(
        url,
        file,
        secret === undefined ? null : fingerprint(secret),
      );
      console.log(`${rows} rows of ${tables} tables in ${file} (${bytes} bytes)`);
      console.log(adviceOn(secret, config));
    },
    { asItIs: true },
  );
}

/** The secret is not in the backup: whoever has both can read the credentials of carriers. */
function adviceOn(secret: string | undefined, config: Config): string {
  if (config.secret !== undefined)
    return 'It can be used with this WAYBILL_SECRET only: keep that apart from it';
  const kept = secretFile(config.dataDir);
  return secret === undefined
    ? `There is no ${kept}: if the service has its secret elsewhere, keep that too`
    : `It can be used with ${kept} only: keep a copy of that apart from it`;
}
