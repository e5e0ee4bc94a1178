// The endpoints of warehouses and their locations.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { createWarehouse } from './create-warehouse.ts';
import { createWarehouseLocation } from './create-warehouse-location.ts';
import { findWarehouse, listWarehouses } from './queries.ts';
import { listWarehouseLocations } from './queries-locations.ts';
import {
  CreateWarehouseBody,
  CreateWarehouseLocationBody,
  ListWarehouseLocationsQuery,
  ListWarehousesQuery,
  UpdateWarehouseBody,
  UpdateWarehouseLocationBody,
  Warehouse,
  WarehouseLocation,
} from './schema.ts';
import { updateWarehouse } from './update-warehouse.ts';
import { updateWarehouseLocation } from './update-warehouse-location.ts';

export function warehouseRoutes(api: Api): void {
  api.get(
    '/warehouses',
    {
      operationId: 'listWarehouses',
      permission: 'inventory:read',
      summary: 'List warehouses',
      description: 'Its own, and those that its parent shares. `search` matches the name.',
      query: ListWarehousesQuery,
      response: listOf(Warehouse),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listWarehouses(database, scope.organizationId, query)),
  );
  api.post(
    '/warehouses',
    {
      operationId: 'createWarehouse',
      permission: 'inventory:write',
      summary: 'Create a warehouse',
      description:
        'It is made with the locations `RECEIVING` (pickable), `DAMAGED` and `QC`, of the types `receiving`, `damaged` and `quality-control`.',
      body: CreateWarehouseBody,
      response: singleOf('warehouse', Warehouse),
    },
    async (write) => single('warehouse', await createWarehouse(write, write.body)),
  );
  api.get(
    '/warehouses/{warehouseId}',
    {
      operationId: 'getWarehouse',
      permission: 'inventory:read',
      summary: 'Get a warehouse',
      ids: { warehouseId: 'warehouse' },
      response: singleOf('warehouse', Warehouse),
    },
    async ({ database, scope, ids }) => {
      const found = await findWarehouse(database, scope.organizationId, ids['warehouseId']!);
      if (found === undefined) throw notFound('warehouse');
      return single('warehouse', found);
    },
  );
  api.post(
    '/warehouses/{warehouseId}',
    {
      operationId: 'updateWarehouse',
      permission: 'inventory:write',
      summary: 'Update a warehouse',
      description:
        'Changes what the body names; an `address` replaces the whole address. Only the owner changes a shared warehouse (409 `shared_warehouse`). `archived: true` takes it and its locations out of lists and of allocation, and it takes no new stock; `archived: false` brings them back. Archiving while there is stock, safety stock, an allocation, something on the way or an open order pinned to it is 409 `in_use`, and so is `sharedWithChildren: false` while that holds for a child; `details.organizationIds` says for whom. A warehouse that is no longer shared is gone for the children until it is shared again.',
      ids: { warehouseId: 'warehouse' },
      body: UpdateWarehouseBody,
      response: singleOf('warehouse', Warehouse),
      errors: ['shared_warehouse', 'in_use'],
    },
    async (write) => single('warehouse', await updateWarehouse(write, write.ids['warehouseId']!, write.body)),
  );
  locationRoutes(api);
}

function locationRoutes(api: Api): void {
  api.get(
    '/warehouses/{warehouseId}/locations',
    {
      operationId: 'listWarehouseLocations',
      permission: 'inventory:read',
      summary: 'List the locations of a warehouse',
      description: '`search` matches the name.',
      ids: { warehouseId: 'warehouse' },
      query: ListWarehouseLocationsQuery,
      response: listOf(WarehouseLocation),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, ids, query }) => {
      const warehouseId = ids['warehouseId']!;
      const [warehouse, page] = await Promise.all([
        findWarehouse(database, scope.organizationId, warehouseId),
        listWarehouseLocations(database, scope.organizationId, warehouseId, query),
      ]);
      if (warehouse === undefined) throw notFound('warehouse');
      return list(page);
    },
  );
  api.post(
    '/warehouses/{warehouseId}/locations',
    {
      operationId: 'createWarehouseLocation',
      permission: 'inventory:write',
      summary: 'Create a location in a warehouse',
      description:
        'The children that share the warehouse get it too. In an archived warehouse it is 409 `archived`.',
      ids: { warehouseId: 'warehouse' },
      body: CreateWarehouseLocationBody,
      response: singleOf('warehouse-location', WarehouseLocation),
      errors: ['shared_warehouse', 'archived', 'name_taken'],
    },
    async (write) =>
      single(
        'warehouse-location',
        await createWarehouseLocation(write, write.ids['warehouseId']!, write.body),
      ),
  );
  api.post(
    '/warehouses/{warehouseId}/locations/{locationId}',
    {
      operationId: 'updateWarehouseLocation',
      permission: 'inventory:write',
      summary: 'Update a location',
      description:
        'Changes what the body names. A new `type` without `pickable` brings its default along. A change of `type` or `pickable` moves the units that lie there, of every organization that has some, to the figure of the level where they now belong; allocations that they carried become backorders, and backorders that they can fill are filled. `archived: true` is 409 `in_use` while there are units. `RECEIVING`, `DAMAGED` and `QC` keep name and type and are not archived (409 `in_use`): what arrives goes there by default.',
      ids: { warehouseId: 'warehouse', locationId: 'location' },
      body: UpdateWarehouseLocationBody,
      response: singleOf('warehouse-location', WarehouseLocation),
      errors: ['shared_warehouse', 'in_use', 'archived', 'name_taken'],
    },
    async (write) =>
      single(
        'warehouse-location',
        await updateWarehouseLocation(write, write.ids['warehouseId']!, write.ids['locationId']!, write.body),
      ),
  );
}
