// The parts of a list of orders: few, by their states, and each in the order of an index for every sort.
import { sql } from '../database/connect.ts';
import type { Organizations } from '../database/tenant.ts';
import { eachOrganization, listed, ofOrganization, type Parts } from '../http/parts.ts';
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
        (includeArchived ? either : [true]).map((kept) => ({ financial, fulfillment, ready, kept })),
      ),
    ),
  );
  const part = sql`unnest(${each.map(({ financial }) => financial)}::text[],
      ${each.map(({ fulfillment }) => fulfillment)}::text[], ${each.map(({ ready }) => ready)}::bool[],
      ${each.map(({ kept }) => kept)}::bool[])
      part (financial_status, fulfillment_status, ready_to_ship, kept)`;
  return {
    from: several ? sql`${eachOrganization(organizations)} cross join ${part}` : part,
    of: [
      ...ofOrganization('o', organizations),
      sql`o.financial_status = part.financial_status`,
      sql`o.fulfillment_status = part.fulfillment_status`,
      sql`o.ready_to_ship = part.ready_to_ship`,
      sql`(o.archived_at is null) = part.kept`,
    ],
    ...listed('orders', 'o', organizations),
  };
}
