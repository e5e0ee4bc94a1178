// Changes what the body names of a warehouse, for its owner and for every child that sees it.
import { address as storedAddress } from '../address.ts';
import { ApiError } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findWarehouse, type WarehouseRow } from './queries.ts';
import { insertLocationHistory, type LocationRow, readLocations } from './queries-locations.ts';
import { findWarehouseUsers } from './queries-use.ts';
import type { UpdateWarehouseBody } from './schema.ts';
import { type HeldWarehouse, holdWarehouse, storeLocationsOf, storeWarehouse } from './sharing.ts';

/** @throws 404, 409 shared_warehouse, 412, 409 in_use when it is not empty for those who are to lose it */
export async function updateWarehouse(write: Write, id: string, body: UpdateWarehouseBody): Promise<Found> {
  const held = await holdWarehouse(write, id, 'alone');
  const before = held.warehouse;
  requireVersion(write, before.version);
  const after = changed(before, body, write.now);
  await requireEmpty(write, held, after);
  const archiving = (before.archivedAt === null) !== (after.archivedAt === null);
  if (archiving || before.sharedWithChildren !== after.sharedWithChildren) {
    await storeWithLocations(write, held, after);
  } else {
    storeWarehouse(write, after, held.mirrors);
  }
  return (await findWarehouse(write.transaction, write.scope.organizationId, id))!;
}

function changed(before: WarehouseRow, body: UpdateWarehouseBody, now: Date): WarehouseRow {
  const { address, archived, ...fields } = body;
  const after = { ...before, ...fields, version: before.version + 1, updatedAt: now };
  if (address !== undefined) after.address = address === null ? null : storedAddress(address);
  if (archived === true) after.archivedAt = before.archivedAt ?? now;
  if (archived === false) after.archivedAt = null;
  return after;
}

async function requireEmpty(write: Write, held: HeldWarehouse, after: WarehouseRow): Promise<void> {
  const archives = held.warehouse.archivedAt === null && after.archivedAt !== null;
  const unshares = held.warehouse.sharedWithChildren && !after.sharedWithChildren;
  if (!archives && !unshares) return;
  const losing = [...(archives ? [write.scope.organizationId] : []), ...held.mirrors];
  const users = await findWarehouseUsers(write.transaction, losing, after.id);
  if (users.length === 0) return;
  throw new ApiError('in_use', {
    message: 'There is stock, safety stock, an allocation, an open purchase order or a pinned order in it',
    details: { organizationIds: users },
  });
}

/** The locations are archived, brought back and mirrored with their warehouse, so that whoever locks one knows. */
async function storeWithLocations(write: Write, held: HeldWarehouse, after: WarehouseRow): Promise<void> {
  const { organizationId } = write.scope;
  const before = held.warehouse;
  const locations = (await readLocations(write, organizationId, [after.id])).map(
    (location): LocationRow => withWarehouse(location, before, after),
  );
  const mirrors = after.sharedWithChildren ? held.children : held.mirrors;
  storeWarehouse(write, after, mirrors);
  storeLocationsOf(write, { warehouse: after, mirrors }, locations);
  const added = mirrors.filter((id) => !held.mirrors.includes(id));
  insertLocationHistory(write, added, locations);
}

/** A location that was archived by itself stays so when its warehouse comes back. */
function withWarehouse(location: LocationRow, before: WarehouseRow, after: WarehouseRow): LocationRow {
  let { archivedAt } = location;
  if (before.archivedAt === null && after.archivedAt !== null) archivedAt ??= after.archivedAt;
  else if (after.archivedAt === null && archivedAt?.getTime() === before.archivedAt?.getTime())
    archivedAt = null;
  if (archivedAt === location.archivedAt) return location;
  return { ...location, archivedAt, version: location.version + 1, updatedAt: after.updatedAt };
}
