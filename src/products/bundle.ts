// The rules of bundles: what may be in a bill of materials, and when a variant may begin to be sold as one.
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import { lockComponents } from './bom-queries.ts';
import type { CreateProductBody } from './schema.ts';
import { findVariantsInUse } from './variant-queries.ts';

export type BomItems = readonly { productVariantId: string; quantity: number }[];

/** A bill of materials as it was sent, and where. */
export interface SentBom {
  path: string;
  items: BomItems;
}

/** The bill of materials of each variant of a new product: its own, else the product's. */
export function bomsOf(body: CreateProductBody): (SentBom | undefined)[] {
  return body.variants.map((variant, index) => {
    const own = variant.bomLineItems;
    if (own !== undefined) return { path: `/variants/${index}/bomLineItems`, items: own };
    return body.bomLineItems === undefined ? undefined : { path: '/bomLineItems', items: body.bomLineItems };
  });
}

/** What is wrong where a bundle's variant has no bill of materials, and where another's has one. */
export function bomIssues(body: CreateProductBody): Issue[] {
  const boms = bomsOf(body);
  if (body.isBundle !== true) return distinctPaths(boms).map(notOfABundle);
  if (boms.every((bom) => bom === undefined)) return [missingBom('/bomLineItems')];
  return boms.flatMap((bom, index) =>
    bom === undefined ? [missingBom(`/variants/${index}/bomLineItems`)] : [],
  );
}

export function missingBom(path: string): Issue {
  return { path, code: 'required', message: 'is required of a bundle' };
}

export function notOfABundle(path: string): Issue {
  return { path, code: 'not_allowed', message: 'only a bundle has a bill of materials' };
}

function distinctPaths(boms: readonly (SentBom | undefined)[]): string[] {
  return [...new Set(boms.flatMap((bom) => (bom === undefined ? [] : [bom.path])))];
}

/**
 * Locks the components' products, so that none becomes a bundle or is archived meanwhile.
 * @throws 400 naming every component that is repeated, unknown, archived, or of a bundle itself
 */
export async function requireComponents(
  write: Write,
  boms: readonly SentBom[],
  ownProductId: string,
): Promise<void> {
  if (boms.length === 0) return;
  const byPath = new Map(boms.map(({ path, items }) => [path, items]));
  const ids = [...new Set(boms.flatMap(({ items }) => items.map(idOf)))];
  const components = await lockComponents(write, ids);
  const byId = new Map(components.map((component) => [component.id, component]));
  const issues: Issue[] = [];
  for (const [path, items] of byPath) {
    items.forEach((item, index) => {
      const found = byId.get(idOf(item));
      const say = (code: string, message: string) =>
        issues.push({ path: `${path}/${index}/productVariantId`, code, message });
      if (items.some((other, at) => at !== index && idOf(other) === idOf(item)))
        say('duplicate', 'is listed more than once');
      if (found === undefined) say('not_found', 'no such product variant');
      else if (found.of_bundle || found.product_id === ownProductId)
        say('bundle_in_bundle', 'is of a bundle, which another bundle must not hold');
      else if (found.archived_at !== null) say('archived', 'is archived');
    });
  }
  if (issues.length > 0) throw invalid(issues);
}

function idOf(item: { productVariantId: string }): string {
  return item.productVariantId.toLowerCase();
}

/**
 * Before what its stock means changes: whether it is tracked at all, or is that of components from now on.
 * @throws 409 in_use when one of these variants has units, is on order or is owed to an order
 */
export async function requireUnused(write: Write, variantIds: string[]): Promise<void> {
  if (variantIds.length === 0) return;
  const used = await findVariantsInUse(write, variantIds);
  if (used.length === 0) return;
  throw new ApiError('in_use', {
    message: 'The variant has stock, or is on order or part of open orders',
    details: { productVariantIds: used },
  });
}
