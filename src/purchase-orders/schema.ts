// Purchase orders and what arrives for them, on the wire.
import { fromToParameters } from '../http/date-range.ts';
import {
  Currency,
  DateTime,
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
import { LineItemReceipt, Person, PurchaseOrderReceipt } from './schema-receipts.ts';

export const purchaseOrderStatuses = [
  'draft',
  'open',
  'confirmed',
  'partially-received',
  'received',
  'cancelled',
] as const;
export type PurchaseOrderStatus = (typeof purchaseOrderStatuses)[number];

const short = nullable(text(limits.nameLengthMax));
const Note = object({
  id: Id,
  content: Type.String(),
  type: Type.String({ description: 'Free text', examples: ['internal', 'customer'] }),
  createdAt: DateTime,
  user: Person,
});

const lineSummary = {
  id: Id,
  productVariantId: Id,
  requestedQuantity: Quantity,
  receivedQuantity: Type.Integer({
    description: 'Less what was taken back; more than requested where allowed',
  }),
  unitPrice: Type.Number(),
  subtotal: Type.Number({ description: '`requestedQuantity` times `unitPrice`' }),
};
const summary = {
  id: Id,
  organizationId: Id,
  name: Type.String(),
  status: oneOf(purchaseOrderStatuses),
  supplierId: Id,
  warehouseId: Id,
  subtotal: Type.Number({ description: 'The sum of the lines' }),
  totalTax: Type.Number({
    description:
      "Each line's subtotal times its `taxRate`, added up and then rounded half-even to four decimals",
  }),
  grandTotal: Type.Number({ description: '`subtotal` and `totalTax`' }),
  currency: Currency,
  trackingNumber: short,
  referenceNumber: short,
  shippingCarrier: short,
  expectedDate: nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
  cancelledAt: nullable(DateTime),
  closedAt: nullable({
    ...DateTime,
    description: 'When it was ended with units missing, which are no longer incoming',
  }),
  archivedAt: nullable(DateTime),
  tags: Type.Array(object({ id: Id, name: Type.String() })),
  notes: Type.Array(Note),
};
export const PurchaseOrderSummary = object({
  ...summary,
  supplier: object({ id: Id, name: Type.String() }),
  warehouse: object({ id: Id, name: Type.String() }),
  lineItems: Type.Array(
    object({ ...lineSummary, productVariant: object({ title: Type.String(), sku: Type.String() }) }),
  ),
});

export const PurchaseOrder = object({
  ...summary,
  paymentTerms: short,
  metadata: Metadata,
  supplier: object({
    id: Id,
    name: Type.String(),
    organizationId: Id,
    email: short,
    phone: short,
    currency: Currency,
  }),
  warehouse: object({
    id: Id,
    name: Type.String(),
    organizationId: Id,
    addressId: Id,
    isThirdParty: Type.Boolean(),
    sharedWithChildren: Type.Boolean(),
  }),
  lineItems: Type.Array(
    object({
      ...lineSummary,
      organizationId: Id,
      supplierProductId: nullable(Id),
      taxRate: Type.Number(),
      createdAt: DateTime,
      updatedAt: DateTime,
      productVariant: object({
        id: Id,
        title: Type.String(),
        sku: Type.String(),
        product: object({ name: Type.String(), brand: short, manufacturer: short }),
      }),
      purchaseOrderLineItemReceipts: Type.Array(LineItemReceipt),
    }),
  ),
  purchaseOrderReceipts: Type.Array(PurchaseOrderReceipt),
});

export const LineItemInput = object({
  id: Type.Optional(
    nullable(Type.String({ ...Id, description: 'On update: the line that this one replaces' })),
  ),
  productVariantId: Type.Optional(nullable(Id)),
  productVariantSku: Type.Optional(nullable(text(limits.nameLengthMax))),
  supplierProductId: Type.Optional(
    nullable(
      Type.String({
        ...Id,
        description: 'Found by supplier and variant; one that is sent must be that one',
      }),
    ),
  ),
  requestedQuantity: PositiveQuantity,
  unitPrice: Money,
  taxRate: defaulted(
    Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'As a fraction, rounded half-even to six decimals: 0.2 is 20 %',
    }),
  ),
});
export type LineItemInput = Static<typeof LineItemInput>;

