// The ledger and its verification on the wire.
import { dateRangeParameters } from '../http/date-range.ts';
import {
  DateTime,
  Id,
  listQuery,
  nullable,
  object,
  requiredText,
  type Static,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { identifierType, productVariantIdentifier } from './schema.ts';

export const InventoryMovement = object({
  id: Id,
  organizationId: Id,
  warehouseId: Id,
  productVariantId: Id,
  productVariant: object({ id: Id, title: Type.String(), sku: Type.String() }),
  fromWarehouseLocationId: nullable(Id),
  toWarehouseLocationId: nullable(Id),
  quantity: Type.Integer({
    description: 'Positive into `to`, negative out of `from`, positive for a move between the two',
  }),
  lotNumber: nullable(Type.String()),
  expirationDate: nullable(DateTime),
  unitsOfMeasureId: nullable(Id),
  reason: Type.String(),
  referenceType: nullable(Type.String()),
  referenceId: nullable(Id),
  apiKeyId: nullable(Id),
  createdAt: DateTime,
});

export const movementSorts = ['createdAt', 'quantity'] as const;
export const ListInventoryMovementsQuery = listQuery(movementSorts, {
  productVariantIdentifier: Type.Optional(productVariantIdentifier),
  identifierType: Type.Optional(identifierType),
  productVariantId: Type.Optional(Id),
  warehouseId: Type.Optional(Id),
  warehouseLocationId: Type.Optional({ ...Id, description: 'Into or out of this location' }),
  reason: Type.Optional(requiredText(limits.reasonLengthMax)),
  referenceType: Type.Optional(requiredText(limits.codeLengthMax, { examples: ['order'] })),
  referenceId: Type.Optional(Id),
  ...dateRangeParameters,
});
export type ListInventoryMovementsQuery = Static<typeof ListInventoryMovementsQuery>;

// Verification

export const InventoryVerification = object({
  object: Type.Literal('inventory-verification'),
  data: object({
    consistent: Type.Boolean(),
    checkedLevels: Type.Integer(),
    checkedLocations: Type.Integer(),
    differenceCount: Type.Integer(),
    differences: Type.Array(
      object({
        organizationId: Id,
        kind: Type.String({
          description: 'The kept figure that differs',
          examples: ['quantity', 'committedQuantity'],
        }),
        basis: Type.String({
          description: 'What it was recomputed from',
          examples: ['ledger', 'locations', 'allocations'],
        }),
        productVariantId: Id,
        warehouseId: nullable(Id),
        warehouseLocationId: nullable(Id),
        lotNumber: nullable(Type.String()),
        orderLineItemId: nullable(Id),
        purchaseOrderLineItemId: nullable(Id),
        expected: Type.Integer({ description: 'Recomputed' }),
        actual: Type.Integer({ description: 'Kept' }),
      }),
      { description: `The first ${limits.verifyDifferencesMax}` },
    ),
  }),
});
