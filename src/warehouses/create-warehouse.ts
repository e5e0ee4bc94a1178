// Creates a warehouse with the locations that every warehouse has.
import { address as storedAddress } from '../address.ts';
import { holdChildren } from '../database/children.ts';
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { pickableByDefault, standardLocations } from './location-type.ts';
import { findWarehouse, storeWarehouses, type WarehouseRow } from './queries.ts';
import { insertLocationHistory, type LocationRow, storeLocations } from './queries-locations.ts';
import type { CreateWarehouseBody } from './schema.ts';

export async function createWarehouse(write: Write, body: CreateWarehouseBody): Promise<Found> {
  const { organizationId } = write.scope;
  const { name, address = null, priority = 100, isThirdParty = false, metadata = {} } = body;
  const { sharedWithChildren = false } = body;
  const warehouse: WarehouseRow = {
    id: newId(),
    ownerOrganizationId: organizationId,
    name,
    addressId: newId(),
    address: address === null ? null : storedAddress(address),
    priority,
    isThirdParty,
    sharedWithChildren,
    metadata,
    ...madeNow(write),
  };
  const children = sharedWithChildren ? await holdChildren(write.transaction, organizationId) : [];
  const organizations = [organizationId, ...children];
  const locations = standardLocations.map((location) => standardRow(write, warehouse.id, location));
  storeWarehouses(write, organizations, [warehouse]);
  storeLocations(write, organizations, locations);
  insertLocationHistory(write, organizations, locations);
  return (await findWarehouse(write.transaction, organizationId, warehouse.id))!;
}

function standardRow(
  write: Write,
  warehouseId: string,
  { name, type }: (typeof standardLocations)[number],
): LocationRow {
  const pickable = pickableByDefault(type);
  return { id: newId(), warehouseId, name, type, pickable, sequence: 0, ...madeNow(write) };
}

/** What every new row begins with. */
export function madeNow({ now }: Write) {
  return { version: 1, createdAt: now, updatedAt: now, archivedAt: null };
}
