// Archives a product and its variants. Stock stays countable, and what is open goes on.
import { notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { addToTotals, findProduct, lockProduct, setProductArchived } from './queries.ts';
import { listVariantCodes, setVariantsArchived } from './variant-queries.ts';

export async function archiveProduct(write: Write, id: string): Promise<Found> {
  const { organizationId } = write.scope;
  const [row, previous, variants] = await Promise.all([
    lockProduct(write, id),
    findProduct(write.transaction, organizationId, id),
    listVariantCodes(write, id),
  ]);
  if (row === undefined || previous === undefined) throw notFound('product');
  requireVersion(write, row.version);
  if (row.archived_at !== null) return previous;
  const unarchived = variants.filter((variant) => variant.archived_at === null).map((variant) => variant.id);
  // The same time on all of them is how a restore knows which variants were archived with the product.
  setVariantsArchived(write, unarchived, write.now);
  setProductArchived(write, id, write.now);
  const product = (await findProduct(write.transaction, organizationId, id))!;
  const { json: object } = product;
  appendEvent(write, { type: 'product.archived', objectId: id, object, previous: previous.json });
  addToTotals(write, -1, 1);
  return product;
}
