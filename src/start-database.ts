// Gives a process its database: the one that DATABASE_URL names, or else the built-in one, up to date either way.

import { once } from 'node:events';
import type { Config } from './config.ts';
import { connect, type Database } from './database/connect.ts';
import { startEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { StartError } from './start-error.ts';

export interface StartedDatabase {
  url: string;
  database: Database;
  /** Names of the migrations that this start applied. */
  migrations: string[];
  /** Closes the pool, and ends the built-in server where nobody else uses it. */
  stop(): Promise<void>;
}

/** Connections of the built-in server that are kept for the command line and for its own work. */
const spareConnections = 20;
const embeddedConnections = 200;
const oldestVersion = 15;
const closePoolMs = 2000;
/** What its administrator can mend: a right that is lacking, a read-only server, an extension not installed. */
const refusals = new Set(['42501', '25006', '0A000', '58P01']);

/** `asItIs`: its schema is left alone. `patient`: as `connect` has it. */
export async function startDatabase(
  config: Config,
  options: { poolSize: number; log?: (message: string) => void; asItIs?: boolean; patient?: boolean },
): Promise<StartedDatabase> {
  const server = await startServer(config, options.log);
  const database = connect(server.url, { max: options.poolSize, patient: options.patient === true });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closePool(database).then(server.stop);
    return stopped;
  };
  try {
    await checkVersion(database, config);
    const migrations = options.asItIs === true ? [] : await migrate(database);
    return { url: server.url, database, migrations, stop };
  } catch (error) {
    await stop();
    const { databaseUrl } = config;
    const refused = refusals.has((error as { code?: string }).code ?? '');
    throw refused && databaseUrl !== undefined ? new StartError(describeFailure(databaseUrl, error)) : error;
  }
}

/** A statement that hangs must not keep the process from ending. */
async function closePool(database: Database): Promise<void> {
  const patience = AbortSignal.timeout(closePoolMs);
  await Promise.race([database.close(), once(patience, 'abort')]);
}

async function startServer(config: Config, log: ((message: string) => void) | undefined) {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  // With several processes the one that watches over them has a pool too.
  const pools = config.processes > 1 ? config.processes + 1 : 1;
  const most = Math.floor((embeddedConnections - spareConnections) / pools);
  if (config.poolSize > most) {
    throw new StartError(
      `WAYBILL_POOL_SIZE must be at most ${most} for ${config.processes} processes on the built-in database, which takes ${embeddedConnections} connections`,
    );
  }
  return startEmbedded(config.dataDir, log === undefined ? {} : { log });
}

async function checkVersion(database: Database, config: Config): Promise<void> {
  let version: string;
  try {
    const { rows } = await database.pool.query('show server_version');
    version = rows[0].server_version;
  } catch (error) {
    throw config.databaseUrl === undefined
      ? error
      : new StartError(describeFailure(config.databaseUrl, error));
  }
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new StartError(`PostgreSQL ${oldestVersion} or newer is needed; DATABASE_URL has ${version}`);
  }
}

function describeFailure(url: string, error: unknown): string {
  const { hostname, port, pathname } = new URL(url);
  const { message, code } = error as { message?: string; code?: string };
  const place = `${hostname}${port && `:${port}`}${pathname}`;
  return `the database of DATABASE_URL (${place}) cannot be used: ${message || code}`.replaceAll(/\s+/g, ' ');
}
