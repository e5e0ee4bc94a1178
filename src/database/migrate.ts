// Applies the SQL files of migrations/ in order, each in its own transaction, one process at a time.
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Database } from './connect.ts';

const folder = new URL('../../migrations/', import.meta.url);
/** Any number that no other program on the database takes: the letters WAYB. */
export const migrationLock = 0x57415942;

/** Where `pg` keeps how long this connection waits for an answer. */
interface WithTimeout {
  connectionParameters: { query_timeout: number };
}

/** In the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

/** The SQL of one migration. */
export function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, folder), 'utf8');
}

export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null)',
  );
}

/** Brings the database up to date. Returns the names of the migrations it applied. */
export async function migrate(database: Database): Promise<string[]> {
  const names = await migrationNames();
  const client = await database.pool.connect();
  try {
    // Another process may be migrating for longer than the service ever waits for a lock.
    await client.query('set lock_timeout = 0; set statement_timeout = 0');
    (client as unknown as WithTimeout).connectionParameters.query_timeout = 0;
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    // A role that may only read and write finds what its owner has migrated, and needs no right to create.
    const { rows } = await client.query(`select to_regclass('schema_migrations') is null as empty`);
    if (rows[0].empty) await createMigrationsTable(client);
    const done = new Set<string>(
      (await client.query('select name from schema_migrations')).rows.map((row) => row.name),
    );
    const applied: string[] = [];
    for (const name of names.filter((name) => !done.has(name))) {
      const text = await readMigration(name);
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [
          name,
          new Date(),
        ]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
      applied.push(name);
    }
    return applied;
  } finally {
    // The session's lock and settings go with the connection.
    client.release(true);
  }
}
