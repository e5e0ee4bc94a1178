// Sets how much of a variant's stock in one warehouse is kept back from sale.
import { invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Reply } from '../http/envelope.ts';
import { resolveIdentifier } from '../products/variant-lookup.ts';
import { unknownWarehouse } from './apply-changes.ts';
import { findWarehouseIds } from './queries.ts';
import { findInventoryLevel } from './queries-levels.ts';
import type { SetInventoryLevelBody } from './schema.ts';
import { setSafetyStock } from './stock.ts';

export async function setInventoryLevel(write: Write, body: SetInventoryLevelBody): Promise<Reply> {
  const { transaction, scope } = write;
  const warehouseId = body.warehouseId.toLowerCase();
  const [variant, warehouses] = await Promise.all([
    resolveIdentifier(
      transaction,
      scope.organizationId,
      body.productVariantIdentifier,
      body.identifierType ?? undefined,
    ),
    findWarehouseIds(transaction, scope.organizationId, [warehouseId]),
  ]);
  if (!warehouses.has(warehouseId)) throw unknownWarehouse();
  if (variant.is_bundle || !variant.tracks_inventory) {
    const message = 'is a bundle or does not track inventory, so it has no level of its own';
    throw invalid([{ path: '/productVariantIdentifier', code: 'holds_no_stock', message }]);
  }
  const { safetyStockQuantity } = body;
  const id = await setSafetyStock(write, { productVariantId: variant.id, warehouseId, safetyStockQuantity });
  const level = await findInventoryLevel(transaction, scope.organizationId, id);
  return { body: `{"object":"inventory-level","data":${level}}` };
}
