// The data folder, and the small confidential files that are made once and kept in it.
import { randomBytes } from 'node:crypto';
import { chmod, chown, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/** Works in the data folder; what the file system refuses is the operator's to mend. */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    const made = await mkdir(dataDir, { recursive: true });
    // As root, the database's user has to pass through; everything confidential in it has a mode of its own.
    if (made !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o755 : 0o700);
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (error instanceof StartError || code === undefined || syscall === undefined) throw error;
    throw new StartError(`the data folder ${dataDir} cannot be used: ${message}`);
  }
}

/** Writes a file unless it is there, and returns what it holds. It is never seen half written. */
export async function writeOnce(file: string, content: string): Promise<string> {
  const unfinished = `${file}.new-${process.pid}`;
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link fails where another process was quicker.
    await link(unfinished, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      await rename(unfinished, file);
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return readFile(file, 'utf8');
}

/** Writes a file anew. Whatever happens on the way, a full disk for example, it holds what it did or all of this. */
export async function replaceFile(
  file: string,
  content: string,
  { mode, owner }: { mode: number; owner?: { uid: number; gid: number } | undefined },
): Promise<void> {
  const unfinished = `${file}.new-${process.pid}`;
  try {
    await writeFile(unfinished, content, { mode, flush: true });
    if (owner !== undefined) await chown(unfinished, owner.uid, owner.gid);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Where the secret is kept, unless the environment gives one. */
export function secretFile(dataDir: string): string {
  return join(dataDir, 'secret');
}

/** Undefined where none was made yet. */
export async function findSecret(dataDir: string): Promise<string | undefined> {
  return (await readFile(secretFile(dataDir), 'utf8').catch(() => undefined))?.trim();
}

/** The secret that encrypts credentials: made at the first start, the same ever after. */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = secretFile(dataDir);
  const made = `${randomBytes(32).toString('base64url')}\n`;
  return inDataDir(dataDir, async () =>
    (await readFile(file, 'utf8').catch(() => writeOnce(file, made))).trim(),
  );
}
