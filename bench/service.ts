// Starts the service as a user would, in a folder of its own, and reads what its process has cost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCommand } from '../bin/start-command.js';
import { cpuSeconds } from './cpu.ts';

export interface Service {
  /** Its base address, `/api/v1` included. */
  url: string;
  cpuSeconds(): Promise<number | null>;
  /** The memory it holds, and the most it has held; null on systems without /proc. */
  megabytes(): Promise<Megabytes | null>;
  stop(): Promise<void>;
}

export interface Megabytes {
  now: number;
  peak: number;
}

/** The one setting that differs from a fresh checkout's: nothing is refused for coming too fast. */
export const changedSettings = { WAYBILL_RATE_LIMIT: '1000000' };

/** The same of a service that is taken apart in a process of the benchmark's own; it signs links for nobody. */
export const recordedSettings = {
  ...changedSettings,
  WAYBILL_LOG_LEVEL: 'error',
  WAYBILL_SECRET: 'of a service that nobody reaches from outside',
};

const root = join(import.meta.dirname, '..');
const startsWithinMs = 120_000;
const stopsWithinMs = 30_000;

export interface DataDir {
  path: string;
  /** Whether it stays when the service has stopped. */
  kept: boolean;
}

/** @param kept the folder that stays; a new one that does not where it is left out */
export async function makeDataDir(kept?: string): Promise<DataDir> {
  const folder = kept === undefined ? await mkdtemp(join(tmpdir(), 'waybill-bench-')) : resolve(kept);
  await mkdir(folder, { recursive: true });
  // Started by root, the database runs as another user, who has to pass through.
  await chmod(folder, 0o755);
  return { path: folder, kept: kept !== undefined };
}

/** A data folder that is not kept goes with the service. */
export async function startService({ path: dataDir, kept }: DataDir): Promise<Service> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(WAYBILL_.*|DATABASE_URL)$/.test(name));
  const logFile = join(dataDir, 'service.log');
  const log = await open(logFile, 'w');
  const command = startCommand();
  const child = spawn(process.execPath, [...command.flags, 'src/server.ts'], {
    cwd: root,
    env: {
      ...Object.fromEntries(inherited),
      ...command.env,
      ...changedSettings,
      WAYBILL_PORT: '0',
      WAYBILL_DATA_DIR: dataDir,
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const stop = async () => {
    await end(child);
    if (!kept) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return {
      url: await address(child, logFile),
      cpuSeconds: () => cpuSeconds(child.pid!),
      megabytes: () => megabytes(child.pid!),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function address(child: ChildProcess, logFile: string): Promise<string> {
  const deadline = Date.now() + startsWithinMs;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const url = /ready at (http\S+\/api\/v1)/.exec(await readFile(logFile, 'utf8'))?.[1];
    if (url !== undefined) return url;
    await sleep(50);
  }
  throw new Error(`the service did not start; it wrote:\n${(await readFile(logFile, 'utf8')).slice(-4_000)}`);
}

async function megabytes(pid: number): Promise<Megabytes | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
  return status === '' ? null : { now: read('VmRSS'), peak: read('VmHWM') };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs);
  await exited;
  clearTimeout(timer);
}
