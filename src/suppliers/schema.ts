// Suppliers, and what they sell, on the wire.
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
  requiredText,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

const email = nullable(text(limits.nameLengthMax));
const phone = nullable(text(limits.nameLengthMax));

export const Supplier = object({
  id: Id,
  organizationId: Id,
  name: Type.String(),
  email,
  phone,
  currency: Currency,
  metadata: Metadata,
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
});

export const CreateSupplierBody = object(
  {
    name: requiredText(limits.nameLengthMax),
    email: Type.Optional(email),
    phone: Type.Optional(phone),
    currency: defaulted(Type.String({ ...Currency, default: 'usd' })),
    metadata: Type.Optional(Metadata),
  },
  { examples: [{ name: 'Potters & Sons', email: 'orders@potters.example' }] },
);
export type CreateSupplierBody = Static<typeof CreateSupplierBody>;

export const UpdateSupplierBody = object(
  {
    name: Type.Optional(requiredText(limits.nameLengthMax)),
    email: Type.Optional(email),
    phone: Type.Optional(phone),
    currency: Type.Optional(Currency),
    metadata: Type.Optional(Metadata),
    archived: Type.Optional(Type.Boolean({ description: '`true` archives, `false` brings back' })),
  },
  { examples: [{ phone: '+44 20 7946 0018' }] },
);
export type UpdateSupplierBody = Static<typeof UpdateSupplierBody>;

export const supplierSorts = ['createdAt', 'updatedAt', 'name', 'email'] as const;
export const ListSuppliersQuery = listQuery(supplierSorts, {
  includeArchived: defaulted(Type.Boolean({ default: false })),
});
export type ListSuppliersQuery = Static<typeof ListSuppliersQuery>;

const packSize = Type.Integer({ minimum: 1, maximum: limits.quantityMax, description: 'Units in one pack' });
const leadTimeDays = Type.Integer({ minimum: 0, maximum: limits.leadTimeDaysMax });

export const SupplierProduct = object({
  id: Id,
  organizationId: Id,
  supplierId: Id,
  productVariantId: Id,
  supplierSku: nullable(Type.String()),
  price: nullable(Money),
  currency: Currency,
  packSize,
  leadTimeDays: nullable(leadTimeDays),
  productVariant: object({ id: Id, title: Type.String(), sku: Type.String() }),
  createdAt: DateTime,
  updatedAt: DateTime,
});

const supplierProductFields = {
  supplierSku: Type.Optional(nullable(text(limits.nameLengthMax))),
  price: Type.Optional(nullable(Money)),
  currency: Type.Optional(Currency),
  packSize: Type.Optional(packSize),
  leadTimeDays: Type.Optional(nullable(leadTimeDays)),
};
export const CreateSupplierProductBody = object(
  { productVariantId: Id, ...supplierProductFields },
  {
    examples: [{ productVariantId: '019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90', supplierSku: 'P-77', price: 4.2 }],
  },
);
export type CreateSupplierProductBody = Static<typeof CreateSupplierProductBody>;
export const UpdateSupplierProductBody = object(supplierProductFields, { examples: [{ price: 4.5 }] });
export type UpdateSupplierProductBody = Static<typeof UpdateSupplierProductBody>;

export const supplierProductSorts = ['createdAt', 'updatedAt', 'supplierSku', 'price'] as const;
export const ListSupplierProductsQuery = listQuery(supplierProductSorts, {});
export type ListSupplierProductsQuery = Static<typeof ListSupplierProductsQuery>;
