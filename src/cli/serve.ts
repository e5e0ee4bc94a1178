// `waybill serve`: the service, as `npm start` runs it.
import { Command, Option } from 'commander';
import { readConfig } from '../config.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service until it is stopped')
    .addOption(
      new Option('--only <part>', 'answer requests only, or do background work only').choices([
        'api',
        'jobs',
      ]),
    )
    .action(async ({ only }: { only?: 'api' | 'jobs' }) => {
      const config = readConfig();
      const { serve } = await import('../server.ts');
      await serve(config, only);
    });
}
