// Sales orders on the wire.
import { dateRangeParameters } from '../http/date-range.ts';
import {
  Address,
  AddressInput,
  Currency,
  DateTime,
  Dimensions,
  defaulted,
  Id,
  listQuery,
  Metadata,
  Money,
  nullable,
  object,
  oneOf,
  PositiveQuantity,
  Quantity,
  requiredText,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { ShipmentSummary } from '../shipments/schema-summary.ts';

export const financialStatuses = [
  'authorized',
  'expired',
  'paid',
  'partially-paid',
  'partially-refunded',
  'pending',
  'refunded',
  'voided',
] as const;
export const fulfillmentStatuses = [
  'scheduled',
  'open',
  'confirmed',
  'on-hold',
  'partially-fulfilled',
  'fulfilled',
] as const;
export type FinancialStatus = (typeof financialStatuses)[number];
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number];

const code = text(limits.codeLengthMax);
const ShipMethod = object({
  carrierCode: nullable(code),
  serviceCode: nullable(code),
  description: nullable(text(limits.nameLengthMax)),
});
export const ShipMethodInput = object({
  carrierCode: Type.Optional(nullable(code)),
  serviceCode: Type.Optional(nullable(code)),
  description: Type.Optional(nullable(text(limits.nameLengthMax))),
});
const InsuranceRequest = object({ amount: Money, currency: Currency });
export const InsuranceRequestInput = object({
  amount: Money,
  currency: defaulted(Type.String({ ...Currency, default: 'usd' })),
});

const Tag = object({ id: Id, name: Type.String() });
const Note = object({
  id: Id,
  content: Type.String(),
  createdAt: DateTime,
  user: nullable(object({ id: Id, name: nullable(Type.String()), email: nullable(Type.String()) })),
});
const Task = object({
  id: Id,
  type: oneOf(['pick', 'ship']),
  completedAt: nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
});
const CustomerOfOrder = object(
  Object.fromEntries(
    (['id', 'name', 'email', 'phone', 'company'] as const).map((name) => [name, nullable(Type.String())]),
  ),
);
const ReturnOrderOfOrder = object({
  id: Id,
  name: Type.String(),
  orderId: nullable(Id),
  status: oneOf(['requested', 'in-transit', 'received', 'closed', 'cancelled']),
  reason: nullable(Type.String()),
  shipment: nullable(ShipmentSummary),
  createdAt: DateTime,
  updatedAt: DateTime,
});

const variantSummary = {
  id: Id,
  title: Type.String(),
  sku: Type.String(),
  product: object({ name: Type.String() }),
};
const LineVariant = object({
  ...variantSummary,
  productId: Id,
  skuAliases: Type.Array(Type.String()),
  barcode: nullable(Type.String()),
  price: Type.Number(),
  compareAtPrice: nullable(Type.Number()),
  currency: Type.String(),
  weight: nullable(Type.Number()),
  weightUnit: Type.String(),
  dimensions: Dimensions,
  dimensionsUnit: Type.String(),
  tracksInventory: Type.Boolean(),
});
const lineSummary = {
  id: Id,
  price: Type.Number(),
  quantity: Type.Integer(),
  quantityAllocated: Quantity,
  quantityBackordered: Quantity,
  quantityFulfilled: Quantity,
  quantityCancelled: Quantity,
};
const LineItemSummary = object({ ...lineSummary, productVariant: object(variantSummary) });
const LineItem = object({
  ...lineSummary,
  compareAtPrice: nullable(Type.Number()),
  currency: Type.String(),
  productVariant: LineVariant,
});

const orderSummary = {
  id: Id,
  organizationId: Id,
  name: Type.String(),
  alias: nullable(Type.String()),
  price: Type.Number(),
  compareAtPrice: nullable(Type.Number()),
  currency: Type.String(),
  financialStatus: oneOf(financialStatuses),
  fulfillmentStatus: oneOf(fulfillmentStatuses),
  orderDate: DateTime,
  targetDeliveryDate: nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
  cancelledAt: nullable(DateTime),
  readyToShip: Type.Boolean({ description: 'Open or confirmed, and every line wholly allocated' }),
  customer: CustomerOfOrder,
  tags: Type.Array(Tag),
  notes: Type.Array(Note),
  shipments: Type.Array(ShipmentSummary),
  tasks: Type.Array(Task),
  returnOrders: Type.Array(ReturnOrderOfOrder),
};
export const OrderSummary = object({ ...orderSummary, lineItems: Type.Array(LineItemSummary) });
export const Order = object({
  ...orderSummary,
  shipToAddress: nullable(Address),
  shipMethod: nullable(ShipMethod),
  insuranceRequest: nullable(InsuranceRequest),
  warehouseId: nullable(Id),
  holdReason: nullable(Type.String()),
  cancelReason: nullable(Type.String()),
  metadata: Metadata,
  lineItems: Type.Array(LineItem),
});

const reference = Type.Optional(nullable(text(limits.nameLengthMax)));
/** The ways to name a product variant; at least one, and all that are given must agree. */
export const variantReference = {
  productVariantId: Type.Optional(nullable(Id)),
  productVariantSku: reference,
  productVariantTitle: reference,
  productVariantBarcode: reference,
  productVariantUpc: reference,
  productVariantEan: reference,
  productVariantIsbn: reference,
  productVariantAsin: reference,
};

