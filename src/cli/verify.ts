// `waybill verify`: recomputes stock from the ledger and counts what lists count; ends with 1 where a kept figure differs.
import { Command } from 'commander';
import type { Database } from '../database/connect.ts';
import type { Verification } from '../inventory/verify-inventory.ts';
import type { CountVerification } from './verify-counts.ts';
import { withDatabase } from './with-database.ts';

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'recompute stock from the ledger and count what lists count; exit code 1 where a figure differs',
    )
    .option('--org <org>', 'one organization only')
    .option('--json', 'print the result as JSON')
    .action(verify);
}

async function verify({ org, json }: { org?: string; json?: boolean }): Promise<void> {
  const { findOrganization } = await import('./organization.ts');
  await withDatabase(
    async ({ database }) => {
      const id = org === undefined ? undefined : (await findOrganization(database, org)).id;
      await verifyAndReport(database, id, json);
    },
    { patient: true },
  );
}

/** Prints what is found; a difference is exit code 1. */
export async function verifyAndReport(
  database: Database,
  organizationId?: string,
  json = false,
): Promise<void> {
  const [{ verifyInventory }, { listOrganizationIds }, { verifyCounts }] = await Promise.all([
    import('../inventory/verify-inventory.ts'),
    import('../inventory/verify-queries.ts'),
    import('./verify-counts.ts'),
  ]);
  const stock = await verifyInventory(database, organizationId);
  const ids = organizationId === undefined ? await listOrganizationIds(database) : [organizationId];
  const counts = await verifyCounts(database, ids);
  const consistent = stock.consistent && counts.countDifferences.length === 0;
  if (json) console.log(JSON.stringify({ ...stock, ...counts, consistent }));
  else report(stock, counts);
  if (!consistent) process.exitCode = 1;
}

function report(
  { checkedLevels, checkedLocations, differenceCount, differences }: Verification,
  { checkedCounts, countDifferences }: CountVerification,
): void {
  for (const { expected, actual, ...where } of [...differences, ...countDifferences]) {
    const place = Object.entries(where).filter(([, value]) => value !== null);
    const text = place.map(([name, value]) => `${name}=${value}`).join(' ');
    console.log(`expected ${expected}, found ${actual}: ${text}`);
  }
  const count = differenceCount + countDifferences.length;
  const found = count === 0 ? 'no difference' : `${count} differences`;
  console.log(
    `${found} in ${checkedLevels} levels, ${checkedLocations} location records and ${checkedCounts} counts of lists`,
  );
}
