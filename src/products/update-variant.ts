// Changes what the body names of a variant.
import { requestFills } from '../allocation/queries.ts';
import { type Issue, invalid, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import { deleteBoms, insertBoms } from './bom-queries.ts';
import { notOfABundle, requireComponents, requireUnused } from './bundle.ts';
import { requireFreeCodes } from './codes.ts';
import { lockProduct, type ProductRow, touchProduct } from './queries.ts';
import type { UpdateVariantBody } from './schema.ts';
import { productSearchText, variantSearchText } from './search-text.ts';
import { changedVariantColumns, type VariantColumns } from './variant-columns.ts';
import {
  type Codes,
  findVariant,
  listVariantCodes,
  lockVariant,
  type StoredVariant,
  updateVariant as storeVariant,
  uniqueCodes,
} from './variant-queries.ts';

export async function updateVariant(
  write: Write,
  productId: string,
  id: string,
  body: UpdateVariantBody,
): Promise<Found> {
  const { organizationId } = write.scope;
  const [product, row, previous, variants] = await Promise.all([
    lockProduct(write, productId),
    lockVariant(write, productId, id),
    findVariant(write.transaction, organizationId, productId, id),
    listVariantCodes(write, productId),
  ]);
  if (product === undefined || row === undefined || previous === undefined) throw notFound('product variant');
  requireVersion(write, row.version);
  const changed = changedVariantColumns(row, body);
  await requireAllowed(write, product, row, changed, body);
  if (row.archived_at === null) await requireFreeCodes(write, [changedCodes(row, changed)], [id]);
  if (body.bomLineItems !== undefined) {
    deleteBoms(write, [id]);
    insertBoms(write, [{ variantId: id, items: body.bomLineItems }]);
  }
  const isBundle = row.is_bundle || body.bomLineItems !== undefined;
  const search_text = variantSearchText(changed, product.name);
  storeVariant(write, { ...changed, id, is_bundle: isBundle, search_text });
  // What may be oversold from now on no longer waits for stock.
  if (row.inventory_policy === 'deny' && changed.inventory_policy === 'continue') requestFills(write, [id]);
  const { sku, barcode } = changed;
  const siblings = variants.map((other) => (other.id === id ? { sku, barcode } : other));
  touchProduct(write, productId, productSearchText(product, siblings));
  const variant = (await findVariant(write.transaction, organizationId, productId, id))!;
  const { json: object } = variant;
  appendEvent(write, { type: 'product_variant.updated', objectId: id, object, previous: previous.json });
  return variant;
}

async function requireAllowed(
  write: Write,
  product: ProductRow,
  row: StoredVariant,
  changed: VariantColumns,
  body: UpdateVariantBody,
): Promise<void> {
  const items = body.bomLineItems;
  const issues: Issue[] = [];
  if (changed.sku_aliases.length > limits.skuAliasesMax) {
    const message = `a variant has at most ${limits.skuAliasesMax} aliases`;
    issues.push({ path: '/skuAlias', code: 'too_many', message });
  }
  if (items !== undefined && !product.is_bundle) issues.push(notOfABundle('/bomLineItems'));
  if (issues.length > 0) throw invalid(issues);
  if (items !== undefined) await requireComponents(write, [{ path: '/bomLineItems', items }], product.id);
  const becomesBundle = items !== undefined && !row.is_bundle;
  if (becomesBundle || changed.tracks_inventory !== row.tracks_inventory) {
    await requireUnused(write, [row.id]);
  }
}

/** Those that the write changes; one that stays cannot conflict. */
function changedCodes(row: VariantColumns, changed: VariantColumns): Codes {
  const codes = uniqueCodes.map((code) => [code, changed[code] === row[code] ? null : changed[code]]);
  return Object.fromEntries(codes) as Codes;
}
