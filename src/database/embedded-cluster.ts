// The embedded PostgreSQL's files: where they lie, how they are made, and the settings it runs with.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile, writeOnce } from '../data-dir.ts';
import { StartError } from '../start-error.ts';
import {
  type Account,
  accountFor,
  type Binaries,
  canEnter,
  findBinaries,
  makeSharedFolder,
  sharedFolder,
} from './embedded-binaries.ts';

export interface Cluster {
  /** PostgreSQL's own folder. */
  directory: string;
  password: string;
  account: Account;
  binaries: Binaries;
  logFile: string;
}

export const userName = 'waybill';

/** `database.json` in the data folder. */
interface Pointer {
  password: string;
  /** Absent: `postgres` in the data folder. */
  directory?: string;
}

/** Finds the cluster that belongs to a data folder; the first time, makes it. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const pointer = await findPointer(dataDir);
  const directory = pointer.directory ?? join(dataDir, 'postgres');
  if (!(await exists(dirname(directory)))) {
    throw new StartError(
      `the database of ${dataDir} is missing from ${directory}: put it back, or delete ${dataDir} to start empty`,
    );
  }
  const account = await accountFor(directory);
  if (!(await canEnter(dirname(directory), account))) {
    throw new StartError(
      `the database user cannot enter ${dirname(directory)}: make it and the folders above it enterable (chmod a+x)`,
    );
  }
  const cluster = {
    directory,
    password: pointer.password,
    account,
    binaries: await findBinaries(account),
    logFile: join(dataDir, 'postgres.log'),
  };
  if (await exists(join(directory, 'PG_VERSION'))) await checkVersion(cluster);
  else await createCluster(cluster);
  return cluster;
}

async function findPointer(dataDir: string): Promise<Pointer> {
  const file = join(dataDir, 'database.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text);
  const pointer: Pointer = { password: randomBytes(24).toString('base64url') };
  if (!(await canEnter(dataDir, await accountFor(join(dataDir, 'postgres'))))) {
    pointer.directory = await makePlaceElsewhere(dataDir);
  }
  return JSON.parse(await writeOnce(file, `${JSON.stringify(pointer, null, 2)}\n`));
}

async function makePlaceElsewhere(dataDir: string): Promise<string> {
  await makeSharedFolder();
  const place = join(sharedFolder, randomBytes(6).toString('hex'));
  await mkdir(place);
  await chmod(place, 0o755);
  await writeFile(join(place, 'README'), `The database of the Waybill data folder ${dataDir}\n`);
  return join(place, 'postgres');
}

async function checkVersion(cluster: Cluster): Promise<void> {
  const found = (await readFile(join(cluster.directory, 'PG_VERSION'), 'utf8')).trim();
  if (found !== cluster.binaries.major) {
    throw new StartError(
      `the database in ${cluster.directory} was made by PostgreSQL ${found}, and this is ${cluster.binaries.major}: see docs/operations.md on upgrading`,
    );
  }
}

/** Made beside its place and then renamed, so that a start that was killed half-way leaves no half a cluster. */
async function createCluster(cluster: Cluster): Promise<void> {
  await removeUnfinished(cluster.directory);
  const unfinished = `${cluster.directory}.new-${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    if (cluster.account !== undefined) {
      await chown(unfinished, cluster.account.uid, cluster.account.gid);
      await chown(passwordFile, cluster.account.uid, cluster.account.gid);
    }
    await runInitdb(cluster, unfinished, passwordFile);
    await rename(unfinished, cluster.directory);
  } catch (error) {
    // Another start on the same folder was quicker.
    if (!(await exists(join(cluster.directory, 'PG_VERSION')))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(dirname(directory))) {
    const pid =
      name.startsWith(`${basename(directory)}.new-`) && /\d+/.exec(name.slice(basename(directory).length));
    if (pid && !isAlive(Number(pid[0]))) {
      await rm(join(dirname(directory), name), { recursive: true, force: true });
    }
  }
}

async function runInitdb(cluster: Cluster, directory: string, passwordFile: string): Promise<void> {
  const options = [
    `--pgdata=${directory}`,
    `--username=${userName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point and knows the letters of every script, alike on every system.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  try {
    await promisify(execFile)(join(cluster.binaries.folder, 'initdb'), options, processOptions(cluster));
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const reason = stderr?.split('\n').find((line) => line.includes('error:')) ?? message.split('\n')[0];
    throw new StartError(`PostgreSQL could not make its files in ${dirname(directory)}: ${reason}`);
  }
}

/** How PostgreSQL's programs are run: as their account, and with nothing of our environment that could steer them. */
export function processOptions(cluster: Cluster) {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...cluster.account };
}

/** Writes the settings, anew at every start so that they follow the version of Waybill. */
export async function writeSettings(cluster: Cluster, overrides: Record<string, string>): Promise<void> {
  const megabytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: '200',
    // An eighth of the memory, within what a small box can spare and what a large one gains from.
    shared_buffers: `${Math.round(Math.min(Math.max(megabytes / 8, 128), 1024))}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    // Rarer checkpoints write fewer full pages; recovery after a crash then takes some seconds more.
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    // Disks without moving heads: an index is worth it sooner.
    random_page_cost: '1.1',
    // Every statement is short; compiling one takes longer than running it.
    jit: 'off',
    // The log holds what is worth a look; a checkpoint is not.
    log_checkpoints: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...overrides,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  const head = '# Written by Waybill at every start. To change a setting use ALTER SYSTEM.';
  const file = join(cluster.directory, 'postgresql.conf');
  const content = `${[head, ...lines].join('\n')}\n`;
  // Most often it says this already, and a server that comes back on a full disk must not need room for it.
  if ((await readFile(file, 'utf8').catch(() => undefined)) === content) return;
  await replaceFile(file, content, { mode: 0o600, owner: cluster.account });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