const NoteInput = Type.Unsafe<string | { content: string; type?: string | null }>({
  description: 'The content, or an object with a `type` of its own; it is `internal` when left out',
  examples: [{ content: 'Deliver to dock 2', type: 'customer' }],
  anyOf: [
    { type: 'string', minLength: 1, maxLength: limits.noteLengthMax },
    {
      type: 'object',
      required: ['content'],
      additionalProperties: false,
      properties: {
        content: { type: 'string', minLength: 1, maxLength: limits.noteLengthMax },
        type: { type: ['string', 'null'], minLength: 1, maxLength: limits.codeLengthMax },
      },
    },
  ],
});
export type NoteInput = Static<typeof NoteInput>;

const editable = {
  referenceNumber: Type.Optional(short),
  trackingNumber: Type.Optional(short),
  shippingCarrier: Type.Optional(short),
  expectedDate: Type.Optional(nullable(DateTime)),
  tags: Type.Optional(Type.Array(requiredText(limits.nameLengthMax), { maxItems: limits.tagsMax })),
  notes: Type.Optional(Type.Array(NoteInput, { maxItems: limits.notesMax, description: 'Notes to add' })),
  metadata: Type.Optional(Metadata),
};

export const CreatePurchaseOrderBody = object(
  {
    supplierId: Id,
    warehouseId: Id,
    lineItems: Type.Array(LineItemInput, { minItems: 1, maxItems: limits.orderLineItemsMax }),
    name: defaulted(
      requiredText(limits.namePrefixLengthMax, {
        default: 'PO-',
        description: 'Prefix: `PO-` gives `PO-1001`',
      }),
    ),
    currency: Type.Optional(Currency),
    paymentTerms: Type.Optional(short),
    ...editable,
  },
  {
    examples: [
      {
        supplierId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90',
        warehouseId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d91',
        lineItems: [{ productVariantSku: 'MUG-BLUE', requestedQuantity: 100, unitPrice: 4.2, taxRate: 0.2 }],
      },
    ],
  },
);
export type CreatePurchaseOrderBody = Static<typeof CreatePurchaseOrderBody>;

export const UpdatePurchaseOrderBody = object(
  {
    supplierId: Type.Optional(Id),
    warehouseId: Type.Optional(Id),
    lineItems: Type.Optional(
      Type.Array(LineItemInput, {
        minItems: 1,
        maxItems: limits.orderLineItemsMax,
        description: 'The lines that the order has from now on',
      }),
    ),
    currency: Type.Optional(Currency),
    paymentTerms: Type.Optional(short),
    ...editable,
    removedNoteIds: Type.Optional(Type.Array(Id, { maxItems: limits.notesMax })),
  },
  { examples: [{ trackingNumber: '1Z999AA10123456784', shippingCarrier: 'ups' }] },
);
export type UpdatePurchaseOrderBody = Static<typeof UpdatePurchaseOrderBody>;

export const purchaseOrderSorts = [
  'createdAt',
  'updatedAt',
  'name',
  'status',
  'expectedDate',
  'grandTotal',
  'supplier.name',
  'warehouse.name',
] as const;
export const ListPurchaseOrdersQuery = listQuery(purchaseOrderSorts, {
  status: Type.Optional(oneOf(purchaseOrderStatuses)),
  supplierId: Type.Optional(Id),
  warehouseId: Type.Optional(Id),
  childOrders: defaulted(
    Type.Boolean({ default: false, description: 'Include purchase orders of client organizations' }),
  ),
  includeArchived: defaulted(Type.Boolean({ default: false })),
  ...fromToParameters,
});
export type ListPurchaseOrdersQuery = Static<typeof ListPurchaseOrdersQuery>;
