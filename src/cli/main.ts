// `waybill <command>`: the table of contents of the command line.
import '../compile-cache.js';
import { Command } from 'commander';
import { printFailure, StartError } from '../start-error.ts';
import { backupCommand } from './backup.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { openapiCommand } from './openapi.ts';
import { orgCommand } from './org.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { verifyCommand } from './verify.ts';

const program = new Command('waybill')
  .description(
    'Fulfilment, shipping and inventory. The environment configures every command: see docs/operations.md.',
  )
  .showHelpAfterError('(waybill --help lists the commands)')
  .addCommand(serveCommand())
  .addCommand(migrateCommand())
  .addCommand(orgCommand())
  .addCommand(keyCommand())
  .addCommand(importCommand())
  .addCommand(verifyCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(openapiCommand());

try {
  await program.parseAsync();
} catch (error) {
  printFailure((await refusal(error)) ?? error);
  process.exitCode = 1;
}

/** What the API would answer with an error of its own is one line here. */
async function refusal(error: unknown): Promise<StartError | undefined> {
  if (error instanceof StartError) return error;
  const { apiErrorOf } = await import('../http/error-handler.ts');
  const { code, message, issues = [] } = apiErrorOf(error);
  if (code === 'internal_error') return undefined;
  return new StartError([message, ...issues.map((issue) => `${issue.path}: ${issue.message}`)].join('; '));
}
