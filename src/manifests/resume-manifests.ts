// Manifests that a carrier was closing when whoever asked for them was gone.
import { systemScope } from '../auth/scope.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { ShippingAccess } from '../shipments/access.ts';
import { resumeManifest } from './create-manifest.ts';
import { findDueManifests } from './queries.ts';

export async function resumeDueManifests(access: ShippingAccess): Promise<void> {
  const due = await findDueManifests(access.database, new Date(), limits.purchasesAtOnce);
  for (const { organizationId, id } of due) {
    try {
      await resumeManifest(access, { scope: systemScope(organizationId) }, id);
    } catch (error) {
      // What the carrier says is kept with the manifest.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
