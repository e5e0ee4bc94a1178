// The endpoints of products and their variants.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { archiveProduct } from './archive-product.ts';
import { createProduct } from './create-product.ts';
import { findProduct, listProducts } from './queries.ts';
import { restoreProduct } from './restore-product.ts';
import { CreateProductBody, ListProductsQuery, Product, UpdateProductBody } from './schema.ts';
import { updateProduct } from './update-product.ts';
import { variantRoutes } from './variant-routes.ts';

const ids = { productId: 'product' };
const response = singleOf('product', Product);

export function productRoutes(api: Api): void {
  api.get(
    '/products',
    {
      operationId: 'listProducts',
      permission: 'products:read',
      summary: 'List products',
      description:
        '`search` matches name, brand, and the sku and barcode of any variant. Archived products are left out unless `includeArchived`.',
      query: ListProductsQuery,
      response: listOf(Product),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listProducts(database, scope.organizationId, query)),
  );
  api.post(
    '/products',
    {
      operationId: 'createProduct',
      permission: 'products:write',
      summary: 'Create a product with its variants',
      description:
        'A `slug` that is left out is made from the name, with a number behind it where that is taken. A bundle (`isBundle`) needs `bomLineItems`: on the product for all its variants, or on each variant. `sku`, and each kind of barcode, is unique in the organization among unarchived variants: 409, with every conflict in `details.conflicts`. Event: `product.created`.',
      body: CreateProductBody,
      response,
      errors: ['sku_taken', 'barcode_taken', 'slug_taken', 'conflict'],
    },
    async (write) => single('product', await createProduct(write, write.body)),
  );
  api.get(
    '/products/{productId}',
    {
      operationId: 'getProduct',
      permission: 'products:read',
      summary: 'Get a product',
      ids,
      response,
    },
    async ({ database, scope, ids }) => {
      const found = await findProduct(database, scope.organizationId, ids['productId']!);
      if (found === undefined) throw notFound('product');
      return single('product', found);
    },
  );
  api.post(
    '/products/{productId}',
    {
      operationId: 'updateProduct',
      permission: 'products:write',
      summary: 'Update a product',
      description:
        'Changes the fields that the body names; variants have an endpoint of their own. `bomLineItems` becomes the bill of materials of every variant of a bundle. A variant of a bundle that has none yet is sold from its own stock. `isBundle: false` removes all bills of materials. 409 `in_use` when a variant of the product is a component of a bundle itself, or has stock or open orders that would become its components’. Event: `product.updated`.',
      ids,
      body: UpdateProductBody,
      response,
      errors: ['slug_taken', 'in_use'],
    },
    async (write) => single('product', await updateProduct(write, write.ids['productId']!, write.body)),
  );
  api.delete(
    '/products/{productId}',
    {
      operationId: 'archiveProduct',
      permission: 'products:write',
      summary: 'Archive a product',
      description:
        'Its variants are archived with it: new orders cannot name them, while their stock stays countable, open orders, returns and receipts go on, and bundles go on taking them as components. A product that is archived already is answered as it is. Event: `product.archived`.',
      ids,
      response,
    },
    async (write) => single('product', await archiveProduct(write, write.ids['productId']!)),
  );
  api.post(
    '/products/{productId}/restore',
    {
      operationId: 'restoreProduct',
      permission: 'products:write',
      summary: 'Restore an archived product',
      description:
        'The variants that were archived with it come back; those archived before it do not. 409 when a sku or barcode was taken since: change it on the archived variant, then restore. A product that is not archived is answered as it is. Event: `product.restored`.',
      ids,
      response,
      errors: ['sku_taken', 'barcode_taken'],
    },
    async (write) => single('product', await restoreProduct(write, write.ids['productId']!)),
  );
  variantRoutes(api);
}
