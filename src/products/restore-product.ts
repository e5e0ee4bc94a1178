// Takes a product out of the archive, with the variants that were archived with it.
import { notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { requireFreeCodes } from './codes.ts';
import { addToTotals, findProduct, lockProduct, setProductArchived } from './queries.ts';
import { listVariantCodes, setVariantsArchived } from './variant-queries.ts';

export async function restoreProduct(write: Write, id: string): Promise<Found> {
  const { organizationId } = write.scope;
  const [row, previous, variants] = await Promise.all([
    lockProduct(write, id),
    findProduct(write.transaction, organizationId, id),
    listVariantCodes(write, id),
  ]);
  if (row === undefined || previous === undefined) throw notFound('product');
  requireVersion(write, row.version);
  const archivedAt = row.archived_at?.getTime();
  if (archivedAt === undefined) return previous;
  const archivedWithIt = variants.filter((variant) => variant.archived_at?.getTime() === archivedAt);
  await requireFreeCodes(write, archivedWithIt, []);
  setVariantsArchived(
    write,
    archivedWithIt.map((variant) => variant.id),
    null,
  );
  setProductArchived(write, id, null);
  const product = (await findProduct(write.transaction, organizationId, id))!;
  const { json: object } = product;
  appendEvent(write, { type: 'product.restored', objectId: id, object, previous: previous.json });
  addToTotals(write, 1, -1);
  return product;
}
