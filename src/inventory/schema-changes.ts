// Changes of stock on the wire.
import {
  DateTime,
  defaulted,
  Id,
  nullable,
  object,
  Quantity,
  requiredText,
  type Static,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { identifier, LocationRecord } from './schema.ts';

export const ChangeInventoryBody = object(
  {
    ...identifier,
    warehouseId: Id,
    warehouseLocationId: { ...Id, description: 'Where units are added, removed or moved from' },
    changeQuantity: Type.Integer({
      minimum: -limits.quantityMax,
      maximum: limits.quantityMax,
      description: 'Not 0: positive adds, negative removes; a move takes a positive number',
      examples: [50],
    }),
    moveToWarehouseLocationId: Type.Optional(
      nullable({ ...Id, description: 'Makes it a move to this location of the same warehouse' }),
    ),
    reason: Type.Optional(
      nullable(
        requiredText(limits.reasonLengthMax, {
          description: 'Kept in the ledger; `adjustment`, or `move` for a move, when left out',
          examples: ['cycle-count'],
        }),
      ),
    ),
    lotNumber: Type.Optional(
      nullable(
        requiredText(limits.codeLengthMax, {
          description:
            'The lot; without one a removal or move takes lots in the order of the variant, expired first',
        }),
      ),
    ),
    expirationDate: Type.Optional(nullable({ ...DateTime, description: 'When the lot expires' })),
    expectedQuantity: Type.Optional(
      nullable({
        ...Quantity,
        description:
          'Compare and set: the units of the variant (of the lot, where one is named) that `warehouseLocationId` must hold now; else 409 `stale_quantity`',
      }),
    ),
  },
  {
    examples: [
      {
        productVariantIdentifier: 'TSHIRT-S',
        warehouseId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d91',
        warehouseLocationId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d92',
        changeQuantity: 50,
        reason: 'cycle-count',
      },
    ],
  },
);
export type ChangeInventoryBody = Static<typeof ChangeInventoryBody>;

const changed = {
  success: Type.Boolean(),
  message: Type.String({ examples: ['Successfully added 50 units to A-01-01'] }),
};
const source = Type.Optional({ ...LocationRecord, description: "A move's record of origin" });

export const InventoryUpdate = object({
  object: Type.Literal('inventoryUpdate'),
  ...changed,
  data: { ...LocationRecord, description: 'The record after the change; for a move that of the destination' },
  source,
});

export const ChangeInventoryBulkBody = object({
  changes: Type.Array(ChangeInventoryBody, { minItems: 1, maxItems: limits.bulkInventoryMax }),
  atomic: defaulted(
    Type.Boolean({
      default: true,
      description: 'All or nothing; `false` makes what can be made and answers a result for each',
    }),
  ),
});
export type ChangeInventoryBulkBody = Static<typeof ChangeInventoryBulkBody>;

export const InventoryUpdateBulk = object({
  object: Type.Literal('inventoryUpdateBulk'),
  success: Type.Boolean({ description: 'Whether every change was made' }),
  message: Type.String({ examples: ['Successfully made 3 of 3 changes'] }),
  data: Type.Array(
    object({
      index: Type.Integer({ description: 'Place in `changes`, from 0' }),
      ...changed,
      data: Type.Optional({ ...LocationRecord, description: 'The record as the whole batch left it' }),
      source,
      error: Type.Optional(
        Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: true }),
      ),
    }),
  ),
});
