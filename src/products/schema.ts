// Products and their variants on the wire.
import {
  Country,
  Currency,
  DateTime,
  Dimensions,
  DimensionsInput,
  DimensionsUnit,
  defaulted,
  Id,
  listQuery,
  Measure,
  Metadata,
  Money,
  nullable,
  object,
  oneOf,
  PositiveQuantity,
  requiredText,
  type Static,
  type TSchema,
  Type,
  text,
  WeightUnit,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

const name = requiredText(limits.nameLengthMax);
const code = requiredText(limits.codeLengthMax);
const url = text(limits.urlLengthMax, { format: 'uri', examples: ['https://example.com/mug.png'] });
const Nothing = Type.Null();
const EmptyList = Type.Array(Type.Any(), { maxItems: 0 });

const options = Type.Array(object({ name, values: Type.Array(name, { maxItems: limits.optionValuesMax }) }), {
  maxItems: limits.optionsMax,
  examples: [[{ name: 'Size', values: ['S', 'M'] }]],
});

const productFields = {
  isBundle: Type.Boolean({
    description: 'Its variants are sold as the components of their bills of materials',
  }),
  name: requiredText(limits.nameLengthMax, { examples: ['Enamel mug'] }),
  slug: requiredText(limits.nameLengthMax, {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._~-]*$',
    description: 'URL-friendly name, unique in the organization (archived products keep theirs)',
    examples: ['enamel-mug'],
  }),
  description: nullable(text(limits.descriptionLengthMax)),
  options,
  brand: nullable(text(limits.nameLengthMax)),
  vendor: nullable(text(limits.nameLengthMax)),
  manufacturer: nullable(text(limits.nameLengthMax)),
  eccn: nullable(
    text(limits.codeLengthMax, { description: 'Export control classification number', examples: ['EAR99'] }),
  ),
  imageUrl: nullable(url),
};

const inventoryPolicies = ['deny', 'continue'] as const;
const allocationStrategies = ['FIFO', 'FEFO', 'LIFO'] as const;

const variantFields = {
  title: requiredText(limits.nameLengthMax, { examples: ['Blue, 0.3 l'] }),
  sku: requiredText(limits.codeLengthMax, {
    description: 'Unique in the organization among unarchived variants',
    examples: ['MUG-BLUE-03'],
  }),
  barcode: nullable(code),
  asin: nullable(code),
  ean: nullable(code),
  isbn: nullable(code),
  upc: nullable(code),
  price: Money,
  compareAtPrice: nullable(Money),
  wholesalePrice: nullable(Money),
  costPrice: nullable(Money),
  currency: Currency,
  position: Type.Integer({ minimum: 0, maximum: limits.quantityMax, description: 'Display order' }),
  taxable: Type.Boolean(),
  discountable: Type.Boolean(),
  requiresShipping: Type.Boolean(),
  tracksInventory: Type.Boolean({
    description: 'Without it there are no levels and no ledger: its order lines are always fulfillable',
  }),
  inventoryPolicy: oneOf(inventoryPolicies, {
    description:
      'Out of stock: `deny` backorders what is missing, `continue` lets what is available go negative',
  }),
  inventoryAllocationStrategy: oneOf(allocationStrategies, {
    description: 'Which lot is picked first: the oldest, the first to expire, the newest',
  }),
  selectedOptions: Type.Array(object({ name, value: name }), {
    maxItems: limits.optionsMax,
    examples: [[{ name: 'Size', value: 'S' }]],
  }),
  image: nullable(url),
  weight: nullable(Measure),
  weightUnit: WeightUnit,
  dimensionsUnit: DimensionsUnit,
  tariffCode: nullable(text(limits.codeLengthMax, { description: 'Harmonized tariff code' })),
  countryOfOrigin: nullable(Country),
  metadata: Metadata,
};

const skuAliases = Type.Array(code, {
  maxItems: limits.skuAliasesMax,
  uniqueItems: true,
  description: 'Alternative skus; replaces the list',
});

const BomLineItem = object({
  id: Id,
  productVariantId: Id,
  quantity: Type.Integer({ description: 'Units in one bundle' }),
  productVariant: object({ id: Id, title: Type.String(), sku: Type.String() }),
});

const VariantLevel = object({
  id: Id,
  warehouseId: Id,
  onHandQuantity: Type.Integer(),
  availableQuantity: Type.Integer(),
  committedQuantity: Type.Integer(),
  reservedQuantity: Type.Integer(),
  incomingQuantity: Type.Integer(),
  damagedQuantity: Type.Integer(),
  qualityControlQuantity: Type.Integer(),
  safetyStockQuantity: Type.Integer(),
});

const VariantLocation = object({
  id: Id,
  warehouseId: Id,
  warehouseLocationId: Id,
  quantity: Type.Integer(),
  lotNumber: nullable(Type.String()),
  expirationDate: nullable(DateTime),
});

const VariantSupplierProduct = object({
  id: Id,
  supplierId: Id,
  supplierSku: nullable(Type.String()),
  price: nullable(Money),
  currency: Currency,
  packSize: Type.Integer(),
  leadTimeDays: nullable(Type.Integer()),
});

