// The predicate that every tenant's table carries in every statement.
import { type Sql, sql } from './connect.ts';

/** One organisation, or, where a parent widens a list to its children, several. */
export type Organizations = string | readonly string[];

/**
 * `<alias>.organization_id = $1`. A table below another one names that one's alias as `outer`: with several
 * organisations the rows must belong together, and each table still carries the parameter itself, which a
 * sharded database routes by.
 */
export function owned(alias: string, organizations: Organizations, outer?: string): Sql<unknown> {
  const column = sql.ref(`${alias}.organization_id`);
  if (typeof organizations === 'string') return sql`${column} = ${organizations}`;
  const own = sql`${column} = any(${organizations}::uuid[])`;
  return outer === undefined ? own : sql`${own} and ${column} = ${sql.ref(`${outer}.organization_id`)}`;
}
