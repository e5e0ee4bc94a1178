// The endpoints of stock: levels, location records, changes, the ledger and its verification.
import type { Api } from '../http/api.ts';
import { listOf, single } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { changeInventory } from './change-inventory.ts';
import { changeInventoryBulk } from './change-inventory-bulk.ts';
import {
  listInventoryLevels,
  listInventoryLocations,
  listInventoryMovements,
  listProductInventoryLevels,
} from './reads.ts';
import * as wire from './schema.ts';
import * as changes from './schema-changes.ts';
import * as ledger from './schema-ledger.ts';
import { setInventoryLevel } from './set-inventory-level.ts';
import { verifyInventory } from './verify-inventory.ts';

export function inventoryRoutes(api: Api): void {
  levelRoutes(api);
  stockRoutes(api);
  ledgerRoutes(api);
}

function levelRoutes(api: Api): void {
  api.get(
    '/products/{productId}/inventory-level',
    {
      operationId: 'listProductInventoryLevels',
      permission: 'inventory:read',
      summary: 'List the inventory levels of one product',
      description: [
        'One row is one variant in one warehouse; archived products are answered too.',
        'A bundle has no stock of its own: its rows are computed for every warehouse that knows one of its',
        'components. Available are the whole bundles that the scarcest component makes; the other figures, which',
        'are those of the components, are 0.',
        '`search` matches sku, title, barcode and product name.',
        '`childInventory` also answers for the product of a client organization.',
      ].join(' '),
      ids: { productId: 'product' },
      query: wire.ListProductInventoryLevelsQuery,
      response: listOf(wire.ProductInventoryLevel),
      errors: ['invalid_cursor'],
    },
    listProductInventoryLevels,
  );
  api.get(
    '/inventory/levels',
    {
      operationId: 'listInventoryLevels',
      permission: 'inventory:read',
      summary: 'List inventory levels across products and warehouses',
      description: [
        'One row is one variant in one warehouse. `search` matches sku, title, barcode and product name.',
        '`asOf` rebuilds the levels of a past time from the ledger; a lot that had expired by then counts as',
        'reserved. What began before that time and is still being written appears once it has committed.',
        'Bundles have no rows here.',
      ].join(' '),
      query: wire.ListInventoryLevelsQuery,
      response: listOf(wire.InventoryLevel),
      errors: ['invalid_cursor'],
    },
    listInventoryLevels,
  );
  api.post(
    '/inventory/levels',
    {
      operationId: 'setInventoryLevel',
      permission: 'inventory:write',
      summary: 'Set the safety stock of a variant in a warehouse',
      description: [
        'What is kept back is not available for sale. Lowering it fills backorders; raising it takes nothing',
        'back from orders that already hold stock. A level that does not exist yet is made. A warehouse that is',
        'archived, or no longer shared, keeps nothing back: any quantity but 0 is 409 `archived`.',
      ].join(' '),
      body: wire.SetInventoryLevelBody,
      response: single('inventory-level', wire.InventoryLevel),
      errors: ['variant_not_found', 'ambiguous_identifier', 'archived'],
    },
    (write) => setInventoryLevel(write, write.body),
  );
}

function stockRoutes(api: Api): void {
  api.get(
    '/inventory/locations',
    {
      operationId: 'listInventoryLocations',
      permission: 'inventory:read',
      summary: 'List where the units of a variant are in a warehouse',
      description:
        'One record per location, lot and expiry that holds units, in pick order. Empty records are left out.',
      query: wire.ListInventoryLocationsQuery,
      response: wire.InventoryLocationList,
      errors: ['variant_not_found', 'ambiguous_identifier'],
    },
    listInventoryLocations,
  );
  api.post(
    '/inventory',
    {
      operationId: 'changeInventory',
      permission: 'inventory:write',
      summary: 'Add, remove or move units',
      description: [
        'A positive `changeQuantity` adds, a negative one removes, `moveToWarehouseLocationId` makes it a move.',
        'More stock fills backorders by order date; where less is left than orders hold, the newest allocations',
        'become backorders. Removing more than is there changes nothing: 409 `insufficient_stock`.',
        '`data` is the record of the location after the change (the last one touched, where several lots were),',
        'for a move that of the destination, with `source` beside it.',
      ].join(' '),
      body: changes.ChangeInventoryBody,
      response: changes.InventoryUpdate,
      errors: [
        'variant_not_found',
        'ambiguous_identifier',
        'insufficient_stock',
        'stale_quantity',
        'archived',
      ],
    },
    (write) => changeInventory(write, write.body),
  );
  api.post(
    '/inventory/bulk',
    {
      operationId: 'changeInventoryBulk',
      permission: 'inventory:write',
      summary: 'Make up to 10,000 changes of stock in one request',
      description: [
        'Changes are applied in order, each on what the ones before it left. With `atomic` (the default) one that',
        'fails undoes all: the answer has the code of the first, and an issue at `/changes/<n>` for each.',
        'With `"atomic": false` those that can be made are made, and `data` says of each what became of it.',
      ].join(' '),
      body: changes.ChangeInventoryBulkBody,
      bodyLimit: limits.bulkBodyBytes,
      response: changes.InventoryUpdateBulk,
      errors: ['unknown_variant', 'ambiguous_identifier', 'insufficient_stock', 'stale_quantity', 'archived'],
    },
    (write) => changeInventoryBulk(write, write.body),
  );
}

function ledgerRoutes(api: Api): void {
  api.get(
    '/inventory/movements',
    {
      operationId: 'listInventoryMovements',
      permission: 'inventory:read',
      summary: 'List the ledger of units',
      description: [
        'Every unit that ever came, went or moved. `search` matches the sku, title, barcode and product name of',
        'the variant; `dateRange` applies to `createdAt`.',
      ].join(' '),
      query: ledger.ListInventoryMovementsQuery,
      response: listOf(ledger.InventoryMovement),
      errors: ['invalid_cursor', 'variant_not_found', 'ambiguous_identifier'],
    },
    listInventoryMovements,
  );
  api.get(
    '/inventory/verify',
    {
      operationId: 'verifyInventory',
      permission: 'inventory:read',
      summary: 'Recompute every balance and list what differs',
      description: [
        'Location records from the ledger, levels from location records, committed units from allocations and',
        'from their history, safety stock from its settings, allocated units of order lines from allocations; and',
        'whether every lot is looked at again when it expires. `kind` is the figure, `basis` what it was held against.',
        'Reads the whole ledger; each check sees one moment, so it may run while stock changes.',
      ].join(' '),
      response: ledger.InventoryVerification,
    },
    async ({ database, scope }) => {
      const data = await verifyInventory(database, scope.organizationId);
      return { body: JSON.stringify({ object: 'inventory-verification', data }) };
    },
  );
}
