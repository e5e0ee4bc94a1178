// Return orders on the wire.
import { dateRangeParameters } from '../http/date-range.ts';
import {
  DateTime,
  defaulted,
  Id,
  listQuery,
  Metadata,
  nullable,
  object,
  oneOf,
  PositiveQuantity,
  Quantity,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { ReturnOrderInput, variantReference } from '../orders/schema.ts';
import { ShipmentSummary } from '../shipments/schema-summary.ts';

export const returnOrderStatuses = ['requested', 'in-transit', 'received', 'closed', 'cancelled'] as const;
export type ReturnOrderStatus = (typeof returnOrderStatuses)[number];
const dispositions = ['restock', 'damaged', 'quality-control', 'discard'] as const;
export type Disposition = (typeof dispositions)[number];

const LineItem = object({
  id: Id,
  orderLineItemId: nullable(Id),
  quantity: PositiveQuantity,
  quantityReceived: Quantity,
  disposition: nullable(
    oneOf(dispositions, { description: 'Of all units that came back; null where they differ, or none has' }),
  ),
  dispositions: Type.Array(
    object({
      disposition: oneOf(dispositions),
      quantity: PositiveQuantity,
      warehouseLocationId: nullable(Id),
    }),
  ),
  productVariant: object({
    id: Id,
    title: Type.String(),
    sku: Type.String(),
    product: object({ name: Type.String() }),
  }),
});

export const ReturnOrder = object({
  id: Id,
  organizationId: Id,
  name: Type.String(),
  orderId: nullable(Id),
  order: nullable(object({ id: Id, name: Type.String() })),
  status: oneOf(returnOrderStatuses),
  reason: nullable(Type.String()),
  lineItems: Type.Array(LineItem),
  shipment: nullable(ShipmentSummary),
  label: nullable(
    object({ carrierCode: Type.String(), serviceCode: Type.String(), labelFormat: oneOf(['pdf', 'zpl']) }),
  ),
  labelFailure: nullable(
    Type.String({ description: 'Why the label that was asked for could not be bought' }),
  ),
  metadata: Metadata,
  createdAt: DateTime,
  updatedAt: DateTime,
});

const { name, reason, label } = ReturnOrderInput.properties;

const described = (description: string) => Type.Optional(nullable(Type.String({ ...Id, description })));

export const CreateReturnOrderBody = object(
  {
    name,
    orderId: described('The order that is returned; without one the return is blind'),
    reason,
    lineItems: Type.Array(
      object({
        lineItemId: described("Id of the order's line"),
        ...variantReference,
        quantity: PositiveQuantity,
      }),
      { maxItems: limits.orderLineItemsMax, description: 'May be empty for a blind return only' },
    ),
    label,
    metadata: Type.Optional(Metadata),
  },
  { examples: [{ reason: 'Too small', lineItems: [{ productVariantSku: 'MUG-BLUE', quantity: 1 }] }] },
);
export type CreateReturnOrderBody = Static<typeof CreateReturnOrderBody>;

export const ReceiveReturnOrderBody = object(
  {
    warehouseId: described(
      "Whose damaged and quality-control locations are meant where a line names none; default: the other lines' " +
        'warehouse, where they have one',
    ),
    lineItems: Type.Array(
      object({
        lineItemId: described("Id of the return order's line"),
        ...variantReference,
        quantity: PositiveQuantity,
        disposition: oneOf(dispositions, {
          description:
            '`damaged` and `quality-control` go to a location of that type, `restock` to one of any other; ' +
            '`discard` changes no stock',
        }),
        warehouseLocationId: described('Required to restock'),
        lotNumber: Type.Optional(nullable(text(limits.nameLengthMax))),
        expirationDate: Type.Optional(nullable(DateTime)),
      }),
      { minItems: 1, maxItems: limits.orderLineItemsMax },
    ),
  },
  {
    examples: [{ lineItems: [{ productVariantSku: 'MUG-BLUE', quantity: 1, disposition: 'discard' }] }],
  },
);
export type ReceiveReturnOrderBody = Static<typeof ReceiveReturnOrderBody>;

export const returnOrderSorts = ['createdAt', 'updatedAt', 'name', 'status'] as const;
export const ListReturnOrdersQuery = listQuery(returnOrderSorts, {
  status: Type.Optional(oneOf(returnOrderStatuses)),
  orderId: Type.Optional(Id),
  ...dateRangeParameters,
  childOrders: defaulted(
    Type.Boolean({ default: false, description: 'Include return orders of client organizations' }),
  ),
});
export type ListReturnOrdersQuery = Static<typeof ListReturnOrdersQuery>;
