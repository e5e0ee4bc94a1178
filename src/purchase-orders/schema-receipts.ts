// What arrives for purchase orders, on the wire.
import { DateTime, defaulted, Id, nullable, object, type Static, Type, text } from '../http/schemas.ts';
import * as limits from '../limits.ts';

/** Whose key made something; null for the service itself. */
export const Person = nullable(
  object({ id: Id, name: nullable(Type.String()), email: nullable(Type.String()) }),
);

export const LineItemReceipt = object({
  id: Id,
  purchaseOrderReceiptId: Id,
  quantity: Type.Integer({ description: 'Every unit that arrived; negative: a correction' }),
  damagedQuantity: Type.Integer({ description: 'Of these, how many are damaged' }),
  qualityControlQuantity: Type.Integer({ description: 'Of these, how many wait for quality control' }),
  warehouseLocationId: Id,
  damagedLocationId: nullable(Id),
  qualityControlLocationId: nullable(Id),
  lotNumber: nullable(Type.String()),
  expirationDate: nullable(DateTime),
  createdAt: DateTime,
});

export const PurchaseOrderReceipt = object({
  id: Id,
  reference: nullable(Type.String()),
  receivedAt: DateTime,
  receivedBy: Person,
  lineItems: Type.Array(object({ lineItemId: Id, ...LineItemReceipt.properties })),
});

export const Receipt = object({
  ...PurchaseOrderReceipt.properties,
  organizationId: Id,
  purchaseOrderId: Id,
});

const units = (description: string) =>
  Type.Integer({ minimum: -limits.quantityMax, maximum: limits.quantityMax, description });
const place = (description: string) => Type.Optional(nullable(Type.String({ ...Id, description })));

const ReceiptLineInput = object({
  lineItemId: Id,
  quantity: units(
    'Every unit that arrived, damaged and quality-control ones included; negative: a correction',
  ),
  damagedQuantity: Type.Optional(nullable(units('Of these, how many are damaged; same sign as `quantity`'))),
  qualityControlQuantity: Type.Optional(
    nullable(units('Of these, how many wait for quality control; same sign as `quantity`')),
  ),
  warehouseLocationId: place('Where sound units go; `RECEIVING` when left out'),
  damagedLocationId: place('A location of type `damaged`; `DAMAGED` when left out'),
  qualityControlLocationId: place('A location of type `quality-control`; `QC` when left out'),
  lotNumber: Type.Optional(nullable(text(limits.nameLengthMax))),
  expirationDate: Type.Optional(nullable(DateTime)),
});

export const CreateReceiptBody = object(
  {
    reference: Type.Optional(nullable(text(limits.nameLengthMax))),
    allowOverReceipt: defaulted(
      Type.Boolean({
        default: false,
        description: 'Take in more than is still to come; without it that is 409 `over_receipt`',
      }),
    ),
    lineItems: Type.Array(ReceiptLineInput, {
      minItems: 1,
      maxItems: limits.orderLineItemsMax,
      description: 'A line may be named several times, for instance once a lot',
    }),
  },
  {
    examples: [
      {
        reference: 'DN-4711',
        lineItems: [{ lineItemId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90', quantity: 40, damagedQuantity: 2 }],
      },
    ],
  },
);
export type CreateReceiptBody = Static<typeof CreateReceiptBody>;
