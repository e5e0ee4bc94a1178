// What is owed to shipments without anybody asking: open purchases and voids are settled, trackers asked for.

import { systemScope } from '../auth/scope.ts';
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { CarrierError } from '../carriers/carrier.ts';
import { within } from '../carriers/within.ts';
import { ApiError } from '../errors.ts';
import { writeOf } from '../http/write.ts';
import * as limits from '../limits.ts';
import type { ShippingAccess } from './access.ts';
import { recordTracking } from './create-tracking-events.ts';
import { claimDueTrackers, type DueTracker, findDueShipments } from './due-queries.ts';
import { carryOn } from './purchase.ts';
import { readBought } from './void-queries.ts';
import { resumeVoid } from './void-shipment.ts';

/** Every purchase and void whose outcome is due. What fails is logged, and due again. */
export async function settleDue(access: ShippingAccess): Promise<void> {
  const due = await findDueShipments(access.database, new Date(), limits.purchasesAtOnce);
  await Promise.all(
    due.map((one) =>
      guarded(access, one, () => (one.buys ? carryOn : resumeVoid)(access, scopeOf(one), one.id)),
    ),
  );
}

/** Asks the carriers of parcels that are under way. */
export async function trackDue(access: ShippingAccess): Promise<void> {
  const due = await claimDueTrackers(access.database, new Date(), limits.trackersAtOnce);
  await Promise.all(due.map((one) => guarded(access, one, () => trackOne(access, one))));
}

const scopeOf = ({ organizationId }: { organizationId: string }) => systemScope(organizationId);

async function guarded(
  { log }: ShippingAccess,
  { id }: { id: string },
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { name, message } = error as Error;
    // A carrier that cannot be reached is no fault of the service.
    if (!(error instanceof CarrierError || error instanceof ApiError)) {
      log.error(
        { failure: { type: name, message }, shipmentId: id, task: 'carriers' },
        'background task failed',
      );
    }
  }
}

async function trackOne(access: ShippingAccess, due: DueTracker): Promise<void> {
  const { database, secrets, carriers, timing, links } = access;
  const { organizationId, id, carrierAccountId } = due;
  const [account] = await loadCarrierAccounts(database, secrets, organizationId, { ids: [carrierAccountId] });
  const carrier = carriers[account!.kind];
  const bought = await readBought(database, organizationId, id);
  const told = await within(timing.askMs, 'no', (signal) =>
    carrier.track(account!, { reference: id, ...bought }, signal),
  );
  await database.transaction((transaction) => {
    const write = writeOf(transaction, scopeOf(due));
    return recordTracking(write, links, id, told, carrier.trackEveryMs);
  });
}
