// The process: configuration, database, HTTP, and an orderly stop.
import './compile-cache.js';
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { keptSecret, replaceFile } from './data-dir.ts';
import * as limits from './limits.ts';
import { logOutput } from './log-output.ts';
import type { ShippingOptions } from './shipping.ts';
import { onStopSignal } from './signals.ts';
import { startDatabase } from './start-database.ts';
import { printFailure, StartError } from './start-error.ts';
import { startWorkers, tellPrimary } from './workers.ts';

/** What has been started, as ways to stop it; the last started stops first. */
type Started = (() => Promise<unknown>)[];

const releaseMs = 50;

/** One half of the service, where the other runs in processes of its own. */
type Part = 'api' | 'jobs';

/** Runs the service until a signal ends it, and the process with it. `shipping`: other time limits, for tests. */
export async function serve(config: Config, only?: Part, shipping: ShippingOptions = {}): Promise<void> {
  const log = pino({ level: config.logLevel }, logOutput({ sync: true }));
  const started: Started = [];
  const starting = start({ config, only, shipping }, started, log);
  onStopSignal(async (signal) => {
    log.info({ signal }, 'Stopping');
    // A start is not broken off half-way: what it is just starting would be left behind.
    await starting.catch(() => {});
    await stop(started);
    process.exit(0);
  });
  try {
    await starting;
  } catch (error) {
    if (cluster.isPrimary) printFailure(error);
    else await tellPrimary(error);
    await stop(started);
    process.exit(1);
  }
}

interface Wanted {
  config: Config;
  only: Part | undefined;
  shipping: ShippingOptions;
}

async function start({ config, only, shipping }: Wanted, started: Started, log: Logger): Promise<void> {
  const serves = only !== 'jobs' && (cluster.isWorker || config.processes === 1);
  const works = only !== 'api' && cluster.isPrimary;
  // Loading the service takes about as long as starting the database.
  const loading = Promise.all([
    serves ? import('./app.ts') : undefined,
    works ? import('./background/run.ts') : undefined,
    cluster.isPrimary && config.demo ? import('./demo.ts') : undefined,
  ]);
  loading.catch(() => {});
  const secret = config.secret ?? (await keptSecret(config.dataDir));
  const { url, database, stop } = await startDatabase(config, {
    poolSize: config.poolSize,
    log: (message) => log.warn(message),
  });
  started.push(stop);
  const complete = { ...config, databaseUrl: url, secret };

  const [appModule, background, demo] = await loading;
  const example = await demo?.seedDemo(database, config.environment);
  if (example !== undefined) await keepDemoKey(config, example.key, log);
  const app = await appModule?.buildApp({ database, config: complete, shipping });
  if (background !== undefined) {
    const tasks = background.startBackground({ database, config: complete, log, shipping });
    started.push(() => Promise.race([tasks.stop(), sleep(limits.drainMs, undefined, { ref: false })]));
  }
  if (only === 'jobs') return console.log('Waybill is ready to do background work');
  const address = app === undefined ? await fork(complete, started, log) : await listen(app, config, started);
  if (cluster.isWorker) return;
  const base = announce(address);
  if (example !== undefined) console.log(`An example, to paste:\n${demo!.demoCurl(base, example.key)}`);
}

async function fork(
  config: Parameters<typeof startWorkers>[0],
  started: Started,
  log: Logger,
): Promise<Address> {
  const workers = await startWorkers(config, log);
  started.push(workers.stop);
  return workers.address;
}

async function listen(app: FastifyInstance, config: Config, started: Started): Promise<Address> {
  started.push(() => drain(app));
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw listenFailure(config, error);
  }
  const { address, port } = app.server.address() as AddressInfo;
  return { host: address, port };
}

function listenFailure({ host, port }: Config, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program uses it (WAYBILL_PORT chooses another)',
    EACCES: 'this account may not use it (WAYBILL_PORT chooses another)',
    EADDRNOTAVAIL: 'this machine does not have that address (WAYBILL_HOST)',
    ENOTFOUND: 'there is no such host (WAYBILL_HOST)',
  };
  const reason = reasons[code ?? ''];
  return reason === undefined ? error : new StartError(`cannot listen on ${host} port ${port}: ${reason}`);
}

/** Accepts nothing new, and gives what runs its time; then it is cut off. */
async function drain(app: FastifyInstance): Promise<void> {
  // A connection whose last answer went out after the stop began would otherwise be kept for its next request.
  const release = setInterval(() => app.server.closeIdleConnections(), releaseMs);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), limits.drainMs);
  await app.close();
  clearInterval(release);
  clearTimeout(cutOff);
}

async function stop(started: Started): Promise<void> {
  for (let step = started.pop(); step !== undefined; step = started.pop()) {
    await step().catch(printFailure);
  }
}

interface Address {
  host: string;
  port: number;
}

/** Returns the base address of the API. */
function announce({ host, port }: Address): string {
  // Where it listens on every interface, this is the one that surely works from here.
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const base = `http://${reachable}:${port}`;
  console.log(`Waybill is ready at ${base}/api/v1 (documentation: ${base}/docs)`);
  return `${base}/api/v1`;
}

async function keepDemoKey(config: Config, key: string, log: Logger): Promise<void> {
  await replaceFile(join(config.dataDir, 'demo-key'), `${key}\n`, { mode: 0o600 }).catch((error: unknown) =>
    log.warn({ err: error }, 'The key of the demo is not kept'),
  );
}

if (import.meta.main) {
  try {
    await serve(readConfig());
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
