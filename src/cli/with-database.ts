// The database of one command: the running service's where there is one, else started and stopped for the command.
import { type Config, readConfig } from '../config.ts';
import { onStopSignal } from '../signals.ts';
import { type StartedDatabase, startDatabase } from '../start-database.ts';

/** `asItIs`: the database is not brought up to date first. `patient`: statements may take as long as they need. */
export async function withDatabase(
  work: (started: StartedDatabase, config: Config) => Promise<void>,
  { poolSize = 2, asItIs = false, patient = false } = {},
): Promise<void> {
  const config = readConfig();
  const starting = startDatabase(config, { poolSize, asItIs, patient });
  onStopSignal(async () => {
    await starting.then((started) => started.stop()).catch(() => {});
    process.exit(130);
  });
  const started = await starting;
  try {
    await work(started, config);
  } finally {
    await started.stop();
  }
}
