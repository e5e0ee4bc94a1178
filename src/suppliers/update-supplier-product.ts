// Changes what the body names of what a supplier sells.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { money } from '../money.ts';
import { findSupplierProduct, lockSupplierProduct, storeSupplierProduct } from './product-queries.ts';
import type { UpdateSupplierProductBody } from './schema.ts';

/** @throws 404, 412 */
export async function updateSupplierProduct(
  write: Write,
  supplierId: string,
  id: string,
  body: UpdateSupplierProductBody,
): Promise<Found> {
  const row = await lockSupplierProduct(write, supplierId, id);
  if (row === undefined) throw notFound('supplier product');
  requireVersion(write, row.version);
  const { price, ...rest } = body;
  const priced = price === undefined ? {} : { price: price === null ? null : money(price) };
  storeSupplierProduct(write, id, { ...row, ...rest, ...priced });
  return (await findSupplierProduct(write.transaction, write.scope.organizationId, supplierId, id))!;
}
