// A shared warehouse has a row per child, under the same id, and so has each of its locations: kept the same here.
import { holdChildren } from '../database/children.ts';
import { ApiError, notFound } from '../errors.ts';
import type { UnscopedWrite, Write } from '../http/api.ts';
import {
  findMirrors,
  lockWarehouse,
  readSharedWarehouses,
  storeWarehouses,
  type WarehouseRow,
} from './queries.ts';
import {
  insertLocationHistory,
  type LocationRow,
  readLocations,
  storeLocations,
} from './queries-locations.ts';

/** A warehouse that its owner changes. */
export interface HeldWarehouse {
  warehouse: WarehouseRow;
  children: string[];
  /** The children that have rows of it: all while it is shared, those of then when it once was, else none. */
  mirrors: string[];
}

/**
 * Holds a warehouse, and who is to see it, until the transaction ends. Locks are taken in one order: the owner's
 * organisation, the warehouse, then levels and locations.
 * @throws 404 not_found, 409 shared_warehouse
 */
export async function holdWarehouse(
  write: Write,
  id: string,
  lock: 'shared' | 'alone',
): Promise<HeldWarehouse> {
  const { organizationId } = write.scope;
  const children = await holdChildren(write.transaction, organizationId);
  const warehouse = await lockWarehouse(write, id, lock);
  if (warehouse === undefined) throw notFound('warehouse');
  if (warehouse.ownerOrganizationId !== organizationId) throw new ApiError('shared_warehouse');
  return { warehouse, children, mirrors: await findMirrors(write, id, children) };
}

/** Stores the owner's row, and the mirrors as they follow from it. */
export function storeWarehouse(write: Write, warehouse: WarehouseRow, mirrors: readonly string[]): void {
  const { organizationId } = write.scope;
  if (warehouse.sharedWithChildren) {
    storeWarehouses(write, [organizationId, ...mirrors], [warehouse]);
  } else {
    storeWarehouses(write, [organizationId], [warehouse]);
    storeWarehouses(write, mirrors, [{ ...warehouse, archivedAt: write.now }]);
  }
}

/** The same for locations of it. */
export function storeLocationsOf(
  write: Write,
  { warehouse, mirrors }: Pick<HeldWarehouse, 'warehouse' | 'mirrors'>,
  locations: readonly LocationRow[],
): void {
  const { organizationId } = write.scope;
  if (warehouse.sharedWithChildren) {
    storeLocations(write, [organizationId, ...mirrors], locations);
  } else {
    storeLocations(write, [organizationId], locations);
    storeLocations(
      write,
      mirrors,
      locations.map((location) => ({ ...location, archivedAt: write.now })),
    );
  }
}

/** Gives a new child its rows of what the parent shares; the caller holds the parent against other changes. */
export async function mirrorSharedWarehouses(
  write: UnscopedWrite,
  parentId: string,
  childId: string,
): Promise<void> {
  const warehouses = await readSharedWarehouses(write, parentId);
  if (warehouses.length === 0) return;
  const locations = await readLocations(
    write,
    parentId,
    warehouses.map(({ id }) => id),
  );
  storeWarehouses(write, [childId], warehouses);
  storeLocations(write, [childId], locations);
  insertLocationHistory(write, [childId], locations);
}
