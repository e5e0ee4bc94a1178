// Adds a variant to a product.
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import { insertBoms } from './bom-queries.ts';
import { missingBom, notOfABundle, requireComponents } from './bundle.ts';
import { requireAllInserted } from './codes.ts';
import { lockProduct, touchProduct } from './queries.ts';
import type { CreateVariantBody } from './schema.ts';
import { productSearchText, variantSearchText } from './search-text.ts';
import { newVariantColumns } from './variant-columns.ts';
import { findVariant, insertVariants, listVariantCodes } from './variant-queries.ts';

export async function createVariant(
  write: Write,
  productId: string,
  body: CreateVariantBody,
): Promise<Found> {
  const [product, siblings] = await Promise.all([
    lockProduct(write, productId),
    listVariantCodes(write, productId),
  ]);
  if (product === undefined) throw notFound('product');
  const unarchived = siblings.filter((variant) => variant.archived_at === null);
  const items = body.bomLineItems;
  const issues: Issue[] = [];
  if (product.is_bundle && items === undefined) issues.push(missingBom('/bomLineItems'));
  if (!product.is_bundle && items !== undefined) issues.push(notOfABundle('/bomLineItems'));
  if (unarchived.length >= limits.variantsMax) {
    issues.push({
      path: '',
      code: 'too_many',
      message: `a product has at most ${limits.variantsMax} variants`,
    });
  }
  if (issues.length > 0) throw invalid(issues);
  if (items !== undefined) await requireComponents(write, [{ path: '/bomLineItems', items }], productId);
  if (product.archived_at !== null) throw new ApiError('archived', { message: 'The product is archived' });

  // At the highest position of all it still comes last: among equals the younger does.
  const last = Math.max(0, ...unarchived.map((variant) => variant.position));
  const position = Math.min(last + 1, limits.quantityMax);
  const columns = newVariantColumns(body, position);
  const search_text = variantSearchText(columns, product.name);
  const row = { ...columns, id: newId(), is_bundle: product.is_bundle, search_text };
  const inserted = await insertVariants(write, productId, [row]);
  await requireAllInserted(write, [row], inserted);
  if (items !== undefined) insertBoms(write, [{ variantId: row.id, items }]);
  touchProduct(write, productId, productSearchText(product, [...siblings, row]));
  const variant = (await findVariant(write.transaction, write.scope.organizationId, productId, row.id))!;
  appendEvent(write, { type: 'product_variant.updated', objectId: row.id, object: variant.json });
  return variant;
}
