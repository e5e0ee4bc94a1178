// Recomputes every kept figure of stock from the ledger and the histories, and lists what differs.
import type { Executor } from '../database/connect.ts';
import * as limits from '../limits.ts';
import type { Difference } from './verify-figures.ts';
import { checks, countChecked, listOrganizationIds } from './verify-queries.ts';

export interface Verification {
  consistent: boolean;
  checkedLevels: number;
  checkedLocations: number;
  /** All of them; the list may be shorter. */
  differenceCount: number;
  differences: Difference[];
}

/** Of one organisation, or of all, one after the other. */
export async function verifyInventory(database: Executor, organizationId?: string): Promise<Verification> {
  const organizations = organizationId === undefined ? await listOrganizationIds(database) : [organizationId];
  const verification: Verification = {
    consistent: true,
    checkedLevels: 0,
    checkedLocations: 0,
    differenceCount: 0,
    differences: [],
  };
  for (const id of organizations) await verifyOrganization(database, id, verification);
  verification.consistent = verification.differenceCount === 0;
  return verification;
}

/** One check at a time: a verification reads everything, and others want to work beside it. */
async function verifyOrganization(database: Executor, id: string, found: Verification): Promise<void> {
  for (const check of checks) {
    const { count, differences } = await check(database, id, limits.verifyDifferencesMax);
    found.differenceCount += count;
    found.differences.push(...differences.slice(0, limits.verifyDifferencesMax - found.differences.length));
  }
  const counted = await countChecked(database, id);
  found.checkedLevels += counted.levels;
  found.checkedLocations += counted.locations;
}