export const LineItemInput = object({
  ...variantReference,
  quantity: PositiveQuantity,
  price: Type.Optional(nullable(Type.Number({ ...Money, description: "Left out: the variant's price" }))),
  compareAtPrice: Type.Optional(nullable(Money)),
});
export type LineItemInput = Static<typeof LineItemInput>;

export const ReturnOrderInput = object({
  name: Type.Optional(
    nullable(requiredText(limits.namePrefixLengthMax, { description: 'Prefix of its name; default `RET-`' })),
  ),
  reason: Type.Optional(nullable(text(limits.textLengthMax))),
  lineItems: Type.Optional(
    Type.Array(
      object({
        productVariantSku: Type.Optional(nullable(text(limits.nameLengthMax))),
        lineItemIndex: Type.Optional(
          nullable(Type.Integer({ minimum: 0, description: "Index in the order's lineItems" })),
        ),
        quantity: PositiveQuantity,
      }),
      { maxItems: limits.orderLineItemsMax, description: 'All lines when left out' },
    ),
  ),
  label: Type.Optional(
    nullable(
      object({
        carrierCode: requiredText(limits.codeLengthMax),
        serviceCode: requiredText(limits.codeLengthMax),
        labelFormat: Type.Optional(oneOf(['pdf', 'zpl'])),
      }),
    ),
  ),
});
export type ReturnOrderInput = Static<typeof ReturnOrderInput>;

export const CreateOrderBody = object(
  {
    name: requiredText(limits.namePrefixLengthMax, {
      description: 'Prefix; the service makes the unique name from it (`SO-` gives `SO-1001`)',
    }),
    alias: Type.Optional(nullable(text(limits.nameLengthMax))),
    uniqueAlias: defaulted(
      Type.Boolean({ default: false, description: '409 `alias_taken` when another order has the alias' }),
    ),
    price: Money,
    compareAtPrice: Type.Optional(nullable(Money)),
    currency: defaulted(Type.String({ ...Currency, default: 'usd' })),
    financialStatus: defaulted(oneOf(financialStatuses, { default: 'pending' })),
    fulfillmentStatus: defaulted(oneOf(fulfillmentStatuses, { default: 'open' })),
    orderDate: DateTime,
    targetDeliveryDate: Type.Optional(nullable(DateTime)),
    shipToAddress: Type.Optional(nullable(AddressInput)),
    shipMethod: Type.Optional(nullable(ShipMethodInput)),
    insuranceRequest: Type.Optional(nullable(InsuranceRequestInput)),
    customerId: Type.Optional(nullable(Id)),
    warehouseId: Type.Optional(
      nullable(Type.String({ ...Id, description: 'Pins allocation to this warehouse' })),
    ),
    lineItems: defaulted(Type.Array(LineItemInput, { maxItems: limits.orderLineItemsMax, default: [] })),
    inventoryBehaviour: defaulted(
      oneOf(['backorder', 'obey_policy'], {
        default: 'backorder',
        description: '`obey_policy`: 409 `insufficient_stock` instead of a backorder',
      }),
    ),
    tags: defaulted(
      Type.Array(requiredText(limits.nameLengthMax), { maxItems: limits.tagsMax, default: [] }),
    ),
    notes: defaulted(
      Type.Array(requiredText(limits.noteLengthMax), { maxItems: limits.notesMax, default: [] }),
    ),
    returnOrder: Type.Optional(nullable(ReturnOrderInput)),
    metadata: Type.Optional(Metadata),
  },
  {
    examples: [
      {
        name: 'SO-',
        price: 39.98,
        orderDate: '2026-11-21T10:15:00Z',
        lineItems: [{ productVariantSku: 'MUG-BLUE', quantity: 2, price: 19.99 }],
      },
    ],
  },
);
export type CreateOrderBody = Static<typeof CreateOrderBody>;

export const orderSorts = [
  'orderDate',
  'createdAt',
  'updatedAt',
  'name',
  'alias',
  'price',
  'financialStatus',
  'fulfillmentStatus',
  'targetDeliveryDate',
] as const;
export const ListOrdersQuery = listQuery(orderSorts, {
  includeArchived: defaulted(Type.Boolean({ default: false })),
  financialStatus: Type.Optional(oneOf(financialStatuses)),
  fulfillmentStatus: Type.Optional(oneOf(fulfillmentStatuses)),
  ...dateRangeParameters,
  name: Type.Optional(requiredText(limits.nameLengthMax, { description: 'Exact name' })),
  alias: Type.Optional(requiredText(limits.nameLengthMax, { description: 'Exact alias' })),
  readyToShip: Type.Optional(
    Type.Boolean({
      description: 'true: open or confirmed and wholly allocated; oldest first when no sort is given',
    }),
  ),
  childOrders: defaulted(
    Type.Boolean({ default: false, description: 'Include orders of client organizations' }),
  ),
});
export type ListOrdersQuery = Static<typeof ListOrdersQuery>;
