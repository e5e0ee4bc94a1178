// Lists in parts: what a list divides its rows by where no index has all that is asked for in its order.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';

/**
 * Divides the rows into few parts, each of which is in the list's order by one index. The page is put together from the
 * first rows of each part: what is read and sorted is as many pages as there are parts at most, however many rows they hold.
 */
export interface Parts {
  /** Relations with a row for each part; `of` says which of them a row of the list belongs to. */
  from: Sql<unknown>;
  of: Sql<unknown>[];
  /** The listed table alone, and the predicate of its tenant: by its key the rows of the page are read for `json`. */
  table: Sql<unknown>;
  owned: Sql<unknown>;
}

/** The table that is listed, as Parts has it. */
export function listed(
  table: string,
  alias: string,
  organizations: Organizations,
): Pick<Parts, 'table' | 'owned'> {
  return { table: sql`${sql.ref(table)} ${sql.ref(alias)}`, owned: owned(alias, organizations) };
}

/**
 * For rows of one organisation that are all in the order of one index: of several organisations each is a part, and one
 * needs none. `more` holds of each row besides.
 */
export function partsByOrganization(
  table: string,
  alias: string,
  organizations: Organizations,
  more: Sql<unknown>[] = [],
): Parts | undefined {
  if (typeof organizations === 'string') return undefined;
  return {
    from: eachOrganization(organizations),
    of: [...ofOrganization(alias, organizations), ...more],
    ...listed(table, alias, organizations),
  };
}

/** A relation `organization` with a row for each of several; of one there is no need. */
export function eachOrganization(organizations: Organizations): Sql<unknown> {
  return sql`unnest(${organizations}::uuid[]) organization (id)`;
}

/** That a row is of the part's organisation. */
export function ofOrganization(alias: string, organizations: Organizations): Sql<unknown>[] {
  if (typeof organizations === 'string') return [];
  return [sql`${sql.ref(`${alias}.organization_id`)} = organization.id`];
}
