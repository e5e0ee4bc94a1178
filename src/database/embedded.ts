// Runs PostgreSQL for whoever has none: started, shared, brought back after a crash, and stopped by its last user.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inDataDir } from '../data-dir.ts';
import { StartError } from '../start-error.ts';
import { type Cluster, openCluster, userName } from './embedded-cluster.ts';
import { endServer, ensureRunning, type Running } from './embedded-process.ts';

export interface Embedded {
  url: string;
  /** PostgreSQL's own folder: in the data folder, or elsewhere where its account could not reach that. */
  directory: string;
  /** Stops the server unless another process still uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** PostgreSQL settings that differ from ours; only the process that launches the server can set them. */
  settings?: Record<string, string>;
  /** Told when the server has to be brought back. */
  log?: (message: string) => void;
}

const databaseName = 'waybill';
/** Held shared by every process that uses the server; whoever can take it alone is the last. */
const usersLock = 0x57415943;
const retryMs = 1000;

/**
 * Every process that works on a data folder calls this: the first launches the server, later ones join it, the last to
 * stop ends it. Who uses it is told by an advisory lock, which PostgreSQL frees when a process dies, so that a server
 * left behind by a `kill -9` is joined like any other.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const settings = options.settings ?? {};
  const cluster = await inDataDir(dataDir, () => openCluster(dataDir));
  let stopping = false;
  let lease = await join(cluster, settings);
  const { port } = lease.running;
  let recovery = Promise.resolve();

  const watch = () => {
    lease.client.on('error', () => {});
    lease.client.once('end', () => {
      if (!stopping) recovery = recover();
    });
  };

  const recover = async () => {
    options.log?.('The connection to the built-in PostgreSQL broke; bringing it back');
    while (!stopping) {
      try {
        lease = await join(cluster, settings, port);
        if (lease.running.port !== port) {
          options.log?.(
            'The built-in PostgreSQL is at another port now; ending, so that a new start finds it',
          );
          process.kill(process.pid, 'SIGTERM');
        }
        return watch();
      } catch (error) {
        options.log?.(`The built-in PostgreSQL does not come back: ${(error as Error).message}`);
        await sleep(retryMs);
      }
    }
  };

  watch();
  return {
    url: urlOf(cluster, port, databaseName),
    directory: cluster.directory,
    async stop() {
      if (stopping) return;
      stopping = true;
      await recovery;
      await leave(cluster, lease);
    },
  };
}

interface Lease {
  client: pg.Client;
  running: Running;
}

/** Counts this process among the server's users, launching the server if need be. */
async function join(cluster: Cluster, settings: Record<string, string>, port?: number): Promise<Lease> {
  for (;;) {
    const running = await ensureRunning(cluster, settings, port);
    try {
      const client = await connectTo(cluster, running);
      // Waits where the last user is just ending the server, which then breaks the connection.
      await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
      return { client, running };
    } catch (error) {
      if (!isPassing(error)) throw failure(cluster, error);
      await sleep(50);
    }
  }
}

async function connectTo(cluster: Cluster, running: Running): Promise<pg.Client> {
  try {
    return await connect(urlOf(cluster, running.port, databaseName));
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error;
  }
  const admin = await connect(urlOf(cluster, running.port, 'postgres'));
  try {
    await admin.query(`create database ${databaseName}`);
  } catch (error) {
    // Another start on the same folder was quicker.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await admin.end();
  }
  return connect(urlOf(cluster, running.port, databaseName));
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'waybill user' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function leave(cluster: Cluster, { client, running }: Lease): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
    const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [usersLock]);
    if (rows[0].last) await endServer(cluster, running);
  } catch {
    // The server is gone already.
  }
  await client.end().catch(() => {});
}

/** Whether the server is only about to stop, to start, or to recover. */
function isPassing(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^57P0|^ECONN|^EPIPE/.test(code) || message.startsWith('Connection terminated');
}

function failure(cluster: Cluster, error: unknown): unknown {
  if ((error as { code?: string }).code !== '28P01') return error;
  return new StartError(`the password in database.json is not that of the database in ${cluster.directory}`);
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${userName}:${cluster.password}@127.0.0.1:${port}/${database}`;
}
