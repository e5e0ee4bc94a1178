// Creates a location in a warehouse, for its owner and for every child that sees it.
import { newId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { madeNow } from './create-warehouse.ts';
import { pickableByDefault } from './location-type.ts';
import { findWarehouseLocation, insertLocationHistory, type LocationRow } from './queries-locations.ts';
import type { CreateWarehouseLocationBody } from './schema.ts';
import { holdWarehouse, storeLocationsOf } from './sharing.ts';

/** @throws 404, 409 shared_warehouse, 409 archived, 409 name_taken */
export async function createWarehouseLocation(
  write: Write,
  warehouseId: string,
  body: CreateWarehouseLocationBody,
): Promise<Found> {
  const { organizationId } = write.scope;
  const held = await holdWarehouse(write, warehouseId, 'shared');
  if (held.warehouse.archivedAt !== null) throw new ApiError('archived');
  const { name, type = 'bin', pickable = pickableByDefault(type), sequence = 0 } = body;
  const location: LocationRow = {
    id: newId(),
    warehouseId,
    name,
    type,
    pickable,
    sequence,
    ...madeNow(write),
  };
  storeLocationsOf(write, held, [location]);
  insertLocationHistory(write, [organizationId, ...held.mirrors], [location]);
  return (await findWarehouseLocation(write.transaction, organizationId, warehouseId, location.id))!;
}
