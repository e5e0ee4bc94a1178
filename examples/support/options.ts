// The options that every example takes.
import { Command, InvalidArgumentError } from 'commander';

export interface CommonOptions {
  url?: string;
  key?: string;
  connections: number;
  report?: string;
  dataDir?: string;
  keep?: boolean;
  quiet?: boolean;
}

/** A command with those options; its own come on top. */
export function exampleCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option(
      '--url <address>',
      'a service that is up, /api/v1 included; without it one is started for the run',
    )
    .option('--key <key>', 'an API key of that service')
    .option('--connections <n>', 'requests under way at once', positive, 12)
    .option('--report <json>', 'write the whole report to this file')
    .option(
      '--data-dir <folder>',
      'where the started service keeps its data; not removed, so a run can be resumed',
    )
    .option('--keep', 'do not remove the data of the started service')
    .option('--quiet', 'no progress');
}

export function readOptions<Options extends CommonOptions>(command: Command): Options {
  const options = command.parse().opts<Options>();
  if (options.url !== undefined && options.key === undefined) command.error('--url needs --key');
  if (options.url !== undefined && (options.dataDir !== undefined || options.keep)) {
    command.error('--data-dir and --keep are for a service started by this command, not for --url');
  }
  return options;
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('a number from 1 to 999');
  return Number(text);
}