/** A variant, with what its `product` is said to be where it appears. */
export function productVariantWith<T extends TSchema>(product: T) {
  return object({
    id: Id,
    organizationId: Id,
    productId: Id,
    ...variantFields,
    skuAliases: Type.Array(Type.String()),
    dimensions: Dimensions,
    createdAt: DateTime,
    updatedAt: DateTime,
    archivedAt: nullable(DateTime),
    featuredMediaId: Nothing,
    product,
    inventoryLevels: Type.Array(VariantLevel, {
      description:
        'One per warehouse. Of a bundle: what is available is the least over its components; the other figures, which are its components’, are 0',
    }),
    inventoryLocations: Type.Array(VariantLocation, { description: 'Those that hold units' }),
    supplierProducts: Type.Array(VariantSupplierProduct, { description: 'What suppliers sell it as' }),
    packagings: EmptyList,
    serviceObjects: EmptyList,
    bomLineItems: Type.Array(BomLineItem),
    media: EmptyList,
    unitsOfMeasure: EmptyList,
    bom: nullable(object({ bomLineItems: Type.Array(BomLineItem) })),
    featuredMedia: Nothing,
  });
}

function productWith<T extends TSchema>(variants: T, description: string) {
  return object({
    id: Id,
    organizationId: Id,
    ...productFields,
    imageFile: Nothing,
    variants: Type.Array(variants, { description }),
    productVariants: Type.Array(variants, { description: 'The same as `variants`' }),
    createdAt: DateTime,
    updatedAt: DateTime,
    archivedAt: nullable(DateTime),
    featuredMediaId: Nothing,
    serviceObjects: EmptyList,
    media: EmptyList,
    featuredMedia: Nothing,
    metadata: Metadata,
  });
}

/** Its variants do not hold it again. */
export const Product = productWith(
  productVariantWith(Nothing),
  'By position. Archived variants are left out; an archived product shows those that were archived with it',
);

/** A variant answered by itself holds its product, and that product no variants. */
export const ProductVariant = productVariantWith(productWith(Type.Any(), 'Empty here'));

const bomLineItems = Type.Array(
  object({ productVariantId: Id, quantity: PositiveQuantity }, { description: 'A component of one bundle' }),
  {
    minItems: 1,
    maxItems: limits.bomLineItemsMax,
    description:
      'Unarchived variants of products that are no bundles, each once. Replaces what was there; for bundles only',
  },
);

function optional<T extends Record<string, TSchema>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, Type.Optional(schema)]),
  ) as { [K in keyof T]: Type.TOptional<T[K]> };
}

const variantInput = optional({
  ...variantFields,
  skuAlias: nullable(
    requiredText(limits.codeLengthMax, {
      description:
        'Adds one alternative sku. Aliases need not be unique: an identifier that several variants answer to is refused as ambiguous, and a sku comes before an alias',
      examples: ['OLD-MUG-1'],
    }),
  ),
  skuAliases,
  dimensions: nullable(DimensionsInput),
  bomLineItems,
});
const { title: _title, sku: _sku, ...optionalVariantInput } = variantInput;

export const CreateVariantBody = object(
  { title: variantFields.title, sku: variantFields.sku, ...optionalVariantInput },
  { examples: [{ title: 'Blue, 0.3 l', sku: 'MUG-BLUE-03', price: 12.5, weight: 9, weightUnit: 'oz' }] },
);
export type CreateVariantBody = Static<typeof CreateVariantBody>;

export const UpdateVariantBody = object(variantInput, { examples: [{ price: 13, skuAlias: 'OLD-MUG-1' }] });
export type UpdateVariantBody = Static<typeof UpdateVariantBody>;

const productInput = optional({ ...productFields, metadata: Metadata, bomLineItems });
const { name: _name, ...optionalProductInput } = productInput;

export const CreateProductBody = object(
  {
    name: productFields.name,
    variants: Type.Array(CreateVariantBody, { minItems: 1, maxItems: limits.variantsMax }),
    ...optionalProductInput,
  },
  {
    examples: [
      {
        name: 'Enamel mug',
        brand: 'Hearth',
        variants: [{ title: 'Blue, 0.3 l', sku: 'MUG-BLUE-03', price: 12.5, weight: 9, weightUnit: 'oz' }],
      },
    ],
  },
);
export type CreateProductBody = Static<typeof CreateProductBody>;

export const UpdateProductBody = object(productInput, { examples: [{ brand: 'Hearth & Co' }] });
export type UpdateProductBody = Static<typeof UpdateProductBody>;

const includeArchived = defaulted(Type.Boolean({ default: false }));

export const productSorts = [
  'createdAt',
  'updatedAt',
  'name',
  'slug',
  'brand',
  'vendor',
  'manufacturer',
] as const;
export const ListProductsQuery = listQuery(productSorts, { includeArchived });
export type ListProductsQuery = Static<typeof ListProductsQuery>;

export const variantSorts = ['createdAt', 'updatedAt', 'position', 'title', 'sku', 'price'] as const;
const variantListParameters = listQuery(variantSorts, { includeArchived }).properties;
/** Whether it is paged is said by naming a page, so that these two have no default. */
export const ListVariantsQuery = object({
  ...variantListParameters,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageLimitMax })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax })),
});
export type ListVariantsQuery = Static<typeof ListVariantsQuery>;
