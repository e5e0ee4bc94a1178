// The parts of a list of orders: few, by their states, and each in the order of an index for every sort.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import type { Parts } from '../http/pagination.ts';
import { financialStatuses, fulfillmentStatuses, type ListOrdersQuery } from './schema.ts';

const either = [true, false];

type States = Pick<ListOrdersQuery, 'financialStatus' | 'fulfillmentStatus' | 'includeArchived'> & {
  readyToShip?: boolean | undefined;
};

/** Those that the filters by state let through. */
export function partsOfOrders(organizations: Organizations, states: States): Parts {
  const { financialStatus, fulfillmentStatus, readyToShip, includeArchived } = states;
  const several = typeof organizations !== 'string';
  const each = (financialStatus === undefined ? financialStatuses : [financialStatus]).flatMap((financial) =>
    (fulfillmentStatus === undefined ? fulfillmentStatuses : [fulfillmentStatus]).flatMap((fulfillment) =>
      (readyToShip === undefined ? either : [readyToShip]).flatMap((ready) =>
        (includeArchived ? either : [true]).map((listed) => ({ financial, fulfillment, ready, listed })),
      ),
    ),
  );
  const part = sql`unnest(${each.map(({ financial }) => financial)}::text[],
      ${each.map(({ fulfillment }) => fulfillment)}::text[], ${each.map(({ ready }) => ready)}::bool[],
      ${each.map(({ listed }) => listed)}::bool[])
      part (financial_status, fulfillment_status, ready_to_ship, listed)`;
  return {
    from: several ? sql`${eachOrganization(organizations)} cross join ${part}` : part,
    of: [
      ...ofOrganization(organizations),
      sql`o.financial_status = part.financial_status`,
      sql`o.fulfillment_status = part.fulfillment_status`,
      sql`o.ready_to_ship = part.ready_to_ship`,
      sql`(o.archived_at is null) = part.listed`,
    ],
    ...table(organizations),
  };
}

/** Undefined for one organisation: all its orders that are not archived are in the order of one index by date. */
export function partsByDate(organizations: Organizations): Parts | undefined {
  if (typeof organizations === 'string') return undefined;
  return {
    from: eachOrganization(organizations),
    of: [...ofOrganization(organizations), sql`o.archived_at is null`],
    ...table(organizations),
  };
}

function eachOrganization(organizations: readonly string[]): Sql<unknown> {
  return sql`unnest(${organizations}::uuid[]) organization (id)`;
}

function ofOrganization(organizations: Organizations): Sql<unknown>[] {
  return typeof organizations === 'string' ? [] : [sql`o.organization_id = organization.id`];
}

function table(organizations: Organizations): Pick<Parts, 'table' | 'owned'> {
  return { table: sql`orders o`, owned: owned('o', organizations) };
}
