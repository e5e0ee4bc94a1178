// Writes a backup: every table as it was at one moment, while the service runs; the file has its name only once it is whole.
import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { link, open, rename, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { StartError } from '../../start-error.ts';
import { findMigrations, findSequences, findTables } from './catalog.ts';
import {
  endOfRows,
  formatName,
  formatVersion,
  type Header,
  quoted,
  sessionSettings,
  type TableHead,
  type Trailer,
} from './format.ts';

export interface Written {
  tables: number;
  rows: number;
  bytes: number;
}

const compression = { level: 3, chunkSize: 65_536 };

/** @throws StartError where the file is there already, or cannot be written */
export async function writeArchive(url: string, file: string, secret: string | null): Promise<Written> {
  if (await exists(file)) throw alreadyThere(file);
  const client = new pg.Client({ connectionString: url, application_name: 'waybill backup' });
  client.on('error', () => {});
  await client.connect();
  const unfinished = `${file}.unfinished-${process.pid}`;
  const remove = () => {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // There is no such folder.
    }
  };
  process.once('exit', remove);
  let whole = false;
  try {
    await client.query(sessionSettings);
    const tables = await beginSnapshot(client);
    const header = await describe(client, secret);
    const counts: Record<string, number> = {};
    await pipeline(
      Readable.from(textOf(client, header, tables, counts)),
      createGzip(compression),
      createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }),
    );
    const { size } = await stat(unfinished);
    await giveName(unfinished, file);
    whole = true;
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { tables: tables.length, rows, bytes: size };
  } catch (error) {
    throw isFileError(error) ? new StartError(`the backup cannot be written: ${error.message}`) : error;
  } finally {
    remove();
    process.off('exit', remove);
    if (whole) await client.end().catch(() => {});
    else breakOff(client);
  }
}

/** A copy that nobody reads any more would keep an orderly end waiting for good. */
function breakOff(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Opens the moment that is written down: all tables are locked against changes of the schema, and of nothing else. */
async function beginSnapshot(client: pg.Client): Promise<TableHead[]> {
  const tables = await findTables(client);
  if ((await findMigrations(client)) === undefined) throw new StartError('there is nothing to back up yet');
  await client.query('begin isolation level repeatable read read only');
  const names = tables.map(({ table }) => quoted(table)).join(', ');
  await client.query(`lock table ${names} in access share mode`);
  if (JSON.stringify(await findTables(client)) !== JSON.stringify(tables)) {
    throw new StartError('the database was migrated just now: make the backup again');
  }
  return tables;
}

async function describe(client: pg.Client, secret: string | null): Promise<Header> {
  const sequences: Record<string, string> = {};
  // A sequence belongs to no moment: read after the snapshot was taken, it is behind none of its rows.
  for (const name of await findSequences(client)) {
    const { rows } = await client.query<{ last: string }>(
      `select last_value::text as last from ${quoted(name)}`,
    );
    sequences[name] = rows[0]!.last;
  }
  return {
    format: formatName,
    version: formatVersion,
    madeAt: new Date().toISOString(),
    migrations: (await findMigrations(client)) ?? [],
    sequences,
    secret,
  };
}

/** @param counts filled with the rows of each table */
async function* textOf(
  client: pg.Client,
  header: Header,
  tables: TableHead[],
  counts: Record<string, number>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  yield hashed(line(header));
  for (const { table, columns } of tables) {
    yield hashed(line({ table, columns }));
    counts[table] = 0;
    const list = columns.map(quoted).join(', ');
    const rows = client.query(copyTo(`copy (select ${list} from ${quoted(table)}) to stdout`));
    for await (const bytes of rows as AsyncIterable<Buffer>) {
      counts[table] += linesIn(bytes);
      yield hashed(bytes);
    }
    yield hashed(endOfRows);
  }
  await client.query('commit');
  const trailer: Trailer = { end: { rows: counts, sha256: hash.digest('hex') } };
  yield line(trailer);
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Each row is one line: a line break in a text is written as `\n`. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Unlike a rename, a link never takes the place of a file that somebody made meanwhile. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(file);
    await rename(unfinished, file);
  }
  const folder = await open(dirname(resolve(file)));
  await folder.sync().catch(() => {});
  await folder.close();
}

function alreadyThere(file: string): StartError {
  return new StartError(`${file} is there already: a backup takes no file's place`);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && ['open', 'write', 'fsync', 'link', 'rename', 'stat'].includes(syscall ?? '');
}
