// Changes what the body names of a location; the units that lie there count from then on as what it has become.
import { ApiError, notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { reclassifyLocation } from '../inventory/reclassify-location.ts';
import { isStandard, pickableByDefault } from './location-type.ts';
import {
  findWarehouseLocation,
  insertLocationHistory,
  type LocationRow,
  readLocation,
} from './queries-locations.ts';
import { findLocationUsers } from './queries-use.ts';
import type { UpdateWarehouseLocationBody } from './schema.ts';
import { holdWarehouse, storeLocationsOf } from './sharing.ts';

/** @throws 404, 409 shared_warehouse, 412, 409 in_use, 409 archived, 409 name_taken */
export async function updateWarehouseLocation(
  write: Write,
  warehouseId: string,
  id: string,
  body: UpdateWarehouseLocationBody,
): Promise<Found> {
  const { organizationId } = write.scope;
  const held = await holdWarehouse(write, warehouseId, 'alone');
  const before = await readLocation(write, warehouseId, id);
  if (before === undefined) throw notFound('location');
  requireVersion(write, before.version);
  const after = changed(before, body, write.now);
  requireStandardKept(before, after);
  const kindChanged = before.type !== after.type || before.pickable !== after.pickable;
  const organizations = [organizationId, ...held.mirrors];
  if (kindChanged) {
    await reclassifyLocation(write, organizations, { warehouseId, locationId: id, from: before, to: after });
    insertLocationHistory(write, organizations, [after]);
  }
  if (before.archivedAt === null && after.archivedAt !== null) await requireEmpty(write, organizations, id);
  if (before.archivedAt !== null && after.archivedAt === null && held.warehouse.archivedAt !== null) {
    throw new ApiError('archived', { message: 'The warehouse is archived, and its locations with it' });
  }
  storeLocationsOf(write, held, [after]);
  return (await findWarehouseLocation(write.transaction, organizationId, warehouseId, id))!;
}

function changed(before: LocationRow, body: UpdateWarehouseLocationBody, now: Date): LocationRow {
  const { archived, ...fields } = body;
  const after = { ...before, ...fields, version: before.version + 1, updatedAt: now };
  // Another type brings its own default along.
  if (fields.pickable === undefined && before.type !== after.type) {
    after.pickable = pickableByDefault(after.type);
  }
  if (archived === true) after.archivedAt = before.archivedAt ?? now;
  if (archived === false) after.archivedAt = null;
  return after;
}

function requireStandardKept(before: LocationRow, after: LocationRow): void {
  if (!isStandard(before.name)) return;
  const archives = before.archivedAt === null && after.archivedAt !== null;
  if (before.name === after.name && before.type === after.type && !archives) return;
  throw new ApiError('in_use', {
    message: `What arrives goes to ${before.name} by default, so it keeps its name and type and is not archived`,
  });
}

async function requireEmpty(write: Write, organizations: readonly string[], id: string): Promise<void> {
  const users = await findLocationUsers(write.transaction, organizations, id);
  if (users.length === 0) return;
  throw new ApiError('in_use', {
    message: 'There is stock at this location',
    details: { organizationIds: users },
  });
}
