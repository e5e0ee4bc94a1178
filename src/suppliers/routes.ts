// The endpoints of suppliers and of what they sell.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { createSupplier } from './create-supplier.ts';
import { createSupplierProduct } from './create-supplier-product.ts';
import { findSupplierProduct, listSupplierProducts } from './product-queries.ts';
import { findSupplier, listSuppliers } from './queries.ts';
import {
  CreateSupplierBody,
  CreateSupplierProductBody,
  ListSupplierProductsQuery,
  ListSuppliersQuery,
  Supplier,
  SupplierProduct,
  UpdateSupplierBody,
  UpdateSupplierProductBody,
} from './schema.ts';
import { updateSupplier } from './update-supplier.ts';
import { updateSupplierProduct } from './update-supplier-product.ts';

const ids = { supplierId: 'supplier' };
const productIds = { ...ids, supplierProductId: 'supplier product' };

export function supplierRoutes(api: Api): void {
  api.get(
    '/suppliers',
    {
      operationId: 'listSuppliers',
      permission: 'purchase-orders:read',
      summary: 'List suppliers',
      description: '`search` matches name, email and phone.',
      query: ListSuppliersQuery,
      response: listOf(Supplier),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listSuppliers(database, scope.organizationId, query)),
  );
  api.post(
    '/suppliers',
    {
      operationId: 'createSupplier',
      permission: 'purchase-orders:write',
      summary: 'Create a supplier',
      body: CreateSupplierBody,
      response: singleOf('supplier', Supplier),
    },
    async (write) => single('supplier', await createSupplier(write, write.body)),
  );
  api.get(
    '/suppliers/{supplierId}',
    {
      operationId: 'getSupplier',
      permission: 'purchase-orders:read',
      summary: 'Get a supplier',
      ids,
      response: singleOf('supplier', Supplier),
    },
    async ({ database, scope, ids: { supplierId } }) => {
      const found = await findSupplier(database, scope.organizationId, supplierId!);
      if (found === undefined) throw notFound('supplier');
      return single('supplier', found);
    },
  );
  api.post(
    '/suppliers/{supplierId}',
    {
      operationId: 'updateSupplier',
      permission: 'purchase-orders:write',
      summary: 'Update a supplier',
      description:
        'Changes what the body names. `archived: true` takes it out of lists; new purchase orders for it are then ' +
        'refused, those that it has go on. `archived: false` brings it back.',
      ids,
      body: UpdateSupplierBody,
      response: singleOf('supplier', Supplier),
    },
    async (write) => single('supplier', await updateSupplier(write, write.ids['supplierId']!, write.body)),
  );
  supplierProductRoutes(api);
}

function supplierProductRoutes(api: Api): void {
  api.get(
    '/suppliers/{supplierId}/products',
    {
      operationId: 'listSupplierProducts',
      permission: 'purchase-orders:read',
      summary: 'List what a supplier sells',
      description:
        "`search` matches the supplier's sku and the variant's sku, title, barcode and product name.",
      ids,
      query: ListSupplierProductsQuery,
      response: listOf(SupplierProduct),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query, ids: { supplierId } }) => {
      const supplier = await findSupplier(database, scope.organizationId, supplierId!);
      if (supplier === undefined) throw notFound('supplier');
      return list(await listSupplierProducts(database, scope.organizationId, supplierId!, query));
    },
  );
  api.post(
    '/suppliers/{supplierId}/products',
    {
      operationId: 'createSupplierProduct',
      permission: 'purchase-orders:write',
      summary: 'Note what a supplier calls a variant and sells it for',
      description:
        'One entry a variant. Lines of purchase orders that are written from then on refer to it, and the variant ' +
        'lists it in `supplierProducts`. Quantities are always units, whatever a pack holds.',
      ids,
      body: CreateSupplierProductBody,
      response: singleOf('supplier-product', SupplierProduct),
      errors: ['supplier_product_taken'],
    },
    async (write) =>
      single('supplier-product', await createSupplierProduct(write, write.ids['supplierId']!, write.body)),
  );
  api.get(
    '/suppliers/{supplierId}/products/{supplierProductId}',
    {
      operationId: 'getSupplierProduct',
      permission: 'purchase-orders:read',
      summary: 'Get what a supplier sells a variant as',
      ids: productIds,
      response: singleOf('supplier-product', SupplierProduct),
    },
    async ({ database, scope, ids: { supplierId, supplierProductId } }) => {
      const { organizationId } = scope;
      const found = await findSupplierProduct(database, organizationId, supplierId!, supplierProductId!);
      if (found === undefined) throw notFound('supplier product');
      return single('supplier-product', found);
    },
  );
  api.post(
    '/suppliers/{supplierId}/products/{supplierProductId}',
    {
      operationId: 'updateSupplierProduct',
      permission: 'purchase-orders:write',
      summary: 'Update what a supplier sells',
      ids: productIds,
      body: UpdateSupplierProductBody,
      response: singleOf('supplier-product', SupplierProduct),
    },
    async (write) => {
      const { supplierId, supplierProductId } = write.ids;
      return single(
        'supplier-product',
        await updateSupplierProduct(write, supplierId!, supplierProductId!, write.body),
      );
    },
  );
}
