// Stock levels and location records on the wire.
import {
  DateTime,
  defaulted,
  Id,
  listQuery,
  nullable,
  object,
  oneOf,
  Quantity,
  requiredText,
  type Static,
  type TSchema,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { productVariantWith } from '../products/schema.ts';
import { identifierTypes } from '../products/variant-lookup.ts';

export const productVariantIdentifier = requiredText(limits.nameLengthMax, {
  description: 'Variant id, sku, sku alias or barcode',
  examples: ['TSHIRT-S'],
});
export const identifierType = oneOf(identifierTypes, {
  description: 'What the identifier is; left out, all types are tried in this order',
});
/** What a body names a variant with. */
export const identifier = {
  productVariantIdentifier,
  identifierType: Type.Optional(nullable(identifierType)),
};

// Levels

const figure = (description: string) => Type.Integer({ description });

function level(productVariant: TSchema) {
  return object({
    id: Id,
    organizationId: Id,
    availableQuantity: figure('Items available for sale: pickable - committed - safety stock'),
    onHandQuantity: figure('All items in the locations of the warehouse'),
    committedQuantity: figure('Items allocated to orders'),
    reservedQuantity: figure('Items in non-pickable locations, and expired lots'),
    incomingQuantity: figure('Items on confirmed purchase orders'),
    damagedQuantity: figure('Items marked as damaged'),
    qualityControlQuantity: figure('Items in quality control'),
    safetyStockQuantity: figure('Minimum stock to maintain'),
    organization: Type.Null(),
    productVariant,
    warehouse: object({
      id: Id,
      name: Type.String(),
      address: object({
        street1: nullable(Type.String()),
        city: nullable(Type.String()),
        state: nullable(Type.String()),
        country: nullable(Type.String()),
      }),
    }),
    serviceObjects: Type.Array(Type.Any()),
    createdAt: DateTime,
    updatedAt: DateTime,
  });
}

const product = object({ id: Id, name: Type.String(), slug: Type.String() });

/** With the full variant: what the list over all products and the safety stock setting answer. */
export const InventoryLevel = level(productVariantWith(product));

/** With the variant in short: what one product's list answers. */
export const ProductInventoryLevel = level(
  object({
    id: Id,
    organizationId: Id,
    productId: Id,
    title: Type.String(),
    sku: Type.String(),
    skuAliases: Type.Array(Type.String()),
    product,
  }),
);

export const levelSorts = [
  'sku',
  'availableQuantity',
  'onHandQuantity',
  'committedQuantity',
  'reservedQuantity',
  'incomingQuantity',
  'damagedQuantity',
  'qualityControlQuantity',
  'safetyStockQuantity',
  'createdAt',
  'updatedAt',
] as const;

const levelFilters = {
  warehouseId: Type.Optional({ ...Id, description: 'Levels in this warehouse only' }),
  childInventory: defaulted(
    Type.Boolean({ default: false, description: 'Also the levels of client organizations' }),
  ),
};

export const ListProductInventoryLevelsQuery = listQuery(levelSorts, levelFilters, { sortOrder: 'asc' });
export type ListProductInventoryLevelsQuery = Static<typeof ListProductInventoryLevelsQuery>;

export const ListInventoryLevelsQuery = listQuery(
  levelSorts,
  {
    ...levelFilters,
    asOf: Type.Optional({
      ...DateTime,
      description: 'The levels as they were at this time, rebuilt from the ledger',
    }),
  },
  { sortOrder: 'asc' },
);
export type ListInventoryLevelsQuery = Static<typeof ListInventoryLevelsQuery>;

export const SetInventoryLevelBody = object({
  ...identifier,
  warehouseId: Id,
  safetyStockQuantity: { ...Quantity, description: 'Units that are kept back from sale', examples: [5] },
});
export type SetInventoryLevelBody = Static<typeof SetInventoryLevelBody>;

// Location records

const locationFields = {
  id: Id,
  organizationId: Id,
  warehouseLocationId: Id,
  productVariantId: Id,
  quantity: Type.Integer(),
  unitsOfMeasureId: nullable(Id),
  uomQuantity: nullable(Type.Number()),
  expirationDate: nullable(DateTime),
  lotNumber: nullable(Type.String()),
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
};
/** A location record as a change of stock answers it. */
export const LocationRecord = object(locationFields);

const InventoryLocation = object({
  ...locationFields,
  organization: Type.Null(),
  productVariant: object({ id: Id, title: Type.String(), sku: Type.String() }),
  warehouseLocation: object({
    id: Id,
    name: Type.String(),
    type: Type.String({ examples: ['bin'] }),
    pickable: Type.Boolean(),
  }),
  unitsOfMeasure: Type.Null(),
});

export const InventoryLocationList = object({
  object: Type.Literal('list'),
  data: Type.Array(InventoryLocation),
  totalCount: Type.Integer(),
});

export const ListInventoryLocationsQuery = object({
  productVariantIdentifier,
  identifierType: Type.Optional(identifierType),
  warehouseId: Id,
});
export type ListInventoryLocationsQuery = Static<typeof ListInventoryLocationsQuery>;
