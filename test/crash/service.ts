// The service and its database as processes that can be killed at any moment and started again.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbedded } from '../../src/database/embedded.ts';
import { freePort } from '../../src/free-port.ts';

const root = join(import.meta.dirname, '../..');

export interface Victim {
  /** The base address, `/api/v1` included; the same after each start. */
  url: string;
  key: string;
  kill(what: 'service' | 'database' | 'both'): Promise<void>;
  /** Starts the service where it does not run, and waits until it is ready. */
  start(): Promise<void>;
  /** Runs `waybill <args>`; returns its exit code and what it printed. */
  waybill(...args: string[]): Promise<{ code: number; out: string }>;
  databaseUrl(): Promise<string>;
  /** What the service wrote to its log since the run began. */
  log(): string;
  stop(): Promise<void>;
}

export async function startVictim(): Promise<Victim> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-crash-'));
  if (process.getuid?.() === 0) await chmod(dataDir, 0o755);
  const port = await freePort('127.0.0.1');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL_.*|DATABASE_URL|NODE_TEST_CONTEXT)$/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    ...{ WAYBILL_DATA_DIR: dataDir, WAYBILL_PORT: String(port), WAYBILL_DEMO: '0' },
    ...{ WAYBILL_ENVIRONMENT: 'test', WAYBILL_LOG_LEVEL: 'error', WAYBILL_RATE_LIMIT: '1000000' },
  };
  let child: ChildProcess | undefined;
  let log = '';
  let joined: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  const url = `http://127.0.0.1:${port}/api/v1`;

  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  async function start(): Promise<void> {
    if (!running()) {
      child = spawn(process.execPath, ['test/crash/serve.ts'], { cwd: root, env });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          log = (log + chunk).slice(-1_000_000);
        });
      }
    }
    while (!(await isReady(url))) {
      if (!running()) throw new Error(`the service ended by itself:\n${log.slice(-4_000)}`);
      await sleep(25);
    }
  }
  async function killService(): Promise<void> {
    if (!running()) return;
    const ended = once(child!, 'exit');
    child!.kill('SIGKILL');
    await ended;
  }
  async function killDatabase(): Promise<void> {
    const pid = await databasePid(dataDir);
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended since.
    }
  }
  const waybill: Victim['waybill'] = async (...args) => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], {
        cwd: root,
        env,
      });
      return { code: 0, out: stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: `${stdout}${stderr}` };
    }
  };
  await start();
  await waybill('org', 'create', '--slug', 'crash', '--name', 'Crash');
  const made = await waybill(
    'key',
    'create',
    '--org',
    'crash',
    '--name',
    'crash',
    '--permissions',
    'all',
    '--json',
  );
  return {
    url,
    key: (JSON.parse(made.out) as { key: string }).key,
    start,
    waybill,
    async kill(what) {
      await Promise.all([
        what === 'database' ? undefined : killService(),
        what === 'service' ? undefined : killDatabase(),
      ]);
    },
    databaseUrl: async () => {
      joined ??= await startEmbedded(dataDir);
      return joined.url;
    },
    log: () => log,
    async stop() {
      if (running()) {
        const ended = once(child!, 'exit');
        child!.kill('SIGTERM');
        await ended;
      }
      await joined?.stop();
      const directory = await databaseDirectory(dataDir);
      if ((await databasePid(dataDir)) !== undefined) await (await startEmbedded(dataDir)).stop();
      await rm(dataDir, { recursive: true, force: true });
      if (!directory.startsWith(dataDir)) await rm(dirname(directory), { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url.replace('/api/v1', '/readyz'), { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

async function databaseDirectory(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'database.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { directory?: string }).directory ?? join(dataDir, 'postgres');
}

async function databasePid(dataDir: string): Promise<number | undefined> {
  const file = join(await databaseDirectory(dataDir), 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}
