// The service as `npm start` starts it, on a database of its own, and what its process holds.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startCommand } from '../../bin/start-command.js';
import { startEmbedded } from '../../src/database/embedded.ts';

const root = join(import.meta.dirname, '../..');

export interface Loaded {
  /** The base address, `/api/v1` included. */
  url: string;
  key: string;
  /** Megabytes that the process holds now; null where there is no /proc. */
  megabytes(): Promise<number | null>;
  waybill(...args: string[]): Promise<{ code: number; out: string }>;
  databaseUrl(): Promise<string>;
  stop(): Promise<void>;
}

export async function startLoaded(): Promise<Loaded> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-overload-'));
  if (process.getuid?.() === 0) await chmod(dataDir, 0o755);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL_.*|DATABASE_URL|NODE_TEST_CONTEXT|NODE_OPTIONS)$/.test(name),
  );
  const command = startCommand();
  const env = {
    ...Object.fromEntries(inherited),
    ...command.env,
    ...{ WAYBILL_DATA_DIR: dataDir, WAYBILL_PORT: '0', WAYBILL_DEMO: '0', WAYBILL_ENVIRONMENT: 'test' },
    // One key asks for everything, and what is refused for its rate is no overload.
    WAYBILL_RATE_LIMIT: '1000000',
  };
  const child = spawn(process.execPath, [...command.flags, 'src/server.ts'], {
    ...{ cwd: root, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const waybill: Loaded['waybill'] = async (...given) => {
    const told = promisify(execFile)(process.execPath, ['src/cli/main.ts', ...given], { cwd: root, env });
    return told.then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
    );
  };
  let joined: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  const stop = async () => {
    await end(child);
    await joined?.stop();
    const directory = await databaseDirectory(dataDir);
    await rm(dataDir, { recursive: true, force: true });
    if (!directory.startsWith(dataDir)) await rm(dirname(directory), { recursive: true, force: true });
  };
  try {
    const url = await readyAddress(child);
    await waybill('org', 'create', '--slug', 'load', '--name', 'Load');
    const made = await waybill(
      ...['key', 'create', '--org', 'load', '--name', 'load', '--permissions', 'all', '--json'],
    );
    return {
      url,
      key: (JSON.parse(made.out) as { key: string }).key,
      megabytes: () => residentMegabytes(child.pid!),
      waybill,
      async databaseUrl() {
        joined ??= await startEmbedded(dataDir);
        return joined.url;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyAddress(child: ChildProcess): Promise<string> {
  let out = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      // All of its log is read, little of it is kept.
      out = (out + chunk).slice(-4_000);
    });
  }
  while (child.exitCode === null && child.signalCode === null) {
    const url = /ready at (http\S+\/api\/v1)/.exec(out)?.[1];
    if (url !== undefined) return url;
    await sleep(25);
  }
  throw new Error(`the service did not start:\n${out}`);
}

async function residentMegabytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function databaseDirectory(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'database.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { directory?: string }).directory ?? join(dataDir, 'postgres');
}
