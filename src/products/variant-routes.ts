// The endpoints of one product's variants.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { archiveVariant } from './archive-variant.ts';
import { createVariant } from './create-variant.ts';
import { CreateVariantBody, ListVariantsQuery, ProductVariant, UpdateVariantBody } from './schema.ts';
import { updateVariant } from './update-variant.ts';
import { findVariant, listVariants } from './variant-queries.ts';

const ids = { productId: 'product', productVariantId: 'product variant' };
const response = singleOf('product_variant', ProductVariant);

export function variantRoutes(api: Api): void {
  api.get(
    '/products/{productId}/variants',
    {
      operationId: 'listVariants',
      permission: 'products:read',
      summary: 'List the variants of a product',
      description:
        'All of them where none of `limit`, `page` and `cursor` is given, else a page. `search` matches title, sku, barcode and the product’s name. Archived variants are left out unless `includeArchived`; of an archived product, those that were archived with it are listed.',
      ids: { productId: 'product' },
      query: ListVariantsQuery,
      response: listOf(ProductVariant),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query, ids }) => {
      const page = await listVariants(database, scope.organizationId, ids['productId']!, query);
      if (page === undefined) throw notFound('product');
      return list(page);
    },
  );
  api.post(
    '/products/{productId}/variants',
    {
      operationId: 'createVariant',
      permission: 'products:write',
      summary: 'Add a variant to a product',
      description:
        'It comes last unless `position` says otherwise. A variant of a bundle needs `bomLineItems`. The product’s version rises too. Event: `product_variant.updated`, with `previous` null.',
      ids: { productId: 'product' },
      body: CreateVariantBody,
      response,
      errors: ['archived', 'sku_taken', 'barcode_taken', 'conflict'],
    },
    async (write) =>
      single('product_variant', await createVariant(write, write.ids['productId']!, write.body)),
  );
  oneVariantRoutes(api);
}

function oneVariantRoutes(api: Api): void {
  api.get(
    '/products/{productId}/variants/{productVariantId}',
    {
      operationId: 'getVariant',
      permission: 'products:read',
      summary: 'Get a variant',
      ids,
      response,
    },
    async ({ database, scope, ids }) => {
      const { productId, productVariantId } = ids as { productId: string; productVariantId: string };
      const found = await findVariant(database, scope.organizationId, productId, productVariantId);
      if (found === undefined) throw notFound('product variant');
      return single('product_variant', found);
    },
  );
  api.post(
    '/products/{productId}/variants/{productVariantId}',
    {
      operationId: 'updateVariant',
      permission: 'products:write',
      summary: 'Update a variant',
      description:
        'Changes the fields that the body names, also within `dimensions`. `skuAlias` adds one alias, `skuAliases` replaces them. `tracksInventory` cannot change, and a first bill of materials cannot be given, while the variant has stock, is on order or is part of open orders: 409 `in_use`. The product’s version rises too. Event: `product_variant.updated`.',
      ids,
      body: UpdateVariantBody,
      response,
      errors: ['sku_taken', 'barcode_taken', 'in_use'],
    },
    async (write) => {
      const { productId, productVariantId } = write.ids as { productId: string; productVariantId: string };
      return single('product_variant', await updateVariant(write, productId, productVariantId, write.body));
    },
  );
  api.delete(
    '/products/{productId}/variants/{productVariantId}',
    {
      operationId: 'archiveVariant',
      permission: 'products:write',
      summary: 'Archive a variant',
      description:
        'The product goes on without it, also where it was the last one. Its stock stays countable and what is open goes on. A variant that is archived already is answered as it is. The product’s version rises too. Event: `product_variant.updated`.',
      ids,
      response,
    },
    async (write) => {
      const { productId, productVariantId } = write.ids as { productId: string; productVariantId: string };
      return single('product_variant', await archiveVariant(write, productId, productVariantId));
    },
  );
}
