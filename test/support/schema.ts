// Writes down what the migrations add up to, from the catalog, the same on every version of PostgreSQL.
import { type Database, sql } from '../../src/database/connect.ts';

/** One SQL text: extensions, sequences, functions, then each table with its constraints and indexes, all by name. */
export async function describeSchema(database: Database): Promise<string> {
  const [extensions, sequences, functions, tables] = await Promise.all([
    lines(database, extensionLines),
    lines(database, sequenceLines),
    lines(database, functionLines),
    lines(database, tableLines),
  ]);
  const header = [
    '-- What the migrations add up to, for reading. Written by `npm run schema`; test/house/schema.test.ts compares.',
  ];
  return `${[...header, extensions.join('\n'), ...sequences, ...functions, ...tables].join('\n\n')}\n`;
}

async function lines(database: Database, statement: ReturnType<typeof sql<{ line: string }>>) {
  return (await database.query(statement)).map(({ line }) => line.trim());
}

const extensionLines = sql<{ line: string }>`
  select 'create extension ' || extname || ';' as line from pg_extension
  where extname <> 'plpgsql' order by extname`;

const sequenceLines = sql<{ line: string }>`
  select 'create sequence ' || relname || ';' as line from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`;

const functionLines = sql<{ line: string }>`
  select pg_get_functiondef(p.oid) || ';' as line from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname, pg_get_function_identity_arguments(p.oid)`;

/** Newer versions also list "not null" as a constraint; the columns say that already. */
const tableLines = sql<{ line: string }>`
  select 'create table ' || c.relname || ' (' || E'\n' || (
      select string_agg('  ' || part, E',\n' order by kind, place, name collate "C") from (
        select 1 as kind, a.attnum as place, a.attname::text as name,
          a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attnotnull then ' not null' else '' end
            || case
              when a.attgenerated = 's' then
                ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
              when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
              else ''
            end as part
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        union all
        select 2, array_position('{p,u,f,c,x}', k.contype::text), k.conname,
          'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
      ) parts) || E'\n);\n' || coalesce((
      select string_agg(pg_get_indexdef(x.indexrelid) || ';', E'\n' order by i.relname)
      from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = x.indexrelid
        and k.conrelid = c.oid)), '') as line
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;
