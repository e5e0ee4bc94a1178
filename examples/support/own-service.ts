// Starts a Waybill for this run alone: its own database folder, any free port, the key it writes, its memory, its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCommand } from '../../bin/start-command.js';

export interface OwnService {
  url: string;
  key: string;
  dataDir: string;
  /** The most memory its process has held so far; null on systems without /proc. */
  peakMegabytes(): Promise<number | null>;
  /** Runs `waybill verify` on its database. */
  verify(): Promise<{ clean: boolean; output: string }>;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const STARTS_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 30_000;

export async function startService(
  options: { dataDir?: string | undefined; keep?: boolean } = {},
): Promise<OwnService> {
  const dataDir = options.dataDir ?? (await makeFolder());
  const keep = options.keep === true || options.dataDir !== undefined;
  // Settings and database of whoever starts it are not for this service: it runs on defaults.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(WAYBILL_.*|DATABASE_URL)$/.test(name));
  // What is measured here is what people run.
  const command = startCommand();
  const env = {
    ...Object.fromEntries(inherited),
    ...command.env,
    WAYBILL_PORT: '0',
    WAYBILL_DATA_DIR: dataDir,
    WAYBILL_LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [...command.flags, 'src/server.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = keepTail(child);
  const stop = async () => {
    await end(child);
    if (!keep) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = await address(child, written);
    const key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();
    return {
      url,
      key,
      dataDir,
      peakMegabytes: () => peakMegabytes(child),
      verify: () => verify(env),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-example-'));
  // Started by root, the database runs as another user, who has to pass through; its own files stay closed.
  await chmod(folder, 0o755);
  return folder;
}

/** The last of what it wrote: all there is to show when it does not start. */
function keepTail(child: ChildProcess): () => string {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString('utf8')).slice(-4_000);
    });
  }
  return () => tail;
}

/** Any free port was asked for; the address is in the line that says it is ready. */
async function address(child: ChildProcess, written: () => string): Promise<string> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const url = /ready at (http\S+\/api\/v1)/.exec(written())?.[1];
    if (url !== undefined) return url;
    await sleep(50);
  }
  throw new Error(`the service did not start; the last it wrote:\n${written()}`);
}

async function peakMegabytes(child: ChildProcess): Promise<number | null> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
}

async function verify(env: NodeJS.ProcessEnv): Promise<{ clean: boolean; output: string }> {
  const child = spawn(process.execPath, ['bin/waybill.js', 'verify'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const tail = keepTail(child);
  const [code] = await once(child, 'close');
  return { clean: code === 0, output: tail().trim() };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}
