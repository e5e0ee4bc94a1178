// The embedded PostgreSQL as a process: find the running one, launch one, end it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replaceFile } from '../data-dir.ts';
import { freePort } from '../free-port.ts';
import { StartError } from '../start-error.ts';
import { type Cluster, isAlive, processOptions, writeSettings } from './embedded-cluster.ts';

export interface Running {
  pid: number;
  port: number;
}

const loopback = '127.0.0.1';
const pollMs = 10;
const launchPatienceMs = 30_000;
const retryMs = 50;
const emptyPidFileMs = 5_000;
const logBytesKept = 10 * 2 ** 20;

/**
 * The server of this cluster: the one that runs already, or else one launched now. With `port` it is launched on that
 * port only, otherwise on the one it had before, or on another where that is taken.
 */
export async function ensureRunning(
  cluster: Cluster,
  settings: Record<string, string>,
  port?: number,
): Promise<Running> {
  let wanted = port ?? (await lastPort(cluster));
  for (const startedAt = performance.now(); ; ) {
    const running = await findRunning(cluster);
    if (running !== undefined) return running;
    wanted ??= await freePort(loopback);
    const result = await launchAlone(cluster, settings, wanted);
    if (typeof result === 'object') return result;
    if (performance.now() - startedAt > launchPatienceMs) throw startFailure(cluster, result);
    // The port is taken, or children of a killed server still work.
    if (portTaken.test(result)) wanted = port;
    await sleep(retryMs);
  }
}

/** A server that starts, perhaps recovering from a crash, or that stops is waited for: either ends by itself. */
async function findRunning(cluster: Cluster): Promise<Running | undefined> {
  for (;;) {
    const file = await readPidFile(cluster);
    if (file === undefined || !(await isServerOf(file.pid, cluster))) return undefined;
    if (file.ready) return file;
    await sleep(pollMs);
  }
}

/** PostgreSQL notes how it was started; its address stays the same where it can. */
async function lastPort(cluster: Cluster): Promise<number | undefined> {
  const text = await readFile(join(cluster.directory, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"-p" "(\d+)"/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Asks the server to disconnect everyone, write what it holds and end; waits until it has. */
export async function endServer(cluster: Cluster, running: Running): Promise<void> {
  // SIGINT is PostgreSQL's "fast" shutdown.
  process.kill(running.pid, 'SIGINT');
  while ((await readPidFile(cluster))?.pid === running.pid && isAlive(running.pid)) await sleep(pollMs);
}

interface PidFile extends Running {
  ready: boolean;
  lines: string[];
}

const pidFilePath = (cluster: Cluster) => join(cluster.directory, 'postmaster.pid');

/** PostgreSQL's own note of its process, port and state; it removes it when it ends in order. */
async function readPidFile(cluster: Cluster): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready', lines };
}

/** After a crash the number of the dead server may belong to any other program; where there is no /proc, believe it. */
async function isServerOf(pid: number, cluster: Cluster): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.split('\0').includes(cluster.directory);
}

/**
 * Launches the server while no other process does: PostgreSQL's own lock has a gap where several servers start beside
 * the file of a killed one. An abstract socket is a lock that the kernel frees; only Linux has them.
 */
async function launchAlone(
  cluster: Cluster,
  settings: Record<string, string>,
  port: number,
): Promise<Running | string> {
  if (platform() !== 'linux') return launch(cluster, settings, port);
  const name = `\0waybill-${createHash('sha256').update(cluster.directory).digest('hex')}`;
  for (;;) {
    const lock = createServer().listen(name);
    try {
      await once(lock, 'listening');
      return (await findRunning(cluster)) ?? (await launch(cluster, settings, port));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(pollMs);
    } finally {
      lock.close();
    }
  }
}

/** Answers with a text where another try may do better: why it did not start this time. */
async function launch(
  cluster: Cluster,
  settings: Record<string, string>,
  port: number,
): Promise<Running | string> {
  await disownPidFile(cluster);
  await writeSettings(cluster, settings);
  const log = await openLog(cluster);
  try {
    // In a session of its own, so that Ctrl-C in a terminal reaches Waybill alone and it can finish its work first.
    const child = spawn(
      join(cluster.binaries.folder, 'postgres'),
      ['-D', cluster.directory, '-p', String(port)],
      { ...processOptions(cluster), detached: true, stdio: ['ignore', log.handle.fd, log.handle.fd] },
    );
    const ended = await becomesReady(child, cluster);
    if (ended === undefined && child.pid !== undefined) return { pid: child.pid, port };
    const reason = await readReason(cluster, log.start, ended);
    if (mayPass.test(reason)) return reason;
    throw startFailure(cluster, reason);
  } finally {
    await log.handle.close();
  }
}

const portTaken = /could not bind|could not create any TCP/;
const mayPass = new RegExp(
  `lock file .* (already exists|is empty)|pre-existing shared memory|${portTaken.source}`,
);

/**
 * The number in a left-over file may belong to another program by now, and PostgreSQL would not start. Our own number
 * counts as stale with it, while the file's other lines still let it notice that old server processes linger.
 */
async function disownPidFile(cluster: Cluster): Promise<void> {
  const left = await readPidFile(cluster);
  if (left === undefined) return removeEmptyPidFile(cluster);
  if (!isAlive(left.pid)) return;
  const content = [process.pid, ...left.lines.slice(1)].join('\n');
  await replaceFile(pidFilePath(cluster), content, { mode: 0o600, owner: cluster.account });
}

/** One that a power cut or a full disk left empty stops PostgreSQL for good: it cannot tell whose it is. */
async function removeEmptyPidFile(cluster: Cluster): Promise<void> {
  const found = await stat(pidFilePath(cluster)).catch(() => undefined);
  // A server that is just starting fills it within moments.
  if (found?.size === 0 && Date.now() - found.mtimeMs > emptyPidFileMs) await rm(pidFilePath(cluster));
}

/** Undefined when the server accepts connections; otherwise how its process ended. */
async function becomesReady(child: ChildProcess, cluster: Cluster): Promise<string | undefined> {
  let end: string | undefined;
  child.once('error', (error) => {
    end = error.message;
  });
  child.once('exit', (code, signal) => {
    end = `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  while (end === undefined) {
    const file = await readPidFile(cluster);
    if (file?.pid === child.pid && file?.ready) return undefined;
    await sleep(pollMs);
  }
  return end;
}

async function openLog(cluster: Cluster) {
  const size = (await stat(cluster.logFile).catch(() => undefined))?.size ?? 0;
  if (size > logBytesKept) await rename(cluster.logFile, `${cluster.logFile}.1`);
  const handle = await open(cluster.logFile, 'a', 0o600);
  return { handle, start: (await handle.stat()).size };
}

async function readReason(cluster: Cluster, start: number, ended: string | undefined): Promise<string> {
  const text = (await readFile(cluster.logFile)).subarray(start).toString();
  const lines = text.split('\n').filter((line) => /FATAL|PANIC|could not|error while/.test(line));
  return lines.length > 0
    ? lines.map((line) => line.replace(/^.*?(FATAL|PANIC|LOG|WARNING): */, '')).join('; ')
    : String(ended);
}

function startFailure(cluster: Cluster, reason: string): StartError {
  return new StartError(`the built-in PostgreSQL did not start: ${reason} (its log: ${cluster.logFile})`);
}
