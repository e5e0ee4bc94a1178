// `waybill verify`: recomputes stock from the ledger; ends with 1 where a kept figure differs.
import { Command } from 'commander';
import type { Verification } from '../inventory/verify-inventory.ts';
import { withDatabase } from './with-database.ts';

export function verifyCommand(): Command {
  return new Command('verify')
    .description('recompute stock from the ledger; exit code 1 where a figure differs')
    .option('--org <org>', 'one organization only')
    .option('--json', 'print the result as JSON')
    .action(verify);
}

async function verify({ org, json }: { org?: string; json?: boolean }): Promise<void> {
  const [{ verifyInventory }, { findOrganization }] = await Promise.all([
    import('../inventory/verify-inventory.ts'),
    import('./organization.ts'),
  ]);
  await withDatabase(async ({ database }) => {
    const organization = org === undefined ? undefined : await findOrganization(database, org);
    const verification = await verifyInventory(database, organization?.id);
    if (json) console.log(JSON.stringify(verification));
    else report(verification);
    if (!verification.consistent) process.exitCode = 1;
  });
}

function report({ checkedLevels, checkedLocations, differenceCount, differences }: Verification): void {
  for (const { expected, actual, ...where } of differences) {
    const place = Object.entries(where).filter(([, value]) => value !== null);
    const text = place.map(([name, value]) => `${name}=${value}`).join(' ');
    console.log(`expected ${expected}, found ${actual}: ${text}`);
  }
  const found = differenceCount === 0 ? 'no difference' : `${differenceCount} differences`;
  console.log(`${found} in ${checkedLevels} levels and ${checkedLocations} location records`);
}
