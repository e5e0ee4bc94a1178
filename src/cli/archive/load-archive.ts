// Puts a backup into an empty database, in one transaction: the schema as it was then, every row, and what binds them.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  createMigrationsTable,
  migrationLock,
  migrationNames,
  readMigration,
} from '../../database/migrate.ts';
import { StartError } from '../../start-error.ts';
import { findMigrations, findRemovable, findTables } from './catalog.ts';
import { type Header, quoted, sessionSettings } from './format.ts';
import type { Archive } from './read-archive.ts';

export interface Loaded {
  rows: number;
  /** Tables of the backup that its migrations do not make: somebody else's. */
  leftOut: string[];
}

/** @throws StartError where the database is not empty, or the backup is not whole or not of this version */
export async function loadArchive(url: string, archive: Archive): Promise<Loaded> {
  const client = new pg.Client({ connectionString: url, application_name: 'waybill restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sessionSettings);
    // Whoever migrates waits; without patience for locks, since nobody else has any business here yet.
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await prepareSchema(client, archive.header);
    const loaded = await loadTables(client, archive);
    await client.query('commit');
    await client.query('analyze');
    return loaded;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StartError(`the backup cannot be restored: ${error.message}`);
  } finally {
    // What was not committed goes with the connection.
    await client.end().catch(() => {});
  }
}

/** Leaves the tables of the backup's own version, all of them empty and locked. */
async function prepareSchema(client: pg.Client, { migrations }: Header): Promise<void> {
  const known = await migrationNames();
  if (migrations.some((name, index) => name !== known[index])) {
    throw new StartError(
      'the backup was made by a newer Waybill: restore it with that version or a later one',
    );
  }
  const present = await findMigrations(client);
  if (present === undefined) {
    await createMigrationsTable(client);
    for (const name of migrations) await client.query(await readMigration(name));
    return;
  }
  const tables = (await findTables(client)).map(({ table }) => table);
  await client.query(`lock table ${tables.map(quoted).join(', ')} in access exclusive mode`);
  for (const table of tables.filter((name) => name !== 'schema_migrations')) {
    const { rows } = await client.query(`select from ${quoted(table)} limit 1`);
    if (rows.length > 0) {
      throw new StartError(`a backup is restored into an empty database only, and ${table} has rows here`);
    }
  }
  if (JSON.stringify(present) !== JSON.stringify(migrations)) {
    throw new StartError(
      'the tables here are of another version than the backup: restore into a new database',
    );
  }
  await client.query('delete from schema_migrations');
}

async function loadTables(client: pg.Client, { header, sections }: Archive): Promise<Loaded> {
  const removable = await findRemovable(client);
  // References first: an index that one of them needs cannot go before it.
  for (const { drop } of removable.toReversed()) await client.query(drop);
  const tables = new Map((await findTables(client)).map((found) => [found.table, found.columns]));
  const counts: Record<string, number> = {};
  const leftOut: string[] = [];
  let section = await sections.next();
  for (; !section.done; section = await sections.next()) {
    const { table, columns, rows } = section.value;
    const there = tables.get(table);
    if (there === undefined) {
      leftOut.push(table);
      for await (const _ of rows);
      continue;
    }
    const missing = columns.filter((column) => !there.includes(column));
    if (missing.length > 0) throw new StartError(`${table} has no ${missing.join(', ')} in this version`);
    const copy = client.query(
      copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`),
    );
    await pipeline(Readable.from(rows), copy);
    counts[table] = copy.rowCount;
  }
  for (const [table, count] of Object.entries(counts)) {
    const expected = section.value.rows[table];
    if (count !== expected) throw new StartError(`${table} came to ${count} rows of ${expected}`);
  }
  for (const [name, last] of Object.entries(header.sequences)) {
    await client.query('select setval($1, $2)', [quoted(name), last]);
  }
  for (const { create } of removable) await client.query(create);
  return { rows: Object.values(counts).reduce((sum, count) => sum + count, 0), leftOut };
}
