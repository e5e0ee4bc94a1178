// The accounts that every organisation of the test environment has from its creation.
import { newId } from '../database/ids.ts';
import type { UnscopedWrite } from '../http/api.ts';
import { storeCarrierAccounts } from './queries.ts';

const carriers = [
  ['usps', 'USPS, simulated'],
  ['ups', 'UPS, simulated'],
  ['fedex', 'FedEx, simulated'],
] as const;

export function makeSimulatedAccounts(write: UnscopedWrite, organizationId: string): void {
  const { now } = write;
  const accounts = carriers.map(([carrierCode, description]) => ({
    id: newId(),
    ownerOrganizationId: organizationId,
    kind: 'simulated' as const,
    carrierCode,
    description,
    enabled: true,
    sharedWithChildren: false,
    settings: {},
    credentials: null,
    hasCredentials: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  }));
  storeCarrierAccounts(write, [organizationId], accounts);
}
