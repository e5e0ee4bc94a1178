// What the lists of stock look up first: whose levels, which product, which variant.
import { findFamily } from '../database/children.ts';
import type { Organizations } from '../database/tenant.ts';
import { notFound } from '../errors.ts';
import type { ReadContext } from '../http/api.ts';
import { list, type Reply } from '../http/envelope.ts';
import { resolveIdentifier } from '../products/variant-lookup.ts';
import { unknownWarehouse } from './apply-changes.ts';
import {
  findWarehouseIds,
  listInventoryLocations as listLocations,
  listInventoryMovements as listMovements,
} from './queries.ts';
import {
  findProductKind,
  listInventoryLevels as listLevels,
  listProductInventoryLevels as listProductLevels,
} from './queries-levels.ts';
import type {
  ListInventoryLevelsQuery,
  ListInventoryLocationsQuery,
  ListProductInventoryLevelsQuery,
} from './schema.ts';
import type { ListInventoryMovementsQuery } from './schema-ledger.ts';

async function organizationsOf(
  { database, scope }: ReadContext<unknown>,
  childInventory: boolean,
): Promise<Organizations> {
  return childInventory ? findFamily(database, scope.organizationId) : scope.organizationId;
}

/** @throws 404 unless the product is the organisation's or, with `childInventory`, a client's */
export async function listProductInventoryLevels(
  context: ReadContext<ListProductInventoryLevelsQuery>,
): Promise<Reply> {
  const { database, scope, query } = context;
  const id = context.ids['productId']!;
  const organizations = await organizationsOf(context, query.childInventory);
  const product = await findProductKind(database, organizations, id);
  if (product === undefined) throw notFound('product');
  return list(
    await listProductLevels(database, scope.organizationId, organizations, { id, ...product }, query),
  );
}

export async function listInventoryLevels(context: ReadContext<ListInventoryLevelsQuery>): Promise<Reply> {
  const { database, scope, query } = context;
  const organizations = await organizationsOf(context, query.childInventory);
  return list(await listLevels(database, scope.organizationId, organizations, query));
}

/** @throws 404 variant_not_found, 400 ambiguous_identifier, 400 for an unknown warehouse */
export async function listInventoryLocations({
  database,
  scope,
  query,
}: ReadContext<ListInventoryLocationsQuery>): Promise<Reply> {
  const { productVariantIdentifier, identifierType } = query;
  const warehouseId = query.warehouseId.toLowerCase();
  const [warehouses, variant] = await Promise.all([
    findWarehouseIds(database, scope.organizationId, [warehouseId]),
    resolveIdentifier(database, scope.organizationId, productVariantIdentifier, identifierType),
  ]);
  if (!warehouses.has(warehouseId)) throw unknownWarehouse();
  const records = await listLocations(database, scope.organizationId, variant.id, warehouseId);
  return { body: `{"object":"list","data":[${records.join(',')}],"totalCount":${records.length}}` };
}

/** @throws 404 variant_not_found, 400 ambiguous_identifier */
export async function listInventoryMovements({
  database,
  scope,
  query,
}: ReadContext<ListInventoryMovementsQuery>): Promise<Reply> {
  const { productVariantIdentifier, identifierType } = query;
  const variant =
    productVariantIdentifier === undefined
      ? undefined
      : await resolveIdentifier(database, scope.organizationId, productVariantIdentifier, identifierType);
  return list(await listMovements(database, scope.organizationId, query, variant?.id));
}
