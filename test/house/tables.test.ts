// Every table of a tenant is keyed by its organisation first, so that no reference can cross tenants and rows can be sharded.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, sql } from '../../src/database/connect.ts';
import { constraintErrors } from '../../src/errors.ts';
import { createTestDatabase } from '../support/cluster.ts';
import { referenceTables } from '../support/tenancy.ts';
import { service } from './sources.ts';

const { url, drop } = await createTestDatabase();
const database = connect(url, { max: 1 });
after(async () => {
  await database.close();
  await drop();
});

/** One row a table, index or foreign key: its table, its own name and its columns, in order. */
interface Keyed {
  table: string;
  name: string;
  columns: string[];
  target: string | null;
}

const isTenants = ({ table }: Keyed) => !referenceTables.includes(table);
const tables = await database.query<{ name: string; columns: string[] }>(sql`
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.relname`);
const indexes = await database.query<Keyed & { primary: boolean; unique: boolean }>(sql`
  select t.relname as table, i.relname as name, x.indisprimary as primary, x.indisunique as unique,
    null as target, array(select a.attname::text from unnest(x.indkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.n order by k.at) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = 'public'::regnamespace`);
const foreignKeys = await database.query<Keyed>(sql`
  select t.relname as table, f.conname as name, r.relname as target,
    array(select a.attname::text from unnest(f.conkey) with ordinality k(n, at)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n order by k.at) as columns
  from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
  where f.contype = 'f' and t.relnamespace = 'public'::regnamespace`);
const otherObjects = await database.query<{ name: string }>(sql`
  select 'trigger ' || tgname as name from pg_trigger where not tgisinternal
  union all select 'rule ' || rulename from pg_rules where schemaname = 'public'
  union all select 'sequence ' || relname from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace`);

const line = ({ table, name, columns }: Keyed) => `${table}: ${name} (${columns.join(', ')})`;

test('the catalog is read', () => {
  assert.ok(tables.length > 10 && indexes.length > 20 && foreignKeys.length > 10);
});

test('every table of a tenant has a primary key that begins with organization_id', () => {
  const keyed = new Set(
    indexes
      .filter(({ primary, columns }) => primary && columns[0] === 'organization_id')
      .map(({ table }) => table),
  );
  const wrong = tables
    .map(({ name }) => name)
    .filter((name) => !referenceTables.includes(name) && !keyed.has(name));
  assert.deepEqual(wrong, []);
});

test('every unique index of a tenant begins with organization_id', () => {
  const wrong = indexes.filter((index) => isTenants(index) && index.unique);
  assert.deepEqual(wrong.filter(({ columns }) => columns[0] !== 'organization_id').map(line), []);
});

test('every foreign key of a tenant begins with organization_id, unless it names an organization', () => {
  const wrong = foreignKeys
    .filter(isTenants)
    .filter(({ target }) => !referenceTables.includes(target!))
    .filter(({ columns }) => columns[0] !== 'organization_id');
  assert.deepEqual(wrong.map(line), []);
});

/** Sequences that exist all the same; each says why. */
const sequences: Record<string, string> = {
  event_positions: 'only tells which of two events of one object came first, and lives on the coordinator',
};

test('there are no triggers, rules and sequences: the write itself does what it does', () => {
  const names = otherObjects.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !(name.replace('sequence ', '') in sequences)),
    [],
  );
});

test('every table is named by some statement of the service', () => {
  const text = service.map((source) => source.text).join('\n');
  const idle = tables.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(text));
  assert.deepEqual(
    idle.map(({ name }) => name),
    [],
  );
});

test('every constraint that stands for an error exists', async () => {
  const constraints = await database.query<{ name: string }>(sql`select conname as name from pg_constraint`);
  const names = new Set([...constraints, ...indexes].map(({ name }) => name));
  assert.deepEqual(
    Object.keys(constraintErrors).filter((name) => !names.has(name)),
    [],
  );
});

test('ids, times and money have one type each', async () => {
  const columns = await database.query<{ column: string; type: string }>(sql`
    select c.relname || '.' || a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'`);
  const rules: [column: RegExp, type: RegExp][] = [
    [/\.(id|\w+_id)$/, /^uuid$/],
    [/\.\w+_(at|date)$/, /^timestamp\(3\) with time zone$/],
    [/\.\w*(price|total|amount|tax|rate)$/, /^(numeric\(\d+,\d+\)|integer)$/],
    [/\.\w*quantity(_\w+)?$/, /^(integer|bigint|numeric\(15,4\))$/],
  ];
  const wrong = columns.filter(({ column, type }) =>
    rules.some(([name, form]) => name.test(column) && !form.test(type)),
  );
  assert.deepEqual(wrong, []);
});
