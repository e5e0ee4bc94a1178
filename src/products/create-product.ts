// Creates a product with its variants.
import { newId } from '../database/ids.ts';
import { ApiError, invalid } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { insertBoms } from './bom-queries.ts';
import { bomIssues, bomsOf, requireComponents } from './bundle.ts';
import { repeatedCodes, requireAllInserted } from './codes.ts';
import { addToTotals, findProduct, findSlugs, insertProduct, type ProductColumns } from './queries.ts';
import type { CreateProductBody } from './schema.ts';
import { productSearchText, variantSearchText } from './search-text.ts';
import { numberedSlugs, slugOf } from './slug.ts';
import { newVariantColumns } from './variant-columns.ts';
import { insertVariants } from './variant-queries.ts';

export async function createProduct(write: Write, body: CreateProductBody): Promise<Found> {
  const issues = [...repeatedCodes(body.variants, '/variants'), ...bomIssues(body)];
  if (issues.length > 0) throw invalid(issues);
  const id = newId();
  const boms = bomsOf(body);
  await requireComponents(
    write,
    boms.filter((bom) => bom !== undefined),
    id,
  );
  const variants = body.variants.map((variant, index) => {
    const columns = newVariantColumns(variant, index + 1);
    const bundle = boms[index] !== undefined;
    return { ...columns, id: newId(), is_bundle: bundle, search_text: variantSearchText(columns, body.name) };
  });
  await insertWithSlug(write, id, productColumns(body), body.slug, variants);
  const inserted = await insertVariants(write, id, variants);
  await requireAllInserted(write, variants, inserted);
  insertBoms(
    write,
    variants.flatMap((variant, index) => {
      const bom = boms[index];
      return bom === undefined ? [] : [{ variantId: variant.id, items: bom.items }];
    }),
  );
  const product = (await findProduct(write.transaction, write.scope.organizationId, id))!;
  appendEvent(write, { type: 'product.created', objectId: id, object: product.json });
  addToTotals(write, 1, 0);
  return product;
}

function productColumns(body: CreateProductBody): Omit<ProductColumns, 'slug'> {
  return {
    is_bundle: body.isBundle ?? false,
    name: body.name,
    description: body.description ?? null,
    options: body.options ?? [],
    brand: body.brand ?? null,
    vendor: body.vendor ?? null,
    manufacturer: body.manufacturer ?? null,
    eccn: body.eccn ?? null,
    image_url: body.imageUrl ?? null,
    metadata: body.metadata ?? {},
  };
}

/** @throws 409 slug_taken when the slug that was asked for is taken; one that is made gets a number instead */
async function insertWithSlug(
  write: Write,
  id: string,
  columns: Omit<ProductColumns, 'slug'>,
  asked: string | undefined,
  variants: readonly { sku: string; barcode: string | null }[],
): Promise<void> {
  const searchText = productSearchText(columns, variants);
  const slug = asked ?? slugOf(columns.name);
  if (await insertProduct(write, id, { ...columns, slug }, searchText)) return;
  if (asked !== undefined) throw await slugTaken(write, asked);
  // Whoever finds its number taken meanwhile lost it to another product, so that this ends.
  for (let attempt = 0; ; ) {
    const candidates = numberedSlugs(slug, attempt);
    const taken = await findSlugs(write.transaction, write.scope.organizationId, candidates);
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free === undefined) attempt += 1;
    else if (await insertProduct(write, id, { ...columns, slug: free }, searchText)) return;
  }
}

/** The 409 that names the product that has the slug. */
async function slugTaken(write: Write, slug: string): Promise<ApiError> {
  const taken = await findSlugs(write.transaction, write.scope.organizationId, [slug]);
  return new ApiError('slug_taken', { details: { slug, productId: taken.get(slug) } });
}
