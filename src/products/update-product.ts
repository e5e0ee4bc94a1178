// Changes what the body names of a product; its variants have an endpoint of their own.
import { ApiError, invalid, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { deleteBoms, findBundlesWith, insertBoms, setBundle } from './bom-queries.ts';
import { notOfABundle, requireComponents, requireUnused } from './bundle.ts';
import {
  findProduct,
  findSlugs,
  lockProduct,
  type ProductRow,
  updateProduct as storeProduct,
} from './queries.ts';
import type { UpdateProductBody } from './schema.ts';
import { productSearchText, variantSearchText } from './search-text.ts';
import { listVariantCodes, setSearchTexts, type VariantCodes } from './variant-queries.ts';

export async function updateProduct(write: Write, id: string, body: UpdateProductBody): Promise<Found> {
  const { organizationId } = write.scope;
  const [row, previous, variants] = await Promise.all([
    lockProduct(write, id),
    findProduct(write.transaction, organizationId, id),
    listVariantCodes(write, id),
  ]);
  if (row === undefined || previous === undefined) throw notFound('product');
  requireVersion(write, row.version);
  const changed = changedColumns(row, body);
  if (changed.slug !== row.slug) await requireFreeSlug(write, changed.slug);
  await changeBundle(write, row, changed, body, variants);
  storeProduct(write, changed, productSearchText(changed, variants));
  if (changed.name !== row.name) {
    const texts = variants.map((variant) => ({
      id: variant.id,
      text: variantSearchText(variant, changed.name),
    }));
    setSearchTexts(write, texts);
  }
  const product = (await findProduct(write.transaction, organizationId, id))!;
  const { json: object } = product;
  appendEvent(write, { type: 'product.updated', objectId: id, object, previous: previous.json });
  return product;
}

function changedColumns(row: ProductRow, body: UpdateProductBody): ProductRow {
  const { bomLineItems: _bomLineItems, isBundle = row.is_bundle, imageUrl = row.image_url, ...named } = body;
  return { ...row, ...named, is_bundle: isBundle, image_url: imageUrl };
}

/** @throws 409 slug_taken */
async function requireFreeSlug(write: Write, slug: string): Promise<void> {
  const taken = await findSlugs(write.transaction, write.scope.organizationId, [slug]);
  const productId = taken.get(slug);
  if (productId !== undefined) throw new ApiError('slug_taken', { details: { slug, productId } });
}

/** What turning a bundle on or off, or giving its bill of materials, does to the product's variants. */
async function changeBundle(
  write: Write,
  row: ProductRow,
  changed: ProductRow,
  body: UpdateProductBody,
  variants: VariantCodes[],
): Promise<void> {
  const items = body.bomLineItems;
  if (!changed.is_bundle) {
    if (items !== undefined) throw invalid([notOfABundle('/bomLineItems')]);
    const bundles = variants.filter((variant) => variant.is_bundle).map(({ id }) => id);
    if (bundles.length === 0) return;
    deleteBoms(write, bundles);
    setBundle(write, bundles, false);
    return;
  }
  if (!row.is_bundle) await requireNoComponent(write, variants);
  if (items === undefined) return;
  await requireComponents(write, [{ path: '/bomLineItems', items }], row.id);
  const shown = variants.filter(
    (variant) => variant.archived_at?.getTime() === changed.archived_at?.getTime(),
  );
  await requireUnused(
    write,
    shown.filter((variant) => !variant.is_bundle).map(({ id }) => id),
  );
  const ids = shown.map(({ id }) => id);
  deleteBoms(write, ids);
  insertBoms(
    write,
    ids.map((variantId) => ({ variantId, items })),
  );
  setBundle(write, ids, true);
}

/** @throws 409 in_use when a variant is a component already: a bundle must not hold a bundle */
async function requireNoComponent(write: Write, variants: VariantCodes[]): Promise<void> {
  const bundles = await findBundlesWith(
    write,
    variants.map(({ id }) => id),
  );
  if (bundles.length === 0) return;
  throw new ApiError('in_use', {
    message: 'A variant of this product is a component of a bundle, so that it cannot be a bundle itself',
    details: { bundleVariantIds: bundles },
  });
}
