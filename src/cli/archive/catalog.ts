// What a database has of Waybill's, as its catalog says: tables, their columns, sequences, indexes and references.
import type pg from 'pg';
import type { TableHead } from './format.ts';

const own = `n.oid = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

/** In alphabetical order; generated columns left out, for nothing can be written to them. */
export async function findTables(client: pg.ClientBase): Promise<TableHead[]> {
  const { rows } = await client.query<TableHead>(`
    select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where ${own} and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname collate "C"`);
  return rows;
}

export async function findSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind = 'S' order by c.relname collate "C"`);
  return rows.map(({ name }) => name);
}

/** Undefined where the schema was never made. */
export async function findMigrations(client: pg.ClientBase): Promise<string[] | undefined> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') is null as empty`);
  if (found[0].empty) return undefined;
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

/** Statements that take something away, and those that bring it back. */
export interface Removable {
  drop: string;
  create: string;
}

/** Foreign keys, and indexes that are no constraint: quicker made once for all rows than kept with each. */
export async function findRemovable(client: pg.ClientBase): Promise<Removable[]> {
  const { rows: indexes } = await client.query<Removable>(`
    select format('drop index %s', i.oid::regclass) as drop, pg_get_indexdef(i.oid) as create
    from pg_index x join pg_class i on i.oid = x.indexrelid
    join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
    where ${own} and not exists (select from pg_constraint k where k.conindid = i.oid) order by i.relname`);
  const { rows: references } = await client.query<Removable>(`
    select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop,
      format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
        as create
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${own} and k.contype = 'f' order by c.relname, k.conname`);
  return [...indexes, ...references];
}
