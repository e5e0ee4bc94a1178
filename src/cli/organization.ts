// Finds the organisation that a command names, and the write that acts for it.

import { systemScope } from '../auth/scope.ts';
import type { Executor, Transaction } from '../database/connect.ts';
import type { Write } from '../http/api.ts';
import { writeOf } from '../http/write.ts';
import { listOrganizations, type OrganizationSummary } from '../organizations/queries.ts';
import { StartError } from '../start-error.ts';

/** A client as `parent/client`: its slug alone need not be unique. */
export function pathOf({ parentSlug, slug }: OrganizationSummary): string {
  return parentSlug === null ? slug : `${parentSlug}/${slug}`;
}

/** By id, by `parent/client`, or by slug where that is enough. */
export async function findOrganization(database: Executor, named: string): Promise<OrganizationSummary> {
  const all = await listOrganizations(database);
  const exact = all.filter((each) => pathOf(each) === named || each.id === named);
  const matching = exact.length > 0 ? exact : all.filter((each) => each.slug === named);
  const [found, ...others] = matching;
  if (found === undefined) throw new StartError(`there is no organization ${named} (waybill org list)`);
  if (others.length > 0) {
    throw new StartError(`${named} may be ${matching.map(pathOf).join(' or ')}: name one of them`);
  }
  return found;
}

/** The write that a command makes: nobody's key asked for it. */
export function commandWrite(transaction: Transaction, organizationId: string): Write {
  return writeOf(transaction, systemScope(organizationId));
}
