// Notes what a supplier calls a variant and sells it for.
import { newId } from '../database/ids.ts';
import { invalid, notFound } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { money } from '../money.ts';
import { findLineVariants } from '../products/variant-lookup.ts';
import { findSupplierProduct, insertSupplierProduct } from './product-queries.ts';
import { lockSupplier } from './queries.ts';
import type { CreateSupplierProductBody } from './schema.ts';

/** @throws 400 for an unknown variant, 404, 409 supplier_product_taken */
export async function createSupplierProduct(
  write: Write,
  supplierId: string,
  body: CreateSupplierProductBody,
): Promise<Found> {
  const { organizationId } = write.scope;
  const [supplier, [match]] = await Promise.all([
    lockSupplier(write, supplierId),
    findLineVariants(write.transaction, organizationId, [{ productVariantId: body.productVariantId }]),
  ]);
  if (supplier === undefined) throw notFound('supplier');
  if (match?.status !== 'found') {
    throw invalid([{ path: '/productVariantId', code: 'not_found', message: 'is no product variant' }]);
  }
  const id = newId();
  insertSupplierProduct(
    write,
    { id, supplierId, productVariantId: match.variant.id },
    {
      supplierSku: body.supplierSku ?? null,
      price: body.price == null ? null : money(body.price),
      currency: body.currency ?? supplier.currency,
      packSize: body.packSize ?? 1,
      leadTimeDays: body.leadTimeDays ?? null,
    },
  );
  return (await findSupplierProduct(write.transaction, organizationId, supplierId, id))!;
}
