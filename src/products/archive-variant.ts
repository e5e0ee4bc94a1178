// Archives one variant of a product, which goes on without it. Stock stays countable, and what is open goes on.
import { notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { lockProduct, touchProduct } from './queries.ts';
import { productSearchText } from './search-text.ts';
import { findVariant, listVariantCodes, lockVariant, setVariantsArchived } from './variant-queries.ts';

export async function archiveVariant(write: Write, productId: string, id: string): Promise<Found> {
  const { organizationId } = write.scope;
  const [product, row, previous, variants] = await Promise.all([
    lockProduct(write, productId),
    lockVariant(write, productId, id),
    findVariant(write.transaction, organizationId, productId, id),
    listVariantCodes(write, productId),
  ]);
  if (product === undefined || row === undefined || previous === undefined) throw notFound('product variant');
  requireVersion(write, row.version);
  if (row.archived_at !== null) return previous;
  setVariantsArchived(write, [id], write.now);
  touchProduct(write, productId, productSearchText(product, variants));
  const variant = (await findVariant(write.transaction, organizationId, productId, id))!;
  const { json: object } = variant;
  appendEvent(write, { type: 'product_variant.updated', objectId: id, object, previous: previous.json });
  return variant;
}
