// Bodies and answers of what can be done with an order after it was created.
import {
  AddressInput,
  DateTime,
  Id,
  Metadata,
  Money,
  nullable,
  object,
  oneOf,
  PositiveQuantity,
  requiredText,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { financialStatuses, fulfillmentStatuses, InsuranceRequestInput, ShipMethodInput } from './schema.ts';

export const UpdateOrderBody = object(
  {
    alias: Type.Optional(nullable(text(limits.nameLengthMax))),
    price: Type.Optional(Money),
    compareAtPrice: Type.Optional(nullable(Money)),
    financialStatus: Type.Optional(oneOf(financialStatuses)),
    fulfillmentStatus: Type.Optional(
      oneOf(fulfillmentStatuses, { description: 'A move that the state table allows; else 409' }),
    ),
    orderDate: Type.Optional(DateTime),
    targetDeliveryDate: Type.Optional(nullable(DateTime)),
    shipToAddress: Type.Optional(nullable(AddressInput)),
    shipMethod: Type.Optional(nullable(ShipMethodInput)),
    insuranceRequest: Type.Optional(nullable(InsuranceRequestInput)),
    customerId: Type.Optional(nullable(Id)),
    warehouseId: Type.Optional(
      nullable(
        Type.String({
          ...Id,
          description: 'Pins allocation; what is held elsewhere is given back and taken anew',
        }),
      ),
    ),
    lineItems: Type.Optional(
      Type.Array(object({ id: Id, quantity: PositiveQuantity }), {
        maxItems: limits.orderLineItemsMax,
        description: 'New quantities of open lines, never below what is fulfilled and cancelled',
      }),
    ),
    tags: Type.Optional(
      Type.Array(requiredText(limits.nameLengthMax), {
        maxItems: limits.tagsMax,
        description: 'The tags that the order has from now on',
      }),
    ),
    notes: Type.Optional(
      Type.Array(requiredText(limits.noteLengthMax), {
        maxItems: limits.notesMax,
        description: 'Notes to add',
      }),
    ),
    removedNoteIds: Type.Optional(
      Type.Array(Id, { maxItems: limits.notesMax, description: 'Notes to remove' }),
    ),
    metadata: Type.Optional(Metadata),
  },
  { examples: [{ tags: ['gift'], notes: ['Leave at the back door'] }] },
);
export type UpdateOrderBody = Static<typeof UpdateOrderBody>;

const holdReasons = ['awaiting-payment', 'fraud-risk', 'incorrect-address', 'out-of-stock', 'other'] as const;
export const HoldOrderBody = object(
  {
    reason: Type.Optional(nullable(oneOf(holdReasons))),
    note: Type.Optional(nullable(text(limits.noteLengthMax))),
  },
  { examples: [{ reason: 'awaiting-payment' }] },
);
export type HoldOrderBody = Static<typeof HoldOrderBody>;

export const CancelOrderBody = object(
  {
    reason: Type.Optional(nullable(text(limits.reasonLengthMax))),
    remaining: Type.Optional(
      Type.Boolean({
        description: 'Drop what has not left of a part-fulfilled order, which is then complete',
      }),
    ),
  },
  { examples: [{ reason: 'changed their mind' }] },
);
export type CancelOrderBody = Static<typeof CancelOrderBody>;

const PickInput = object({
  warehouseLocationId: Id,
  lotNumber: Type.Optional(nullable(text(limits.nameLengthMax))),
  quantity: PositiveQuantity,
  productVariantId: Type.Optional(
    nullable(Type.String({ ...Id, description: 'Which component, where the line is a bundle' })),
  ),
});
export const FulfillmentLineInput = object({
  lineItemId: Id,
  quantity: PositiveQuantity,
  picks: Type.Optional(
    Type.Array(PickInput, {
      minItems: 1,
      maxItems: limits.picksMax,
      description: 'What was really picked; without it the strategy of the variant chooses',
    }),
  ),
});
export const CreateFulfillmentBody = object(
  {
    lineItems: Type.Optional(
      Type.Array(FulfillmentLineInput, {
        minItems: 1,
        maxItems: limits.orderLineItemsMax,
        description: 'All that is allocated when left out',
      }),
    ),
    warehouseId: Type.Optional(nullable(Id)),
    trackingCode: Type.Optional(nullable(text(limits.nameLengthMax))),
    carrierCode: Type.Optional(nullable(text(limits.codeLengthMax))),
  },
  { examples: [{ trackingCode: '1Z999AA10123456784', carrierCode: 'ups' }] },
);
export type CreateFulfillmentBody = Static<typeof CreateFulfillmentBody>;

export const Fulfillment = object({
  id: Id,
  organizationId: Id,
  orderId: Id,
  warehouseId: nullable(Id),
  trackingCode: nullable(Type.String()),
  carrierCode: nullable(Type.String()),
  lineItems: Type.Array(
    object({
      id: Id,
      lineItemId: Id,
      warehouseId: nullable(Id),
      quantity: Type.Integer(),
      productVariant: object({ id: Id, title: Type.String(), sku: Type.String() }),
    }),
  ),
  picks: Type.Array(
    object({
      id: Id,
      lineItemId: Id,
      productVariantId: Id,
      warehouseId: Id,
      warehouseLocationId: Id,
      lotNumber: nullable(Type.String()),
      expirationDate: nullable(DateTime),
      quantity: Type.Integer(),
    }),
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  cancelledAt: nullable(DateTime),
});

const WhyNot = oneOf([
  'available',
  'other-warehouse',
  'archived-warehouse',
  'pinned-elsewhere',
  'no-stock',
  'committed-to-others',
]);
const OrderAllocation = object({
  lineItemId: Id,
  productVariantId: Id,
  sku: Type.String(),
  warehouseId: Id,
  warehouseName: Type.String(),
  quantity: Type.Integer({ description: 'Units of this variant (a component, where the line is a bundle)' }),
  bins: Type.Array(
    object({
      warehouseLocationId: Id,
      name: Type.String(),
      sequence: Type.Integer(),
      lotNumber: nullable(Type.String()),
      expirationDate: nullable(DateTime),
      quantity: Type.Integer(),
    }),
    { description: 'Where to pick them, in the order of a walk through the warehouse' },
  ),
});
const AllocationExplanation = object({
  lineItemId: Id,
  productVariantId: Id,
  sku: Type.String(),
  quantityWanted: Type.Integer(),
  quantityAllocated: Type.Integer(),
  warehouses: Type.Array(
    object({
      warehouseId: Id,
      warehouseName: Type.String(),
      quantityTaken: Type.Integer(),
      availableQuantity: Type.Integer(),
      pickableQuantity: Type.Integer(),
      committedQuantity: Type.Integer(),
      safetyStockQuantity: Type.Integer(),
      unpickableQuantity: Type.Integer(),
      reason: WhyNot,
      message: Type.String(),
    }),
  ),
});
export const OrderAllocations = object({
  object: Type.Literal('order-allocations'),
  data: Type.Array(OrderAllocation),
  explanation: Type.Optional(Type.Array(AllocationExplanation)),
});
export const OrderAllocationsQuery = object({ explain: Type.Optional(Type.Boolean()) });
