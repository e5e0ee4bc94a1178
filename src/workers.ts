// Several processes on one port: the primary starts workers, and replaces those that die.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { freePort } from './free-port.ts';
import { StartError } from './start-error.ts';

export interface Workers {
  /** Settled once the first worker listens, or could not. */
  address: Promise<{ host: string; port: number }>;
  stop(): Promise<void>;
}

const firstRestartMs = 100;
const lastRestartMs = 10_000;
/** A worker that lived this long did not die of its start. */
const settledMs = 10_000;
/** Longer than a worker gives its running requests. */
const killMs = 12_000;

export async function startWorkers(
  config: Config & { databaseUrl: string; secret: string },
  log: Logger,
): Promise<Workers> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('server.ts', import.meta.url)), args: [] });
  // What the primary found or made, every worker is told.
  const port = config.port || (await freePort(config.host));
  const env = {
    DATABASE_URL: config.databaseUrl,
    WAYBILL_SECRET: config.secret,
    WAYBILL_PORT: String(port),
  };
  const address = Promise.withResolvers<{ host: string; port: number }>();
  let stopping = false;
  let listening = false;
  let failures = 0;

  const fork = () => {
    const bornAt = performance.now();
    const worker = cluster.fork(env);
    worker.once('listening', ({ address: host, port }) => {
      if (listening) return;
      // The others wait for the first, so that what stops all of them is told once.
      listening = true;
      address.resolve({ host: host ?? config.host, port });
      for (let count = 1; count < config.processes; count += 1) fork();
    });
    worker.once('message', ({ failure }: { failure?: string }) => {
      if (!listening) address.reject(failure === undefined ? undefined : new StartError(failure));
    });
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      if (!listening)
        return address.reject(new StartError(`a worker ended with ${signal ?? `code ${code}`}`));
      failures = performance.now() - bornAt > settledMs ? 0 : failures + 1;
      const waitMs = Math.min(firstRestartMs * 2 ** failures, lastRestartMs);
      log.warn({ pid: worker.process.pid, code, signal, waitMs }, 'A worker ended; starting another');
      setTimeout(() => stopping || fork(), waitMs);
    });
  };
  fork();
  return {
    address: address.promise,
    async stop() {
      stopping = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && end(worker)));
    },
  };
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exit = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), killMs);
  await exit;
  clearTimeout(kill);
}

/** Lets the primary print why this worker could not start. */
export async function tellPrimary(error: unknown): Promise<void> {
  const failure = error instanceof StartError ? error.message : String((error as Error)?.stack ?? error);
  await new Promise((resolve) => process.send?.({ failure }, undefined, undefined, resolve));
}
